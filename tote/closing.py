"""Closing a pool: sales are counted under the exclusive gate, the withdrawal is taken (T-Prov 12, T-Rules 23)."""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db.clock import trade_time
from db.session import Sessions, transaction
from events.protocols import is_called_off
from ledger.accounts import OPERATOR, Kind, open_account
from ledger.journal import Movement, post
from ledger.refusals import Refusal
from office.operator import Operator
from tote.models import Pool, PoolBet, PoolClosing
from tote.pools import closing_of, pool_by_code
from tote.remaining import NEVER_MADE
from tote.rules.fund import prize_fund

POOL_GATE = 1
WITHDRAWAL = "withdrawal"
PRIZE_FUND = "prize_fund"


def close(session: Session, operator: Operator, pool: Pool, closed_by: int | None) -> PoolClosing:
    """End a pool's sales and part the prize fund from the withdrawal.

    The exclusive gate waits for the bets under way; the count comes in a later statement and so sees them all, and a
    bet behind the gate reads the closing and is refused. Bets cancelled before are not counted (D-18).

    A pool whose sales have not begun is closed only when its event is known not to be held: there is nothing to wait
    for (T-Rules 32).

    Raises:
        Refusal: ``pool_already_closed``; ``pool_not_open``, its sales have not begun.
    """
    at: datetime = session.scalars(select(func.shut_gate(POOL_GATE, pool.id))).one()
    if closing_of(session, pool.id) is not None:
        raise Refusal("pool_already_closed", "Приём ставок в этот пул уже окончен.")
    if at < pool.opens_at and not is_called_off(session, pool.event_id):
        raise Refusal("pool_not_open", "Приём ставок в пул ещё не начался.", opens_at=pool.opens_at.isoformat())
    bets, stakes = session.execute(
        select(func.count(), func.coalesce(func.sum(PoolBet.stake), 0)).where(PoolBet.pool_id == pool.id, ~NEVER_MADE)
    ).one()
    stakes = int(stakes)
    fund = prize_fund(stakes, Fraction(pool.fund_percent))
    closing = PoolClosing(
        pool_id=pool.id,
        bets=bets,
        stakes=stakes,
        withdrawal=stakes - fund,
        fund=fund,
        closed_by=closed_by,
        closed_at=at,
    )
    session.add(closing)
    revenue = open_account(session, Kind.WITHDRAWAL_REVENUE, OPERATOR, pool.currency)
    movements = [
        Movement(pool.stakes_account_id, revenue, closing.withdrawal, WITHDRAWAL),
        Movement(pool.stakes_account_id, pool.fund_account_id, closing.fund, PRIZE_FUND),
    ]
    post(session, movements, currency=pool.currency, occurred_at=at, booked_on=operator.day_of(at))
    session.flush()
    return closing


def close_called_off(session: Session, operator: Operator, event_id: int, closed_by: int | None) -> list[str]:
    """End the sales of every pool of an event that is known not to be held, with the protocol that says so.

    Nobody bets on what can be neither won nor lost any more; bets under way are waited for, and returned (T-Rules 32).
    A pool that somebody closed meanwhile is left as it is. The codes of those closed.
    """
    if not is_called_off(session, event_id):
        return []
    closed = select(PoolClosing.id).where(PoolClosing.pool_id == Pool.id).exists()
    selling = session.scalars(select(Pool).where(Pool.event_id == event_id, ~closed).order_by(Pool.id)).all()
    for pool in selling:
        session.execute(select(func.shut_gate(POOL_GATE, pool.id)))
    left = [pool for pool in selling if closing_of(session, pool.id) is None]
    for pool in left:
        close(session, operator, pool, closed_by)
    return [pool.code for pool in left]


def close_due(sessions: Sessions, operator: Operator) -> list[str]:
    """Close every pool whose window is over, each in a transaction of its own; the codes of those closed.

    The sweep goes by state, not by tick: what an outage missed is closed at the next run. Two sweeps at once close
    each pool once, and a pool that cannot be closed keeps none behind it open; what stood in its way is raised last.
    """
    with transaction(sessions) as session:
        due = [pool.code for pool in due_to_close(session)]
    closed: list[str] = []
    obstacles: list[Exception] = []
    for code in due:
        try:
            with transaction(sessions) as session:
                close(session, operator, pool_by_code(session, code), closed_by=None)
            closed.append(code)
        except Refusal:
            continue  # somebody closed it meanwhile
        except Exception as obstacle:
            obstacles.append(obstacle)
    if obstacles:
        raise ExceptionGroup("pools that could not be closed", obstacles)
    return closed


def due_to_close(session: Session) -> list[Pool]:
    """Pools whose announced window is over and whose sales nobody has closed: what the sweep closes."""
    closed = select(PoolClosing.id).where(PoolClosing.pool_id == Pool.id).exists()
    return list(session.scalars(select(Pool).where(Pool.closes_at <= trade_time(session), ~closed).order_by(Pool.id)))
