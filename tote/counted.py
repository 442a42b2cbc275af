"""What counts in a pool: its bets but for those the organizer cancelled before it was settled (T-Rules 29, D-18)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from tote.models import CancellationStage, PoolBet, PoolCancellation
from tote.pools import closing_of
from tote.rules.pool import BetGroup

BEFORE_SETTLEMENT = (CancellationStage.SELLING, CancellationStage.CLOSED)

COUNTS: ColumnElement[bool] = ~(
    select(PoolCancellation.id)
    .where(PoolCancellation.ticket_id == PoolBet.ticket_id, PoolCancellation.stage.in_(BEFORE_SETTLEMENT))
    .exists()
)
"""Whether a bet counts in its pool, in a query of bets: cancelled before the settlement, it is as if never made."""


@dataclass(frozen=True)
class Counted:
    """A closed pool as it is to be divided: the closing's figures less the bets cancelled behind it (minor units)."""

    bets: int
    stakes: int
    withdrawal: int
    fund: int
    closed_at: datetime


def counted(session: Session, pool_id: int) -> Counted | None:
    """What a pool's closing counted, less what was cancelled after it and before the settlement; none while it sells.

    Withdrawal and fund are those of the pool without these bets: each cancellation took just the difference.
    """
    closing = closing_of(session, pool_id)
    if closing is None:
        return None
    gone = session.execute(
        select(
            func.count(),
            func.coalesce(func.sum(PoolCancellation.from_withdrawal), 0),
            func.coalesce(func.sum(PoolCancellation.from_fund), 0),
        ).where(PoolCancellation.pool_id == pool_id, PoolCancellation.stage == CancellationStage.CLOSED)
    ).one()
    bets, withdrawal, fund = (int(figure) for figure in gone)
    return Counted(
        bets=closing.bets - bets,
        stakes=closing.stakes - withdrawal - fund,
        withdrawal=closing.withdrawal - withdrawal,
        fund=closing.fund - fund,
        closed_at=closing.closed_at,
    )


def groups_of(session: Session, pool_id: int) -> tuple[BetGroup, ...]:
    """The bets of a pool, grouped by outcome and stake; one that was cancelled after the settlement is among them."""
    grouped = (
        select(PoolBet.outcome, PoolBet.stake, func.count())
        .where(PoolBet.pool_id == pool_id, COUNTS)
        .group_by(PoolBet.outcome, PoolBet.stake)
        .order_by(PoolBet.outcome, PoolBet.stake)
    )
    return tuple(BetGroup(outcome, stake, count) for outcome, stake, count in session.execute(grouped))


def cancelled_after_settlement(session: Session, pool_id: int) -> dict[tuple[str, int], int]:
    """How many bets were cancelled after the pool was settled, by outcome and stake: their share is the jackpot's."""
    cancelled = (
        select(PoolBet.outcome, PoolBet.stake, func.count())
        .join(PoolCancellation, PoolCancellation.ticket_id == PoolBet.ticket_id)
        .where(PoolBet.pool_id == pool_id, PoolCancellation.stage == CancellationStage.SETTLED)
        .group_by(PoolBet.outcome, PoolBet.stake)
    )
    return {(outcome, stake): count for outcome, stake, count in session.execute(cancelled)}
