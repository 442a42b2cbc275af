"""Cancelled bets as they are read: the reason, the person, and where every kopeck went (INDUSTRY: words kept apart)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from ledger.journal import Transfer
from ledger.settlements import Settlement, SettlementRun
from ledger.tickets import Ticket
from office.users import User
from tote.cancelled_money import CANCELLED_STAKE, CANCELLED_WIN
from tote.models import CancellationStage, Pool, PoolCancellation
from tote.pools import TICKET_TRADE
from tote.receipts import no_such_ticket
from tote.recovery import CLAIMED, OVERPAID, TAKEN_BACK


@dataclass(frozen=True)
class CancellationLine:
    """A cancelled bet; money in minor units."""

    ticket: int
    pool: str
    stage: str
    reason: str
    explanation: str
    stake: int
    received: int
    due: int
    from_stakes: int
    from_withdrawal: int
    from_fund: int
    from_organizer: int
    to_jackpot: int
    taken_back: int
    claimed: int
    overpaid: int
    cancelled_by: str
    cancelled_at: datetime


def cancellation_line(session: Session, number: int) -> CancellationLine:
    """How the bet of this ticket was cancelled.

    Raises:
        Refusal: ``not_found``, there is no such ticket, or it is not cancelled.
    """
    row = session.execute(
        select(PoolCancellation, Pool.code, Ticket.stake, Settlement, User.name)
        .join(Pool, Pool.id == PoolCancellation.pool_id)
        .join(Ticket, Ticket.id == PoolCancellation.ticket_id)
        .join(User, User.id == PoolCancellation.cancelled_by)
        .join(SettlementRun, (SettlementRun.trade == TICKET_TRADE) & (SettlementRun.subject_id == Ticket.id))
        .join(Settlement, Settlement.run_id == SettlementRun.id)
        .where(PoolCancellation.ticket_id == number)
    ).first()
    if row is None:
        raise no_such_ticket()
    told, pool, stake, settlement, name = row
    moved = _moved(session, settlement.id)
    return CancellationLine(
        ticket=number,
        pool=pool,
        stage=told.stage,
        reason=told.reason,
        explanation=told.explanation,
        stake=stake,
        received=settlement.received,
        due=settlement.due,
        from_stakes=told.from_stakes,
        from_withdrawal=told.from_withdrawal,
        from_fund=told.from_fund,
        from_organizer=moved.get(CANCELLED_STAKE, 0) if told.stage == CancellationStage.SETTLED else 0,
        to_jackpot=moved.get(CANCELLED_WIN, 0),
        taken_back=moved.get(TAKEN_BACK, 0),
        claimed=moved.get(CLAIMED, 0),
        overpaid=moved.get(OVERPAID, 0),
        cancelled_by=name,
        cancelled_at=told.cancelled_at,
    )


def _moved(session: Session, settlement_id: int) -> dict[str, int]:
    """What the cancellation moved, by the kind of transfer."""
    amount: ColumnElement[int] = func.sum(Transfer.amount)
    found = session.execute(
        select(Transfer.kind, amount).where(Transfer.settlement_id == settlement_id).group_by(Transfer.kind)
    )
    return {kind: int(moved) for kind, moved in found}
