"""What pools hold, kept from time to time, so that a pool of a million bets is not added up anew (DESIGN 3.4).

A checkpoint stands on what is sealed: of the bets below ``closed_below`` nothing can appear or change any more
(``ledger.seals.finality``). It is a fact of its own, sealed like any other; the audit adds up the bets under it again.
"""

from __future__ import annotations

from typing import Any, cast

from sqlalchemy import CursorResult, ForeignKeyConstraint, Index, UniqueConstraint, func, select, text
from sqlalchemy.orm import Mapped, Session

from db.base import Fact
from db.session import Sessions, transaction
from ledger.seals.models import SealContent
from tote.models import PoolBet

# Whoever keeps totals holds this advisory lock; the number is only a name for it.
KEEPING_LOCK = 7_120_022
LONGEST_TAIL = 2_000
"""Bets that may lie sealed behind the last checkpoints: a few milliseconds of adding up, and few checkpoints a day."""


class PoolCheckpoint(Fact):
    """All bets on one outcome of a pool with an id below ``closed_below``: their number, and stakes in minor units.

    Cancelled bets are among them: a bet may be cancelled long after it was counted here.
    """

    __tablename__ = "pool_checkpoints"
    __table_args__ = (
        ForeignKeyConstraint(["pool_id", "outcome"], ["pool_outcomes.pool_id", "pool_outcomes.code"]),
        UniqueConstraint("pool_id", "outcome", "closed_below"),
        Index("ix_pool_checkpoints_closed_below", "closed_below"),
    )

    pool_id: Mapped[int]
    outcome: Mapped[str]
    closed_below: Mapped[int]
    bets: Mapped[int]
    stakes: Mapped[int]


def kept_below(session: Session) -> int:
    """The id of a bet below which the checkpoints hold every bet; 0 when nothing was kept yet."""
    return session.scalar(select(func.max(PoolCheckpoint.closed_below))) or 0


def keep_totals(sessions: Sessions, longest_tail: int = LONGEST_TAIL) -> int:
    """Write the checkpoints that are due, if the sealed tail has grown that long; how many were written.

    A sweep by state: what was not kept for a time is kept at the next run, and of two at once the second finds nothing
    to do. Nobody who sells or reads waits for it.
    """
    with transaction(sessions) as session:
        # A statement of its own: what the one before us wrote is seen by those that follow.
        session.execute(select(func.pg_advisory_xact_lock(KEEPING_LOCK)))
        start, below = kept_below(session), _sealed_below(session)
        if below - start < longest_tail:
            return 0
        return cast(CursorResult[Any], session.execute(KEEP, {"start": start, "below": below})).rowcount


KEEP = text("""
    INSERT INTO pool_checkpoints (pool_id, outcome, closed_below, bets, stakes)
    SELECT fresh.pool_id, fresh.outcome, :below,
        coalesce(kept.bets, 0) + fresh.bets, coalesce(kept.stakes, 0) + fresh.stakes
    FROM (
        SELECT pool_id, outcome, count(*) AS bets, CAST(sum(stake) AS bigint) AS stakes
        FROM pool_bets WHERE id >= :start AND id < :below GROUP BY pool_id, outcome
    ) AS fresh
    LEFT JOIN LATERAL (
        SELECT bets, stakes FROM pool_checkpoints
        WHERE pool_id = fresh.pool_id AND outcome = fresh.outcome ORDER BY closed_below DESC LIMIT 1
    ) AS kept ON true
    ORDER BY fresh.pool_id, fresh.outcome
""")


def _sealed_below(session: Session) -> int:
    sealed = select(func.max(SealContent.closed_below)).where(SealContent.table_name == PoolBet.__tablename__)
    return session.scalar(sealed) or 0
