"""Holds of payouts as they are read: the pool, by whom and why, and how each ended."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, case, select
from sqlalchemy.orm import Session, aliased

from ledger.holds import PayoutHold, PayoutRelease
from office.users import User
from tote.models import Pool, PoolBet
from tote.pools import TICKET_TRADE, TRADE

Holder, Releaser = aliased(User), aliased(User)


@dataclass(frozen=True)
class HoldLine:
    """A hold of the payouts of a pool, or of one ticket of it; the last three are empty while it stands."""

    id: int
    pool: str
    ticket: int | None
    cause: str
    reason: str
    held_by: str
    held_at: datetime
    release_reason: str | None
    released_by: str | None
    released_at: datetime | None


def holds(session: Session, standing: bool, after: int, limit: int) -> list[HoldLine]:
    """The holds behind an id, the oldest first: all of them, or those that stand."""
    query = _joined().where(PayoutHold.id > after).order_by(PayoutHold.id).limit(limit)
    if standing:
        query = query.where(PayoutRelease.id.is_(None))
    return [HoldLine(*row) for row in session.execute(query)]


def hold_line(session: Session, hold_id: int) -> HoldLine:
    """One hold."""
    return HoldLine(*session.execute(_joined().where(PayoutHold.id == hold_id)).one())


def _joined() -> Select[*tuple[Any, ...]]:
    return (
        select(
            PayoutHold.id,
            Pool.code,
            case((PayoutHold.trade == TICKET_TRADE, PayoutHold.subject_id)),
            PayoutHold.cause,
            PayoutHold.reason,
            Holder.name,
            PayoutHold.held_at,
            PayoutRelease.reason,
            Releaser.name,
            PayoutRelease.released_at,
        )
        .outerjoin(PoolBet, (PoolBet.ticket_id == PayoutHold.subject_id) & (PayoutHold.trade == TICKET_TRADE))
        .join(
            Pool,
            ((Pool.id == PayoutHold.subject_id) & (PayoutHold.trade == TRADE)) | (Pool.id == PoolBet.pool_id),
        )
        .join(Holder, Holder.id == PayoutHold.held_by)
        .outerjoin(PayoutRelease, PayoutRelease.hold_id == PayoutHold.id)
        .outerjoin(Releaser, Releaser.id == PayoutRelease.released_by)
    )
