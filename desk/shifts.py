"""Shifts: opened on counted cash, entered by whoever sells or pays, closed against what their transfers explain."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Integer, Row, Select, cast, func, literal, select, text
from sqlalchemy.orm import InstrumentedAttribute, Session

from db.clock import trade_time
from desk.gates import SHIFT_GATE, hold_desk, refuse_withdrawn_desk, refuse_withdrawn_terminal, stand_at, stand_in
from desk.models import Desk, Shift, ShiftClosing, Terminal
from ledger.accounts import OPERATOR, Account, Kind, open_account
from ledger.checkpoints import balance_of
from ledger.journal import Movement, Transfer, post
from ledger.money import currency, format_amount
from ledger.refusals import Refusal
from office.callers import Caller, Role
from office.operator import Operator
from office.settings.versions import value_of
from office.significant.kinds import CASH_DIFFERS, OPENING_DIFFERS, SHIFT_CLOSED_FOR_ANOTHER
from office.significant.kinds import Kind as EventKind
from office.significant.log import note
from office.significant.thresholds import SHIFT_DIFFERENCE_FROM

SHIFT_DIFFERENCE = "shift_difference"
ENTER = text("SELECT entered_at, shift_id, shift_open, cash_account_id FROM enter_shift(:terminal)")


@dataclass(frozen=True)
class OpenShift:
    """A shift one has entered: it cannot be closed before the transaction that entered it ends."""

    id: int
    cash_account_id: int
    entered_at: datetime


def enter_shift(session: Session, terminal_id: int | None) -> OpenShift:
    """Enter the open shift of a terminal's desk, so that it stays open until this transaction ends (DESIGN 3.4).

    Raises:
        Refusal: those of :func:`open_shift_of`.
    """
    gate = session.execute(ENTER, {"terminal": terminal_id}).one()
    return open_shift_of(session, terminal_id, gate)


def open_shift_of(session: Session, terminal_id: int | None, gate: Row[Any]) -> OpenShift:
    """The shift a gate showed, if it is open to the terminal.

    Raises:
        Refusal: ``terminal_withdrawn``; ``desk_withdrawn`` (T-Prov 4); ``no_open_shift``, for any other reason.
    """
    if gate.shift_id is None or gate.cash_account_id is None or not gate.shift_open:
        raise _shut(session, terminal_id)
    return OpenShift(gate.shift_id, gate.cash_account_id, gate.entered_at)


def hold_open_shift(session: Session, desk_id: int) -> int | None:
    """The open shift of a desk, kept open until this transaction ends; none when the desk is closed.

    A closed desk is kept closed: no shift opens on cash counted before this transaction's movement reached it.
    """
    hold_desk(session, desk_id)
    shift = latest_shift(session, desk_id)
    if shift is None:
        return None
    session.execute(select(func.pg_advisory_xact_lock_shared(SHIFT_GATE, cast(shift.id, Integer))))
    return None if closing_of(session, shift.id) else shift.id


def latest_shift(session: Session, desk_id: int) -> Shift | None:
    """The shift a desk is in, or was in last."""
    return session.scalar(select(Shift).where(Shift.desk_id == desk_id).order_by(Shift.id.desc()).limit(1))


def open_shift(
    session: Session,
    operator: Operator,
    terminal_id: int,
    cashier_id: int,
    counted: int,
    *,
    difference_confirmed: bool = False,
) -> Shift:
    """Open a shift at the terminal's desk on the cash the cashier counted, in minor units.

    Expected is what the desk's account holds: what was counted last, and what was carried since. A difference is asked
    about once: it may be a slip, or a movement nobody has entered. Confirmed, it is booked as the organizer's claim or
    surplus, and stays on record with the names of both cashiers (B-Prov 17).

    Raises:
        Refusal: ``terminal_withdrawn``; ``desk_withdrawn``; ``shift_already_open``; ``counted_cash_differs`` with what
            the account holds.
    """
    # Alone at the desk: two terminals must not open a shift each, nor one at a desk that leaves the register.
    desk = stand_in(session, stand_at(session, terminal_id).desk_id, alone=True)
    latest = latest_shift(session, desk.id)
    if latest is not None and closing_of(session, latest.id) is None:
        raise Refusal("shift_already_open", "На этой кассе уже открыта смена.", shift_id=latest.id)
    held = balance_of(session, desk.cash_account_id)
    if counted != held and not difference_confirmed:
        raise _counted_differs(session, desk, held)
    at = trade_time(session)
    shift = Shift(desk_id=desk.id, opened_by=cashier_id, opened_at=at, counted=counted, expected=held)
    session.add(shift)
    _book_difference(session, operator, desk, counted - held, at)
    session.flush()
    _note_difference(session, operator, OPENING_DIFFERS, shift.id, (held, counted), cashier_id)
    return shift


def close_shift(
    session: Session,
    operator: Operator,
    shift_id: int,
    closer_id: int,
    counted: int,
    *,
    unsent: int = 0,
    reason: str | None = None,
) -> ShiftClosing:
    """Close a shift: whoever is selling in it is waited for, whoever comes later is refused (DESIGN 3.4).

    ``expected`` is the opening count and every cash transfer of the shift; a difference is booked as the organizer's
    claim or surplus, so that the desk's account holds what was counted. ``unsent`` is how many bets the terminal still
    has to send: they would be refused afterwards, or fall into the next shift (FIELD-FAULTS 105). ``reason`` is why a
    supervisor closes it in a cashier's place.

    Raises:
        Refusal: ``not_found``; ``unsent_bets``; ``shift_already_closed``.
    """
    shift = session.get(Shift, shift_id)
    if shift is None:
        raise no_such_shift()
    if unsent:
        said = f"Терминал ещё не отправил ставок: {unsent}. Отправьте их или отмените до закрытия смены."
        raise Refusal("unsent_bets", said, unsent=unsent)
    at = session.scalars(select(func.shut_gate(SHIFT_GATE, shift_id))).one()
    if closing_of(session, shift_id) is not None:
        raise Refusal("shift_already_closed", "Смена уже закрыта.")
    desk = session.get_one(Desk, shift.desk_id)
    received, paid_out = cash_moved(session, desk.cash_account_id, shift_id)
    expected = shift.counted + received - paid_out
    closing = ShiftClosing(
        shift_id=shift_id, closed_by=closer_id, closed_at=at, expected=expected, counted=counted, reason=reason
    )
    session.add(closing)
    _book_difference(session, operator, desk, counted - expected, at)
    session.flush()
    _note_difference(session, operator, CASH_DIFFERS, shift_id, (expected, counted), closer_id)
    if reason is not None:
        by = Caller(Role.SUPERVISOR, user_id=closer_id)
        note(session, SHIFT_CLOSED_FOR_ANOTHER, f"shift:{shift_id}", by, opened_by=shift.opened_by, reason=reason)
    return closing


def cash_moved(session: Session, cash_account_id: int, shift_id: int) -> tuple[int, int]:
    """Cash received and cash paid out by the transfers of a shift, in minor units, kept apart (B-Prov 15)."""
    moved = received_and_paid_out(literal(cash_account_id, BigInteger)).where(Transfer.shift_id == shift_id)
    received, paid_out = session.execute(moved).one()
    return int(received), int(paid_out)


def received_and_paid_out(cash_account: ColumnElement[int] | InstrumentedAttribute[int]) -> Select[Any, Any]:
    """The sums of transfers into and out of a desk's cash, as ``received`` and ``paid_out``."""
    return select(
        func.coalesce(func.sum(Transfer.amount).filter(Transfer.debit_account_id == cash_account), 0).label("received"),
        func.coalesce(func.sum(Transfer.amount).filter(Transfer.credit_account_id == cash_account), 0).label(
            "paid_out"
        ),
    )


def closing_of(session: Session, shift_id: int) -> ShiftClosing | None:
    """How a shift ended, if it did."""
    return session.scalar(select(ShiftClosing).where(ShiftClosing.shift_id == shift_id))


def no_such_shift() -> Refusal:
    """One refusal for a shift that is not there and one of another desk."""
    return Refusal("not_found", "Такой смены нет.")


def _counted_differs(session: Session, desk: Desk, held: int) -> Refusal:
    of_desk = session.get_one(Account, desk.cash_account_id).currency
    expected = format_amount(held, currency(of_desk))
    return Refusal(
        "counted_cash_differs",
        f"По учёту в кассе {expected}: пересчитайте наличные, внесите недостающее движение денег или подтвердите "
        "расхождение.",
        expected=expected,
    )


def _shut(session: Session, terminal_id: int | None) -> Refusal:
    """Why a terminal found no open shift; what withdrew it was final before the gate let anybody look."""
    if terminal_id is not None:
        refuse_withdrawn_terminal(session, terminal_id)
        refuse_withdrawn_desk(session, session.get_one(Terminal, terminal_id).desk_id)
    return Refusal("no_open_shift", "Смена не открыта: откройте смену и повторите.")


def _book_difference(session: Session, operator: Operator, desk: Desk, difference: int, at: datetime) -> None:
    claims = open_account(session, Kind.CLAIMS, OPERATOR, operator.currency)
    cash = desk.cash_account_id
    debit, credit = (cash, claims) if difference > 0 else (claims, cash)
    movement = Movement(debit, credit, abs(difference), SHIFT_DIFFERENCE)
    post(session, [movement], currency=operator.currency, occurred_at=at, booked_on=operator.day_of(at))


def _note_difference(
    session: Session, operator: Operator, kind: EventKind, shift_id: int, counts: tuple[int, int], user_id: int
) -> None:
    """Write down a difference that is worth it, signed: less than nothing is cash that is missing (INDUSTRY)."""
    expected, counted = counts
    if abs(counted - expected) >= value_of(session, SHIFT_DIFFERENCE_FROM):
        by, money = Caller(Role.CASHIER, user_id=user_id), currency(operator.currency)
        amounts = {"difference": counted - expected, "expected": expected, "counted": counted}
        told = {name: format_amount(amount, money) for name, amount in amounts.items()}
        note(session, kind, f"shift:{shift_id}", by, **told, currency=operator.currency)
