"""How many pools are on sale, and how many should be closed already."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import text
from sqlalchemy.orm import Session

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
