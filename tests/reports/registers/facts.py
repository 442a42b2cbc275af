"""What may become of pools and tickets, written as facts: a day of reports needs them whoever lets them happen."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session, aliased

from db.clock import trade_time
from db.session import transaction
from events.models import Protocol, Result
from ledger.accounts import OPERATOR, Account, Kind, open_account
from ledger.journal import Movement, Transfer, post, reverse
from ledger.settlements import (
    Cause,
    Ending,
    Settlement,
    SettlementCompletion,
    SettlementCrediting,
    SettlementRun,
    valid_settlement,
)
from ledger.tickets import Ticket, TicketState
from office.numbers import next_number
from office.users import User
from players.models import Player
from tests.office import OPERATOR as HOUSE
from tests.office import Office
from tote.models import Pool, PoolBet, PoolCancellation, PoolClosing, PoolDivision

MONTHS_LATER = datetime.fromisoformat("2023-02-26T00:00:00+03:00")
"""The end of a term of three months from the day after the 24th of November (T-Rules 40, D-1)."""


class Books:
    """A transaction in which facts are written at one instant of the trade."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.at = trade_time(session)

    def pool(self, code: str) -> Pool:
        """A pool by its code."""
        return self.session.scalars(select(Pool).where(Pool.code == code)).one()

    def add(self, fact: Any) -> Any:
        """Write a fact; it has its number."""
        self.session.add(fact)
        self.session.flush()
        return fact

    def account(self, kind: Kind, subject: str = OPERATOR) -> int:
        """The number of an account."""
        return open_account(self.session, kind, subject, "BYN")

    def move(self, debit: int, credit: int, amount: int, kind: str, decided: Settlement | None = None) -> None:
        """One transfer, of a decision where it is of one."""
        of = {"ticket_id": decided.ticket_id, "settlement_id": decided.id} if decided else {}
        told = {"currency": "BYN", "occurred_at": self.at, "booked_on": HOUSE.day_of(self.at)}
        post(self.session, [Movement(debit, credit, amount, kind, **of)], **told)

    def user(self, login: str) -> int:
        """Somebody of the office."""
        return self.session.scalars(select(User.id).where(User.login == login)).one()

    def protocol(
        self, pool: Pool, outcomes: list[str], standing: str = "held", corrects: int | None = None
    ) -> Protocol:
        """A result by the one organizer, its protocol by the other."""
        entered, confirmed = self.user("organizer"), self.user("second-organizer")
        told = {"corrects": corrects, "reason": None if corrects is None else "clerical_error"}
        result = Result(
            event_id=pool.event_id,
            standing=standing,
            outcomes=outcomes,
            source="протокол матча",
            entered_by=entered,
            entered_at=self.at,
            **told,
        )
        self.add(result)
        last = self.session.scalar(select(func.max(Protocol.version)).where(Protocol.event_id == pool.event_id))
        return self.add(
            Protocol(
                event_id=pool.event_id,
                version=(last or 0) + 1,
                result_id=result.id,
                entered_by=entered,
                confirmed_by=confirmed,
                signatories=["Член комиссии"],
                drawn_up_at=self.at,
                corrects=corrects,
                number=next_number(self.session, "protocols"),
            )
        )

    def run(self, pool: Pool, trade: str, subject: int, version: int, protocol: Protocol | None) -> SettlementRun:
        """A run that will be completed in this transaction."""
        cause = Cause.CANCELLATION if protocol is None else Cause.PROTOCOL
        number = None if protocol is None else protocol.id
        return self.add(
            SettlementRun(
                trade=trade,
                subject_id=subject,
                version=version,
                cause=cause,
                protocol_id=number,
                payable_account_id=pool.wins_account_id,
                started_at=self.at,
            )
        )

    def decide(
        self, run: SettlementRun, ticket: int, decision: str, win: int, back: int, until: datetime | None = None
    ) -> Settlement:
        """The next version of a decision on a ticket, which knows what was received before."""
        former = valid_settlement(self.session, ticket)
        ended = former and self.session.scalar(select(Ending).where(Ending.settlement_id == former.id))
        fetched = ended.amount if ended and ended.end in ("paid", "credited") else 0
        received = former.received + fetched if former else 0
        due = win + back > received
        return self.add(
            Settlement(
                ticket_id=ticket,
                version=former.version + 1 if former else 1,
                run_id=run.id,
                decision=decision,
                reverses_id=former.id if former else None,
                win=win,
                stake_back=back,
                received=received,
                payable_from=self.at if due else None,
                payable_until=until if due else None,
            )
        )

    def end(self, decided: Settlement, end: str, amount: int) -> None:
        """How a version ends."""
        self.add(Ending(settlement_id=decided.id, end=end, amount=amount, ended_at=self.at))

    def complete(self, run: SettlementRun, tickets: int, due: int) -> None:
        """The run is complete and credited; the tickets it decided show it."""
        self.add(SettlementCompletion(run_id=run.id, tickets=tickets, due=due, completed_at=self.at))
        self.add(SettlementCrediting(run_id=run.id, credited_at=self.at))
        self.show(run)

    def show(self, run: SettlementRun) -> None:
        """The states of a run's tickets follow its decisions."""
        for ticket in self.session.scalars(select(Settlement.ticket_id).where(Settlement.run_id == run.id)).all():
            self.show_last(ticket)

    def show_last(self, ticket: int) -> None:
        """The state of a ticket follows its valid decision."""
        decided = valid_settlement(self.session, ticket)
        assert decided is not None
        ended = self.session.scalar(select(Ending.end).where(Ending.settlement_id == decided.id))
        told = {"status": ended or decided.decision, "settlement_id": decided.id}
        self.session.execute(update(TicketState).where(TicketState.ticket_id == ticket).values(told))

    def credit(self, decided: Settlement, payable: int, amount: int) -> None:
        """A decision's money goes onto the game account of the ticket's player."""
        player = self.session.get_one(Ticket, decided.ticket_id).player_id
        account = self.session.get_one(Player, player).account_id
        self.end(decided, "credited", amount)
        self.move(payable, account, amount, "win_credited", decided)


def return_stakes(office: Office, code: str) -> None:
    """The event of a closed pool was not held: every stake goes back and the withdrawal with it (T-Rules 32)."""
    with transaction(office.house.sessions) as session:
        books = Books(session)
        pool = books.pool(code)
        closing = session.scalars(select(PoolClosing).where(PoolClosing.pool_id == pool.id)).one()
        run = books.run(pool, "tote", pool.id, 1, books.protocol(pool, [], "not_held"))
        revenue = books.account(Kind.WITHDRAWAL_REVENUE)
        books.move(revenue, pool.fund_account_id, closing.withdrawal, "withdrawal_returned")
        books.move(pool.fund_account_id, pool.wins_account_id, closing.stakes, "wins")
        bets = session.scalars(select(PoolBet).where(PoolBet.pool_id == pool.id).order_by(PoolBet.ticket_id)).all()
        for bet in bets:
            decided = books.decide(run, bet.ticket_id, "returned", 0, bet.stake)
            if session.get_one(Ticket, bet.ticket_id).player_id is not None:
                books.credit(decided, pool.wins_account_id, bet.stake)
        books.add(_division(pool, run, [], returned=True, wins=closing.stakes))
        books.complete(run, closing.bets, closing.stakes)


def cancel(office: Office, code: str, ticket: int) -> None:
    """The organizer cancels a bet of a settled pool, and returns its stake out of the own money (T-Rules 29, D-18)."""
    with transaction(office.house.sessions) as session:
        books = Books(session)
        pool, stake = books.pool(code), session.get_one(Ticket, ticket).stake
        breach = {"reason": "influence", "explanation": "судья матча", "cancelled_by": books.user("organizer")}
        nothing = {"from_stakes": 0, "from_withdrawal": 0, "from_fund": 0}
        books.add(
            PoolCancellation(
                ticket_id=ticket, pool_id=pool.id, stage="settled", cancelled_at=books.at, **breach, **nothing
            )
        )
        run = books.run(pool, "tote_ticket", ticket, 1, None)
        decided = books.decide(run, ticket, "cancelled", 0, stake)
        books.move(books.account(Kind.ORGANIZER), pool.wins_account_id, stake, "cancelled_stake", decided)
        books.complete(run, 1, stake)


def correct(office: Office, code: str, outcome: str, wins: dict[int, int], to_jackpot: int) -> None:
    """A settled pool is settled again by a corrected protocol (D-14): ``wins`` of its tickets, all others lose.

    What was credited too much is taken back, what was paid too much is the organizer's.
    """
    with transaction(office.house.sessions) as session:
        books = Books(session)
        pool = books.pool(code)
        former = session.scalars(
            select(SettlementRun).where(SettlementRun.subject_id == pool.id, SettlementRun.trade == "tote")
        ).one()
        number = session.get_one(Protocol, former.protocol_id).number
        run = books.run(pool, "tote", pool.id, 2, books.protocol(pool, [outcome], corrects=number))
        booked = session.scalars(
            select(Transfer.id).where(Transfer.kind == "wins", Transfer.debit_account_id == pool.fund_account_id)
        ).all()
        told = {"reason": "описка", "occurred_at": books.at, "booked_on": HOUSE.day_of(books.at)}
        reverse(session, booked, **told)
        books.move(pool.fund_account_id, pool.wins_account_id, sum(wins.values()), "wins")
        books.move(pool.fund_account_id, books.account(Kind.JACKPOT, "totolot"), to_jackpot, "to_jackpot")
        gone = select(PoolCancellation.ticket_id)
        bets = select(PoolBet.ticket_id).where(PoolBet.pool_id == pool.id, PoolBet.ticket_id.not_in(gone))
        tickets = session.scalars(bets.order_by(PoolBet.ticket_id)).all()
        for ticket in tickets:
            _decide_again(books, pool, run, ticket, wins.get(ticket, 0))
        books.add(_division(pool, run, [outcome], wins=sum(wins.values()), to_jackpot=to_jackpot))
        books.complete(run, len(tickets), sum(wins.values()))
        _end_former(books, run)


def _decide_again(books: Books, pool: Pool, run: SettlementRun, ticket: int, win: int) -> None:
    former = valid_settlement(books.session, ticket)
    assert former is not None
    decided = books.decide(run, ticket, "won" if win else "lost", win, 0, MONTHS_LATER if win else None)
    if decided.over:
        player = books.session.get_one(Ticket, ticket).player_id
        if player is None:
            books.move(books.account(Kind.ORGANIZER), pool.wins_account_id, decided.over, "overpaid", decided)
        else:
            account = books.session.get_one(Player, player).account_id
            books.move(account, pool.wins_account_id, decided.over, "win_taken_back", decided)


def _end_former(books: Books, run: SettlementRun) -> None:
    """What nobody had fetched of earlier decisions is fetched no more, once the run is complete."""
    decided, former, ended = aliased(Settlement), aliased(Settlement), aliased(Ending)
    unfetched = (
        select(former)
        .join(decided, decided.reverses_id == former.id)
        .outerjoin(ended, ended.settlement_id == former.id)
        .where(decided.run_id == run.id, ended.id.is_(None))
    )
    for replaced in books.session.scalars(unfetched.order_by(former.id)).all():
        if replaced.due:
            books.end(replaced, "reversed", 0)


def expire(office: Office, ticket: int) -> None:
    """A term is over: the win goes to the jackpot; the stake of a minus pool stays owed (T-Rules 38.2, D-21)."""
    with transaction(office.house.sessions) as session:
        books = Books(session)
        decided = valid_settlement(session, ticket)
        assert decided is not None and decided.payable_until is not None
        run = session.get_one(SettlementRun, decided.run_id)
        lapsed = decided.due - decided.stake_back
        books.at = decided.payable_until
        books.end(decided, "expired", lapsed)
        books.move(run.payable_account_id, books.account(Kind.JACKPOT, "totolot"), lapsed, "win_expired", decided)
        if decided.stake_back:
            books.decide(run, ticket, "returned", 0, decided.stake_back)
        books.show_last(ticket)


def _division(pool: Pool, run: SettlementRun, outcomes: list[str], **told: Any) -> PoolDivision:
    nothing = {"minus_pool": False, "winning_bets": 0, "winning_stake": 0, "to_jackpot": 0, "from_organizer": 0}
    return PoolDivision(run_id=run.id, pool_id=pool.id, true_outcomes=outcomes, **{**nothing, **told})


def account_of(session: Session, kind: str) -> int:
    """What all accounts of a kind hold by the ledger, debits less credits."""
    numbers = select(Account.id).where(Account.kind == kind)
    debits, credits_ = (
        session.scalar(select(func.coalesce(func.sum(Transfer.amount), 0)).where(side.in_(numbers)))
        for side in (Transfer.debit_account_id, Transfer.credit_account_id)
    )
    return int((debits or 0) - (credits_ or 0))
