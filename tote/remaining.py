"""What a pool is when the bets the organizer cancelled are left out of it (T-Rules 29, D-18)."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from tote.models import CancellationStage, PoolBet, PoolCancellation, PoolClosing
from tote.rules.pool import BetGroup

BEFORE_SETTLEMENT = (CancellationStage.SELLING, CancellationStage.CLOSED)
"""A bet cancelled at one of these stages leaves the pool as if it had never been made."""
NEVER_MADE: ColumnElement[bool] = (
    select(PoolCancellation.id)
    .where(PoolCancellation.ticket_id == PoolBet.ticket_id, PoolCancellation.stage.in_(BEFORE_SETTLEMENT))
    .exists()
)
"""Whether a bet left its pool, in a query of pool bets."""


@dataclass(frozen=True)
class Remaining:
    """A closed pool without the bets that were cancelled after its closing; money in minor units."""

    bets: int
    stakes: int
    withdrawal: int
    fund: int


def remaining(session: Session, closing: PoolClosing) -> Remaining:
    """What is left of a closed pool: what its closing counted, less what was cancelled before its settlement."""
    cancelled = select(
        func.count(),
        func.coalesce(func.sum(PoolCancellation.from_withdrawal), 0),
        func.coalesce(func.sum(PoolCancellation.from_fund), 0),
    ).where(PoolCancellation.pool_id == closing.pool_id, PoolCancellation.stage == CancellationStage.CLOSED)
    bets, withdrawal, fund = map(int, session.execute(cancelled).one())
    return Remaining(
        bets=closing.bets - bets,
        stakes=closing.stakes - withdrawal - fund,
        withdrawal=closing.withdrawal - withdrawal,
        fund=closing.fund - fund,
    )


def groups_of(session: Session, pool_id: int) -> tuple[BetGroup[str], ...]:
    """The bets of a pool, grouped by outcome and stake; one that was cancelled after the settlement is among them."""
    grouped = (
        select(PoolBet.outcome, PoolBet.stake, func.count())
        .where(PoolBet.pool_id == pool_id, ~NEVER_MADE)
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
