"""What counts in a pool: its bets but for those the organizer cancelled before it was settled (T-Rules 29, D-18)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from tote.models import CancellationStage, PoolBet, PoolCancellation
from tote.pools import closing_of

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
