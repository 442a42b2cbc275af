"""Paying a winning ticket in cash: the ticket and an identity document, one line in the journal (T-Prov 14, 22-24)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from desk.models import CodeEntry, Payout
from desk.places import hold_enough
from desk.second_person import Presented, approval_for, put_before_second_person
from desk.shifts import OpenShift, enter_shift
from ledger.holds import enter_payouts, enter_ticket
from ledger.journal import Movement, post
from ledger.money import currency, format_amount
from ledger.refusals import Refusal
from ledger.settlements import End, Ending, Settlement, SettlementRun, ending_of, valid_settlement
from ledger.terms import deadline_of
from ledger.tickets import Status, Ticket, TicketState, find, lock_state
from office.approvals.models import Proposal
from office.callers import Caller
from office.gate import enter_house
from office.numbers import next_number
from office.operator import Operator
from office.settings.versions import value_of
from office.significant.kinds import LARGE_WIN, PAYOUT_TYPED
from office.significant.log import note
from office.significant.thresholds import LARGE_WIN_FROM

PAYOUTS = "payouts"
PAYOUT = "payout"
INSTANT = timedelta(microseconds=1)

Lapse = Callable[[Session, Operator, Settlement, datetime], Settlement]
"""How a trade lets a win lapse at the end of its term: what is owed from then on. A desk knows no trade."""


@dataclass(frozen=True)
class Due:
    """What a ticket is due at this moment: its locked state, the settlement that says so, the amount, who owes it.

    ``lapsed_at`` is the end of the win's term where that is over and a stake is due alone (D-21).
    """

    ticket: Ticket
    state: TicketState
    settlement: Settlement
    amount: int
    payable_account_id: int
    lapsed_at: datetime | None = None


def pay(session: Session, operator: Operator, presented: Presented, caller: Caller, lapse: Lapse) -> Payout:
    """Pay a ticket in cash at the caller's terminal and write the journal's line.

    The ticket's state is locked first, so that of two desks at once exactly one pays. What is due is reckoned now,
    whatever was due when a second person approved it. Behind the house's gate no setting changes any more, so that the
    limits it goes by are those that hold at its instant, by which the audit judges it.

    Raises:
        Refusal: every reason of :func:`desk.shifts.open_shift_of` and of :func:`due_now`; ``second_person_needed`` and
            what may be wrong with an approval (:func:`desk.second_person.approval_for`); ``not_enough_money`` in the
            till.
    """
    assert caller.terminal_id is not None and caller.user_id is not None, "only a cashier at a terminal pays"
    enter_house(session)
    shift = enter_shift(session, caller.terminal_id)
    due = _after_lapse(session, operator, due_now(session, operator, presented.code_digest, shift.entered_at), lapse)
    amount, money = due.amount, due.ticket.currency
    approval = approval_for(session, due.settlement, amount, money, presented, caller, shift.entered_at)
    hold_enough(session, shift.cash_account_id, amount, money)
    _move(session, operator, due, shift)
    payout = Payout(
        settlement_id=due.settlement.id,
        amount=amount,
        person_version_id=presented.person_version_id,
        shift_id=shift.id,
        cashier_id=caller.user_id,
        paid_at=shift.entered_at,
        code_entry=presented.entry,
        approval_id=approval.id if approval else None,
        approved_by=approval.by if approval else None,
        number=next_number(session, PAYOUTS),
    )
    session.add(payout)
    session.flush()
    _note(session, payout, due, caller)
    return payout


def propose_payout(
    session: Session, operator: Operator, presented: Presented, caller: Caller, reason: str, lapse: Lapse
) -> Proposal:
    """Put a payout before a second person: what the ticket is due now, to whom, by a code that came this way.

    Nothing is paid and nothing is held for it; a ticket that is paid meanwhile is refused when it is presented.

    Raises:
        Refusal: ``no_open_shift``, every reason of :func:`due_now`.
    """
    assert caller.terminal_id is not None, "only a cashier at a terminal pays"
    shift = enter_shift(session, caller.terminal_id)
    due = _after_lapse(session, operator, due_now(session, operator, presented.code_digest, shift.entered_at), lapse)
    return put_before_second_person(session, due.settlement, due.amount, due.ticket.currency, presented, caller, reason)


def due_now(session: Session, operator: Operator, code_digest: bytes, at: datetime) -> Due:
    """What the ticket with this code is due at an instant; its state is locked until the transaction ends.

    The ticket, the register and the settlement made from the protocol are compared here (T-Rules 13, T-Prov 14). A win
    is paid once, from the next day, within its term (T-Rules 40, D-1), which the desk computes itself; a stake that is
    given back does not lapse: after the term it is due alone (D-21).

    Raises:
        Refusal: ``ticket_not_found``; ``ticket_is_online``, its win goes to the game account (D-17); ``not_settled``;
            ``payout_held`` and ``settlement_under_way``; ``ticket_lost``; ``already_paid`` with the instant;
            ``not_payable_yet`` and ``payment_term_over`` with it.
    """
    ticket = find(session, code_digest)
    if ticket is None:
        raise Refusal("ticket_not_found", "Билет с таким кодом не найден.")
    if ticket.player_id is not None:
        raise Refusal("ticket_is_online", "Ставка сделана с игрового счёта: выигрыш зачисляется на него.")
    _enter_payouts_of(session, ticket)
    state = lock_state(session, ticket.id)
    settlement, run = _decided(session, ticket)
    ended = ending_of(session, settlement.id)
    if ended is not None:
        raise _has_ended(operator, ended)
    if settlement.win + settlement.stake_back == 0:
        raise Refusal("ticket_lost", "По билету ничего не причитается.")
    starts, ends = settlement.payable_from, deadline_of(session, settlement)
    if starts is None:
        # What earlier decisions paid is not paid again (D-14), and its ending is not written before the crediting.
        raise Refusal("already_paid", "Всё, что причитается по билету, уже выплачено по прежнему протоколу.")
    if at < starts:
        said = f"Выплата начнётся {operator.day_of(starts):%d.%m.%Y}."
        raise Refusal("not_payable_yet", said, payable_from=starts.isoformat())
    due = Due(ticket, state, settlement, settlement.due, run.payable_account_id)
    return due if ends is None or at < ends else _without_win(operator, due, ends)


def _without_win(operator: Operator, due: Due, ends: datetime) -> Due:
    """What is left of a ticket's due when the term of its win is over: a stake given back, which never lapses (D-21).

    Whoever is paid it has the lapse of the win booked first, whether the sweep has come or not.
    """
    stake = due.settlement.stake_due
    if stake == 0:
        raise _term_over(operator, ends)
    return replace(due, amount=stake, lapsed_at=ends)


def _after_lapse(session: Session, operator: Operator, due: Due, lapse: Lapse) -> Due:
    """The same due by the version that owes the stake alone, if the win beside it has lapsed."""
    if due.lapsed_at is None:
        return due
    return replace(due, settlement=lapse(session, operator, due.settlement, due.lapsed_at), lapsed_at=None)


def _has_ended(operator: Operator, ended: Ending) -> Refusal:
    """Why nothing is due any more: it was fetched, or it lapsed and the sweep has booked that."""
    if ended.end == End.EXPIRED:
        return _term_over(operator, ended.ended_at)
    said = f"По билету уже выплачено {operator.day_of(ended.ended_at):%d.%m.%Y}."
    return Refusal("already_paid", said, end=ended.end, ended_at=ended.ended_at.isoformat())


def _term_over(operator: Operator, ends: datetime) -> Refusal:
    said = f"Последним днём выплаты было {operator.day_of(ends - INSTANT):%d.%m.%Y}."
    return Refusal("payment_term_over", said, payable_until=ends.isoformat())


def _enter_payouts_of(session: Session, ticket: Ticket) -> None:
    """Enter the payouts of the ticket's pool, before its state is locked; the pool is the same in every version.

    A ticket that was cancelled has a run of its own: its stake is owed whatever is in doubt about the pool's wins.
    """
    _, run = _decided(session, ticket)
    enter_payouts(session, run.trade, run.subject_id)
    enter_ticket(session, run.trade, ticket.id)


def _decided(session: Session, ticket: Ticket) -> tuple[Settlement, SettlementRun]:
    settlement = valid_settlement(session, ticket.id)
    if settlement is None:
        raise Refusal("not_settled", "Пари по билету ещё не рассчитано.")
    return settlement, session.get_one(SettlementRun, settlement.run_id)


def _move(session: Session, operator: Operator, due: Due, shift: OpenShift) -> None:
    """The ticket's ending, its money from the wins payable out of the till, its state."""
    at = shift.entered_at
    session.add(Ending(settlement_id=due.settlement.id, end=End.PAID, amount=due.amount, ended_at=at))
    movement = Movement(
        debit=due.payable_account_id,
        credit=shift.cash_account_id,
        amount=due.amount,
        kind=PAYOUT,
        ticket_id=due.ticket.id,
        settlement_id=due.settlement.id,
        shift_id=shift.id,
    )
    post(session, [movement], currency=due.ticket.currency, occurred_at=at, booked_on=operator.day_of(at))
    due.state.status, due.state.settlement_id = Status.PAID, due.settlement.id


def _note(session: Session, payout: Payout, due: Due, by: Caller) -> None:
    """What a regulator looks for among payouts: codes typed by hand, and large wins (INDUSTRY: significant events).

    A stake that goes back with a win is no win.
    """
    money = currency(due.ticket.currency)
    if payout.code_entry == CodeEntry.TYPED:
        told = {"amount": format_amount(payout.amount, money), "approval": payout.approval_id}
        note(session, PAYOUT_TYPED, f"payout:{payout.number}", by, **told)
    win = payout.amount - due.settlement.stake_due
    if win >= value_of(session, LARGE_WIN_FROM, payout.paid_at):
        told = {"win": format_amount(win, money), "currency": due.ticket.currency, "end": PAYOUT}
        note(session, LARGE_WIN, f"ticket:{due.ticket.id}", by, **told)
