"""What becomes of tickets by other acts than a settlement, written as those acts write it: expiries, cancellations."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from db.session import transaction
from ledger.accounts import OPERATOR as OPERATORS
from ledger.accounts import Kind, open_account
from ledger.journal import Movement, post
from ledger.settlements import (
    Cause,
    Decision,
    End,
    Ending,
    Settlement,
    SettlementCompletion,
    SettlementCrediting,
    SettlementRun,
    valid_settlement,
)
from ledger.tickets import Status, TicketState
from office.users import User
from tests.office import OPERATOR, Office
from tote.models import CancellationReason, CancellationStage, Pool, PoolBet, PoolCancellation

EXPIRED = "win_expired"


def expire(office: Office, number: int) -> None:
    """The term of a ticket's win is over, and the win lapses to the jackpot; a stake given back beside it stays due."""
    with transaction(office.house.sessions) as session:
        lapsed = valid_settlement(session, number)
        assert lapsed is not None and lapsed.payable_until is not None
        pool, at = _pool_of(session, number), lapsed.payable_until
        session.add(Ending(settlement_id=lapsed.id, end=End.EXPIRED, amount=lapsed.win, ended_at=at))
        jackpot = open_account(session, Kind.JACKPOT, "totolot", "BYN")
        _move(session, at, Movement(pool.wins_account_id, jackpot, lapsed.win, EXPIRED, number, lapsed.id))
        stays = lapsed
        if lapsed.stake_back:
            stays = _next(lapsed, lapsed.run_id, Decision.RETURNED, lapsed.stake_back, at)
            session.add(stays)
            session.flush()
        _follow(session, number, Status.RETURNED if lapsed.stake_back else Status.EXPIRED, stays.id)


def cancel(office: Office, number: int, stage: CancellationStage, *parts: int) -> None:
    """The organizer cancels a cash bet and owes its stake, which came from ``parts``: stakes, withdrawal, fund.

    After the settlement the organizer pays it, and the win goes to the jackpot (D-18).
    """
    with transaction(office.house.sessions) as session:
        pool, at = _pool_of(session, number), session.scalars(select(func.trade_clock())).one()
        stake = session.scalars(select(PoolBet.stake).where(PoolBet.ticket_id == number)).one()
        by = session.scalars(select(User.id).where(User.login == "organizer")).one()
        whence = dict(zip(("from_stakes", "from_withdrawal", "from_fund"), (*parts, 0, 0, 0), strict=False))
        told = {"reason": CancellationReason.OTHER_BREACH, "explanation": "проба", "cancelled_by": by}
        session.add(PoolCancellation(ticket_id=number, pool_id=pool.id, stage=stage, cancelled_at=at, **told, **whence))
        former = valid_settlement(session, number)
        run = SettlementRun(
            trade="tote_ticket",
            subject_id=number,
            version=1,
            cause=Cause.CANCELLATION,
            payable_account_id=pool.wins_account_id,
            started_at=at,
        )
        session.add(run)
        session.flush()
        decided = _next(former, run.id, Decision.CANCELLED, stake, at, number)
        session.add(decided)
        session.add(SettlementCompletion(run_id=run.id, tickets=1, due=stake, completed_at=at))
        session.add(SettlementCrediting(run_id=run.id, credited_at=at))
        if former is not None and former.win:
            session.add(Ending(settlement_id=former.id, end=End.REVERSED, amount=0, ended_at=at))
        session.flush()
        _move(session, at, *_moved(session, pool, number, decided.id, whence, stake, former.win if former else 0))
        _follow(session, number, Status.CANCELLED, decided.id)


def _moved(
    session: Session, pool: Pool, number: int, settlement: int, whence: dict[str, int], stake: int, win: int
) -> list[Movement]:
    revenue = open_account(session, Kind.WITHDRAWAL_REVENUE, OPERATORS, "BYN")
    organizer = open_account(session, Kind.ORGANIZER, OPERATORS, "BYN")
    jackpot = open_account(session, Kind.JACKPOT, "totolot", "BYN")
    own = stake - sum(whence.values())
    accounts = (pool.stakes_account_id, revenue, pool.fund_account_id, organizer)
    moved = [
        Movement(account, pool.wins_account_id, amount, "cancelled_stake", number, settlement)
        for account, amount in zip(accounts, (*whence.values(), own), strict=True)
    ]
    return [*moved, Movement(pool.wins_account_id, jackpot, win, "cancelled_win", number, settlement)]


def _next(
    former: Settlement | None, run: int, decision: Decision, stake: int, at: datetime, ticket: int | None = None
) -> Settlement:
    """The version behind another, or the first one: it owes a stake, from now on and for ever."""
    return Settlement(
        ticket_id=ticket or (former and former.ticket_id),
        version=1 if former is None else former.version + 1,
        run_id=run,
        reverses_id=None if former is None else former.id,
        decision=decision,
        win=0,
        stake_back=stake,
        received=0,
        payable_from=at,
        payable_until=None,
    )


def _pool_of(session: Session, number: int) -> Pool:
    return session.scalars(
        select(Pool).join(PoolBet, PoolBet.pool_id == Pool.id).where(PoolBet.ticket_id == number)
    ).one()


def _move(session: Session, at: datetime, *movements: Movement) -> None:
    post(session, movements, currency="BYN", occurred_at=at, booked_on=OPERATOR.day_of(at))


def _follow(session: Session, number: int, status: Status, settlement: int) -> None:
    followed = {"status": status.value, "settlement_id": settlement}
    session.execute(update(TicketState).where(TicketState.ticket_id == number).values(followed))
