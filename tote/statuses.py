"""Where pools stand in their lives (RULES 2): computed from facts and the clock, never stored."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import BindParameter, Row, Select, bindparam, func, select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.orm import Session

from db.instants import Instant
from db.session import rows
from events.models import Protocol
from ledger.settlements import SettlementCompletion, SettlementRun
from ledger.terms import PaymentTerm
from tote.models import Pool, PoolClosing, PoolDivision
from tote.pools import TRADE


class PoolStatus(StrEnum):
    """Where a pool stands: its sales, its result, then the payment of its wins and the disputes behind it.

    ``returned`` is a pool whose event was not held: its stakes are given back, and that has no end (D-21).
    """

    ANNOUNCED = "announced"
    OPEN = "open"
    CLOSED = "closed"
    WITHDRAWAL_TAKEN = "withdrawal_taken"
    RESULT_CONFIRMED = "result_confirmed"
    SETTLED = "settled"
    PAYABLE = "payable"
    EXPIRED = "expired"
    ARCHIVED = "archived"
    RETURNED = "returned"


@dataclass(frozen=True)
class Terms:
    """The instants that bound a settled pool's later life (D-1); every ``…until`` is exclusive.

    Where stakes are returned, neither their payment nor disputes about it end (D-21).
    """

    payable_from: datetime
    payable_until: datetime | None
    claims_until: datetime | None
    disputes_until: datetime | None


def status_of(session: Session, pool: Pool) -> PoolStatus:
    """Where the pool stands now."""
    return statuses_of(session, [pool.id])[pool.id]


def statuses_of(session: Session, pool_ids: Collection[int]) -> dict[int, PoolStatus]:
    """Where pools stand now."""
    return {row.id: _status(row) for row in rows(session, STANDING, {"pools": list(pool_ids)})}


def terms_of_pool(session: Session, pool_id: int) -> Terms | None:
    """The terms in force of a settled pool, of its latest complete run; none before it is settled."""
    row = rows(session, STANDING, {"pools": [pool_id]}).one()
    if row.payable_from is None:
        return None
    return Terms(row.payable_from, row.payable_until, row.claims_until, row.disputes_until)


def _standing() -> Select[*tuple[Any, ...]]:
    """What decides where ``:pools`` stand: their facts, their terms as prolonged by holds, and the time it is."""
    pools: BindParameter[Any] = bindparam("pools", expanding=True)
    latest = (
        select(SettlementRun.subject_id, SettlementRun.id.label("run_id"))
        .join(SettlementCompletion, SettlementCompletion.run_id == SettlementRun.id)
        .where(SettlementRun.trade == TRADE, SettlementRun.subject_id.in_(pools))
        .ext(distinct_on(SettlementRun.subject_id))
        .order_by(SettlementRun.subject_id, SettlementRun.version.desc())
        .subquery()
    )
    ends = ("payable_from", "payable_until", "claims_until", "disputes_until")
    terms = (
        select(PaymentTerm.run_id, *(func.max(getattr(PaymentTerm, end), type_=Instant).label(end) for end in ends))
        .where(PaymentTerm.ticket_id.is_(None), PaymentTerm.run_id.in_(select(latest.c.run_id)))
        .group_by(PaymentTerm.run_id)
        .subquery()
    )
    return (
        select(
            Pool.id,
            Pool.opens_at,
            Pool.closes_at,
            latest.c.run_id,
            PoolDivision.returned,
            *(terms.c[end] for end in ends),
            select(PoolClosing.id).where(PoolClosing.pool_id == Pool.id).exists().label("closed"),
            select(Protocol.id).where(Protocol.event_id == Pool.event_id).exists().label("confirmed"),
            func.trade_clock(type_=Instant).label("now"),
        )
        .outerjoin(latest, latest.c.subject_id == Pool.id)
        .outerjoin(PoolDivision, PoolDivision.run_id == latest.c.run_id)
        .outerjoin(terms, terms.c.run_id == latest.c.run_id)
        .where(Pool.id.in_(pools))
    )


# Built once: every look at a board asks it, and to put it together took longer than to ask.
STANDING = _standing()


def _status(row: Row[*tuple[Any, ...]]) -> PoolStatus:
    if row.run_id is not None:
        return PoolStatus.RETURNED if row.returned else _after_settlement(row)
    if row.closed:
        return PoolStatus.RESULT_CONFIRMED if row.confirmed else PoolStatus.WITHDRAWAL_TAKEN
    if row.now < row.opens_at:
        return PoolStatus.ANNOUNCED
    return PoolStatus.OPEN if row.now < row.closes_at else PoolStatus.CLOSED


def _after_settlement(row: Row[*tuple[Any, ...]]) -> PoolStatus:
    """Settled until the day the wins are paid from, then payable, expired and archived as the terms end."""
    if row.now < row.payable_from:
        return PoolStatus.SETTLED
    if row.now < row.payable_until:
        return PoolStatus.PAYABLE
    return PoolStatus.EXPIRED if row.now < row.disputes_until else PoolStatus.ARCHIVED
