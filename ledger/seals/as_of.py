"""What "as of T" means: the last seal at or before an instant, and how far it closed a table (DESIGN 3.8)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from ledger.seals.models import Seal, SealContent
from ledger.seals.sealing import SEALING_LOCK


@dataclass(frozen=True)
class AsOf:
    """The state of one table at a seal: the rows with an id under ``closed_below``, which never change any more."""

    seal: int
    sealed_at: datetime
    closed_below: int


def as_of(session: Session, instant: datetime, table: str) -> AsOf | None:
    """How a table stood at the last seal at or before an instant that has come; None when there was no seal yet.

    Whoever is sealing at this moment is waited for: its seal may bear an instant that has passed already, and a later
    question about the same instant must not be answered otherwise.
    """
    session.execute(select(func.pg_advisory_xact_lock_shared(SEALING_LOCK)))
    last = session.execute(
        select(Seal.id, Seal.sealed_at).where(Seal.sealed_at <= instant).order_by(Seal.id.desc()).limit(1)
    ).first()
    if last is None:
        return None
    contents = SealContent.table_name == table, SealContent.seal_id <= last.id
    closed_below = session.scalar(select(func.max(SealContent.closed_below)).where(*contents))
    return AsOf(last.id, last.sealed_at, closed_below or 1)
