"""Paying a winning ticket in cash: the ticket and an identity document, one line in the journal (T-Prov 14, 22-24)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from desk.models import Payout
from desk.places import hold_enough
from desk.shifts import enter_shift
from ledger.journal import Movement, post
from ledger.money import currency, format_amount
from ledger.refusals import Refusal
from ledger.settlements import Decision, End, Ending, Settlement, SettlementRun, ending_of, valid_settlement
from ledger.tickets import Status, Ticket, TicketState, find, lock_state
from office.callers import Caller
from office.numbers import next_number
from office.operator import Operator
from office.settings.versions import value_of
from office.significant.kinds import LARGE_WIN
from office.significant.log import note
from office.significant.thresholds import LARGE_WIN_FROM

PAYOUTS = "payouts"
PAYOUT = "payout"
INSTANT = timedelta(microseconds=1)


@dataclass(frozen=True)
class Due:
    """What a ticket is due at this moment: its locked state, the settlement that says so, the amount, who owes it."""

    ticket: Ticket
    state: TicketState
    settlement: Settlement
    amount: int
    payable_account_id: int


def pay(session: Session, operator: Operator, code_digest: bytes, person_version_id: int, caller: Caller) -> Payout:
    """Pay a ticket in cash at the caller's terminal and write the journal's line.

    The ticket's state is locked first, so that of two desks at once exactly one pays.

    Raises:
        Refusal: ``no_open_shift``, every reason of :func:`due_now`, ``not_enough_money`` in the till.
    """
    assert caller.terminal_id is not None and caller.user_id is not None, "only a cashier at a terminal pays"
    shift = enter_shift(session, caller.terminal_id)
    due = due_now(session, operator, code_digest, shift.entered_at)
    amount = due.amount
    hold_enough(session, shift.cash_account_id, amount, due.ticket.currency)
    session.add(Ending(settlement_id=due.settlement.id, end=End.PAID, amount=amount, ended_at=shift.entered_at))
    movement = Movement(
        debit=due.payable_account_id,
        credit=shift.cash_account_id,
        amount=amount,
        kind=PAYOUT,
        ticket_id=due.ticket.id,
        settlement_id=due.settlement.id,
        shift_id=shift.id,
    )
    booked_on = operator.day_of(shift.entered_at)
    post(session, [movement], currency=due.ticket.currency, occurred_at=shift.entered_at, booked_on=booked_on)
    due.state.status, due.state.settlement_id = Status.PAID, due.settlement.id
    payout = Payout(
        settlement_id=due.settlement.id,
        amount=amount,
        person_version_id=person_version_id,
        shift_id=shift.id,
        cashier_id=caller.user_id,
        paid_at=shift.entered_at,
        number=next_number(session, PAYOUTS),
    )
    session.add(payout)
    session.flush()
    _note_if_large(session, due, caller)
    return payout


def _note_if_large(session: Session, due: Due, by: Caller) -> None:
    """Write a large win down as it is paid (INDUSTRY); a stake that goes back with it is no win."""
    win = due.amount - due.settlement.stake_back
    if win >= value_of(session, LARGE_WIN_FROM):
        paid = format_amount(win, currency(due.ticket.currency))
        note(session, LARGE_WIN, f"ticket:{due.ticket.id}", by, win=paid, currency=due.ticket.currency, end=PAYOUT)


def due_now(session: Session, operator: Operator, code_digest: bytes, at: datetime) -> Due:
    """What the ticket with this code is due at an instant; its state is locked until the transaction ends.

    The ticket, the register and the settlement made from the protocol are compared here (T-Rules 13, T-Prov 14).

    Raises:
        Refusal: ``ticket_not_found``; ``ticket_is_online``, its win goes to the game account (D-17); ``not_settled``;
            ``ticket_lost``; ``already_paid`` with the instant; ``not_payable_yet`` and ``payment_term_over`` with it.
    """
    ticket = find(session, code_digest)
    if ticket is None:
        raise Refusal("ticket_not_found", "Билет с таким кодом не найден.")
    if ticket.player_id is not None:
        raise Refusal("ticket_is_online", "Ставка сделана с игрового счёта: выигрыш зачисляется на него.")
    state = lock_state(session, ticket.id)
    settlement = valid_settlement(session, ticket.id)
    if settlement is None:
        raise Refusal("not_settled", "Пари по билету ещё не рассчитано.")
    if settlement.decision == Decision.LOST or settlement.payable_from is None:
        raise Refusal("ticket_lost", "По билету ничего не причитается.")
    amount = amount_due(session, operator, settlement, at)
    run = session.get_one(SettlementRun, settlement.run_id)
    return Due(ticket, state, settlement, amount, run.payable_account_id)


def amount_due(session: Session, operator: Operator, settlement: Settlement, at: datetime) -> int:
    """What is paid for a settlement at an instant, in minor units; the desk computes the term itself.

    A win is paid once, from the next day, within its term (T-Rules 40, D-1). A stake that is given back does not lapse:
    after the term it is paid alone (D-21), and the lapsed win stays on the books as unclaimed.
    """
    ended = ending_of(session, settlement.id)
    if ended is not None:
        said = f"По билету уже выплачено {operator.day_of(ended.ended_at):%d.%m.%Y}."
        raise Refusal("already_paid", said, end=ended.end, ended_at=ended.ended_at.isoformat())
    starts, ends = settlement.payable_from, settlement.payable_until
    if starts is not None and at < starts:
        said = f"Выплата начнётся {operator.day_of(starts):%d.%m.%Y}."
        raise Refusal("not_payable_yet", said, payable_from=starts.isoformat())
    if ends is None or at < ends:
        return settlement.win + settlement.stake_back
    if settlement.stake_back == 0:
        said = f"Последним днём выплаты было {operator.day_of(ends - INSTANT):%d.%m.%Y}."
        raise Refusal("payment_term_over", said, payable_until=ends.isoformat())
    return settlement.stake_back
