"""Desks, their terminals and shifts: registering, opening on counted cash, closing against what transfers explain."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Function, Integer, cast, func, select, text
from sqlalchemy.orm import Session

from db.clock import trade_time
from desk.models import Desk, Shift, ShiftClosing, Terminal
from ledger.accounts import OPERATOR, Account, Kind, open_account
from ledger.checkpoints import balance_of
from ledger.journal import Movement, Transfer, post
from ledger.money import currency, format_amount
from ledger.refusals import Refusal
from office.callers import Caller, Role
from office.operator import Operator
from office.settings.versions import value_of
from office.significant.kinds import CASH_DIFFERS
from office.significant.log import note
from office.significant.thresholds import SHIFT_DIFFERENCE_FROM

SHIFT_GATE = 2
SHIFT_DIFFERENCE = "shift_difference"
ENTER = text("SELECT entered_at, shift_id, shift_open, cash_account_id FROM enter_shift(:terminal)")


@dataclass(frozen=True)
class OpenShift:
    """A shift one has entered: it cannot be closed before the transaction that entered it ends."""

    id: int
    cash_account_id: int
    entered_at: datetime


def register_desk(session: Session, desk: Desk, currency: str) -> Desk:
    """Register a desk with its tax certificate (T-Prov 4) and open its cash account.

    Raises:
        Refusal: ``code_taken``.
    """
    if session.scalar(select(Desk.id).where(Desk.code == desk.code)) is not None:
        raise Refusal("code_taken", "Касса с таким кодом уже зарегистрирована.", field="code")
    desk.cash_account_id = open_account(session, Kind.CASH, f"desk:{desk.code}", currency)
    session.add(desk)
    session.flush()
    return desk


def install_terminal(session: Session, desk_id: int, code: str, secret: str) -> Terminal:
    """Put a terminal at a desk; its secret is kept as a hash.

    Raises:
        Refusal: ``not_found``, no such desk; ``code_taken``.
    """
    if session.get(Desk, desk_id) is None:
        raise Refusal("not_found", "Такой кассы нет.")
    if session.scalar(select(Terminal.id).where(Terminal.code == code)) is not None:
        raise Refusal("code_taken", "Терминал с таким кодом уже установлен.", field="code")
    terminal = Terminal(desk_id=desk_id, code=code, secret_digest=_digest(secret))
    session.add(terminal)
    session.flush()
    return terminal


def prove_terminal(session: Session, code: str, secret: str) -> int:
    """The id of the terminal that knows its secret.

    Raises:
        Refusal: ``unknown_terminal``, whichever of the two is wrong.
    """
    terminal = session.scalar(select(Terminal).where(Terminal.code == code))
    expected = terminal.secret_digest if terminal else _digest("")
    if not hmac.compare_digest(expected, _digest(secret)) or terminal is None:
        raise Refusal("unknown_terminal", "Терминал не опознан: проверьте его код и ключ.")
    return terminal.id


def enter_shift(session: Session, terminal_id: int | None) -> OpenShift:
    """Enter the open shift of a terminal's desk, so that it stays open until this transaction ends (DESIGN 3.4).

    Raises:
        Refusal: ``no_open_shift``.
    """
    gate = session.execute(ENTER, {"terminal": terminal_id}).one()
    return open_shift_of(gate.shift_id, gate.shift_open, gate.cash_account_id, gate.entered_at)


def open_shift_of(shift_id: int | None, is_open: bool, cash_account_id: int | None, entered_at: datetime) -> OpenShift:
    """The shift a gate showed, if it is open."""
    if shift_id is None or cash_account_id is None or not is_open:
        raise Refusal("no_open_shift", "Смена не открыта: откройте смену и повторите.")
    return OpenShift(shift_id, cash_account_id, entered_at)


def hold_open_shift(session: Session, desk_id: int) -> int | None:
    """The open shift of a desk, kept open until this transaction ends; none when the desk is closed.

    A closed desk is kept closed: no shift opens on cash counted before this transaction's movement reached it.
    """
    session.execute(select(func.pg_advisory_xact_lock_shared(_desk_lock(desk_id))))
    shift_id = session.scalar(select(Shift.id).where(Shift.desk_id == desk_id).order_by(Shift.id.desc()).limit(1))
    if shift_id is None:
        return None
    session.execute(select(func.pg_advisory_xact_lock_shared(SHIFT_GATE, cast(shift_id, Integer))))
    return None if closing_of(session, shift_id) else shift_id


def open_shift(session: Session, terminal_id: int, cashier_id: int, counted: int) -> Shift:
    """Open a shift at the terminal's desk on the cash the cashier counted, in minor units.

    The cash must be what the desk's account holds: a difference belongs to the shift that was closed, or to a cash
    movement that has not been entered.

    Raises:
        Refusal: ``shift_already_open``; ``counted_cash_differs`` with what the account holds.
    """
    desk = session.scalars(select(Desk).join(Terminal).where(Terminal.id == terminal_id)).one()
    # The desk's own lock: two terminals of a desk must not open a shift each.
    session.execute(select(func.pg_advisory_xact_lock(_desk_lock(desk.id))))
    latest = session.scalar(select(Shift).where(Shift.desk_id == desk.id).order_by(Shift.id.desc()).limit(1))
    if latest is not None and closing_of(session, latest.id) is None:
        raise Refusal("shift_already_open", "На этой кассе уже открыта смена.", shift_id=latest.id)
    held = balance_of(session, desk.cash_account_id)
    if counted != held:
        of_desk = session.get_one(Account, desk.cash_account_id).currency
        expected = format_amount(held, currency(of_desk))
        raise Refusal(
            "counted_cash_differs",
            f"По учёту в кассе {expected}: пересчитайте наличные или внесите недостающее движение денег.",
            expected=expected,
        )
    shift = Shift(desk_id=desk.id, opened_by=cashier_id, opened_at=trade_time(session), counted=counted)
    session.add(shift)
    session.flush()
    return shift


def close_shift(session: Session, operator: Operator, shift_id: int, cashier_id: int, counted: int) -> ShiftClosing:
    """Close a shift: whoever is selling in it is waited for, whoever comes later is refused (DESIGN 3.4).

    ``expected`` is the opening count and every cash transfer of the shift; a difference is booked as the organizer's
    claim or surplus, so that the desk's account holds what was counted.

    Raises:
        Refusal: ``not_found``; ``shift_already_closed``.
    """
    shift = session.get(Shift, shift_id)
    if shift is None:
        raise Refusal("not_found", "Такой смены нет.")
    at = session.scalars(select(func.shut_gate(SHIFT_GATE, shift_id))).one()
    if closing_of(session, shift_id) is not None:
        raise Refusal("shift_already_closed", "Смена уже закрыта.")
    desk = session.get_one(Desk, shift.desk_id)
    received, paid_out = cash_moved(session, desk.cash_account_id, shift_id)
    expected = shift.counted + received - paid_out
    closing = ShiftClosing(shift_id=shift_id, closed_by=cashier_id, closed_at=at, expected=expected, counted=counted)
    session.add(closing)
    _book_difference(session, operator, desk, counted - expected, at)
    session.flush()
    _note_difference(session, operator, closing)
    return closing


def cash_moved(session: Session, cash_account_id: int, shift_id: int) -> tuple[int, int]:
    """Cash received and cash paid out by the transfers of a shift, in minor units, kept apart (B-Prov 15)."""
    received, paid_out = session.execute(
        select(
            func.coalesce(func.sum(Transfer.amount).filter(Transfer.debit_account_id == cash_account_id), 0),
            func.coalesce(func.sum(Transfer.amount).filter(Transfer.credit_account_id == cash_account_id), 0),
        ).where(Transfer.shift_id == shift_id)
    ).one()
    return int(received), int(paid_out)


def closing_of(session: Session, shift_id: int) -> ShiftClosing | None:
    """How a shift ended, if it did."""
    return session.scalar(select(ShiftClosing).where(ShiftClosing.shift_id == shift_id))


def _book_difference(session: Session, operator: Operator, desk: Desk, difference: int, at: datetime) -> None:
    claims = open_account(session, Kind.CLAIMS, OPERATOR, operator.currency)
    cash = desk.cash_account_id
    debit, credit = (cash, claims) if difference > 0 else (claims, cash)
    movement = Movement(debit, credit, abs(difference), SHIFT_DIFFERENCE)
    post(session, [movement], currency=operator.currency, occurred_at=at, booked_on=operator.day_of(at))


def _note_difference(session: Session, operator: Operator, closing: ShiftClosing) -> None:
    """Write down a difference that is worth it, signed: less than nothing is cash that is missing (INDUSTRY)."""
    difference = closing.counted - closing.expected
    if abs(difference) >= value_of(session, SHIFT_DIFFERENCE_FROM):
        by, money = Caller(Role.CASHIER, user_id=closing.closed_by), currency(operator.currency)
        amounts = {"difference": difference, "expected": closing.expected, "counted": closing.counted}
        told = {name: format_amount(amount, money) for name, amount in amounts.items()}
        note(session, CASH_DIFFERS, f"shift:{closing.shift_id}", by, **told, currency=operator.currency)


def _desk_lock(desk_id: int) -> Function[int]:
    return func.hashtextextended(f"desk:{desk_id}", 0)


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8")).digest()
