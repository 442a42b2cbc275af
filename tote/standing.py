"""How many pools are on sale, how many should be closed already, and what wins should be booked as expired."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from ledger.settlements import Settlement
from ledger.terms import DEADLINE
from tote.expiry import NOW, past_due

_UNCLOSED = text("""
    SELECT count(*) FILTER (WHERE pool.opens_at <= clock.now AND clock.now < pool.closes_at) AS open,
        count(*) FILTER (WHERE pool.closes_at <= clock.now) AS overdue,
        coalesce(extract(epoch FROM clock.now - min(pool.closes_at) FILTER (WHERE pool.closes_at <= clock.now)), 0)
            AS overdue_seconds
    FROM (SELECT trade_clock() AS now) AS clock LEFT JOIN pools AS pool
        ON NOT EXISTS (SELECT FROM pool_closings WHERE pool_id = pool.id)
    GROUP BY clock.now
""")


@dataclass(frozen=True)
class PoolsStanding:
    """Pools on sale; pools whose window is over and that nobody closed, and how long the first has been waiting."""

    open: int
    overdue: int
    overdue_seconds: float


def pools_standing(session: Session) -> PoolsStanding:
    """How the pools stand now, by the trade's clock."""
    found = session.execute(_UNCLOSED).one()
    return PoolsStanding(found.open, found.overdue, float(found.overdue_seconds))


@dataclass(frozen=True)
class WinsOverdue:
    """Wins past their term that the sweep has not booked yet, and how long the first has been waiting."""

    wins: int
    seconds: float


def wins_overdue(session: Session) -> WinsOverdue:
    """How far the sweep of expired wins is behind, by the trade's clock; what is held is not waited for."""
    waiting = past_due().with_only_columns(DEADLINE.label("deadline"), Settlement.id).subquery()
    late = func.extract("epoch", NOW - func.min(waiting.c.deadline))
    found = session.execute(select(func.count(waiting.c.id), func.coalesce(late, 0))).one()
    return WinsOverdue(int(found[0]), float(found[1]))
