"""What "as of T" means: the last seal at or before an instant, and how far it closed a table (DESIGN 3.8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Row, Text, column, func, select, values
from sqlalchemy.orm import Session

from ledger.seals.models import Seal, SealContent
from ledger.seals.sealing import SEALING_LOCK


@dataclass(frozen=True)
class AsOf:
    """The state of one table at a seal: the rows with an id under ``closed_below``, which never change any more."""

    seal: int
    sealed_at: datetime
    closed_below: int


@dataclass(frozen=True)
class Horizon:
    """The state of several tables at one seal: of each the rows with an id under its own bound."""

    seal: int
    sealed_at: datetime
    closed_below: Mapping[str, int]


def as_of(session: Session, instant: datetime, table: str) -> AsOf | None:
    """How a table stood at the last seal at or before an instant that has come; None when there was no seal yet."""
    found = horizon(session, instant, [table])
    return None if found is None else AsOf(found.seal, found.sealed_at, found.closed_below[table])


def horizon(session: Session, instant: datetime, tables: Iterable[str]) -> Horizon | None:
    """How tables stood at the last seal at or before an instant that has come; None when there was no seal yet.

    Whoever is sealing at this moment is waited for: its seal may bear an instant that has passed already, and a later
    question about the same instant must not be answered otherwise.
    """
    session.execute(select(func.pg_advisory_xact_lock_shared(SEALING_LOCK)))
    last = session.execute(
        select(Seal.id, Seal.sealed_at).where(Seal.sealed_at <= instant).order_by(Seal.id.desc()).limit(1)
    ).first()
    return None if last is None else Horizon(last.id, last.sealed_at, _bounds(session, last, tables))


def _bounds(session: Session, seal: Row[int, datetime], tables: Iterable[str]) -> dict[str, int]:
    """The id under which each table was closed by a seal: the last content of it up to there, 1 if there is none."""
    asked = values(column("name", Text), name="asked").data([(table,) for table in tables])
    bound = (
        select(SealContent.closed_below)
        .where(SealContent.table_name == asked.c.name, SealContent.seal_id <= seal[0])
        .order_by(SealContent.seal_id.desc())
        .limit(1)
        .scalar_subquery()
    )
    return {name: below for name, below in session.execute(select(asked.c.name, func.coalesce(bound, 1)))}
