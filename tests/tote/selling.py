"""Bets of a cashier, placed by the act itself and left uncommitted for as long as a test wants."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from db.session import transaction
from office.callers import Caller, Role
from office.users import User
from tests.office import Office
from tote.models import CancellationReason, CancellationStage, PoolBet, PoolCancellation
from tote.orders import Order
from tote.pools import pool_by_code
from tote.sales import place
from tote.totals import totals_of

ADDED_UP = text("""
    SELECT bet.outcome, count(*), CAST(sum(bet.stake) AS bigint)
    FROM pool_bets AS bet JOIN pools AS pool ON pool.id = bet.pool_id
    WHERE pool.code = :pool AND NOT EXISTS (
        SELECT FROM pool_cancellations AS gone
        WHERE gone.ticket_id = bet.ticket_id AND gone.stage IN ('selling', 'closed')
    )
    GROUP BY bet.outcome
""")


def cashier_of(office: Office) -> Caller:
    """The cashier of the office's first desk, as an act is told who calls."""
    assert office.cashier
    with transaction(office.house.sessions) as session:
        user = session.scalars(select(User.id).where(User.login == "cashier")).one()
        terminal = session.scalars(text("SELECT id FROM terminals WHERE code = 'T-1'")).one()
    return Caller(Role.CASHIER, user_id=user, terminal_id=terminal)


def sell(office: Office, session: Session, by: Caller, pool: str, outcome: str, stake: int) -> int:
    """Place a bet within a session; the ticket's number."""
    return place(session, office.house.counter, Order(pool, outcome, stake), by)


def cancel(session: Session, number: int, stage: CancellationStage = CancellationStage.SELLING) -> None:
    """Put on record that a bet was cancelled; its money is not what these tests are about."""
    bet = session.scalars(select(PoolBet).where(PoolBet.ticket_id == number)).one()
    session.add(
        PoolCancellation(
            ticket_id=number,
            pool_id=bet.pool_id,
            stage=stage,
            reason=CancellationReason.UNDER_AGE,
            explanation="Паспорт предъявлен после приёма ставки",
            from_stakes=bet.stake if stage is CancellationStage.SELLING else 0,
            from_withdrawal=0,
            from_fund=0,
            cancelled_by=1,
            cancelled_at=datetime.fromisoformat("2022-11-22T09:00:00+03:00"),
        )
    )
    session.flush()


def totals(session: Session, pool: str) -> dict[str, tuple[int, int]]:
    """The running totals of the outcomes somebody has bet on: bets and stakes."""
    found = totals_of(session, pool_by_code(session, pool))
    return {outcome.code: (outcome.bets, outcome.stakes) for outcome in found.outcomes if outcome.bets}


def added_up(session: Session, pool: str) -> dict[str, tuple[int, int]]:
    """The independent method: every bet of the pool, from the first on."""
    return {outcome: (bets, stakes) for outcome, bets, stakes in session.execute(ADDED_UP, {"pool": pool})}
