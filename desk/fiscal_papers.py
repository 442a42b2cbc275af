"""What the cash register printed: a payout's fiscal receipt, a shift's fiscal report (annex to T-Prov; B-Prov 17).

The register is a machine of its own: its numbers are entered afterwards, each as a row of its own. A wrong one is
corrected by a later row with its reason, and the first stays readable.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint, func, select
from sqlalchemy.orm import Mapped, Session, aliased, mapped_column

from db.base import Fact
from db.clock import trade_time
from desk.models import Desk, Payout, Shift
from desk.shifts import closing_of, no_such_shift
from ledger.refusals import Refusal
from office.callers import Caller
from office.significant.kinds import RECEIPT_CORRECTED
from office.significant.log import note


class PayoutReceipt(Fact):
    """The fiscal receipt of a cash payout and the serial number of the register that printed it; the last holds."""

    __tablename__ = "payout_receipts"
    __table_args__ = (
        UniqueConstraint("payout_id", "version"),
        CheckConstraint("(version = 1) = (reason IS NULL)", name="corrected_for_a_reason"),
        Index("ix_payout_receipts_cash_register_number", "cash_register", "number"),
    )

    payout_id: Mapped[int] = mapped_column(ForeignKey("payouts.id"))
    version: Mapped[int]
    number: Mapped[str]
    cash_register: Mapped[str]
    reason: Mapped[str | None]
    entered_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    entered_at: Mapped[datetime]


class FiscalReport(Fact):
    """The fiscal report that ended the register's day, attached to the shift's closing report; the last holds."""

    __tablename__ = "fiscal_reports"
    __table_args__ = (
        UniqueConstraint("shift_id", "version"),
        CheckConstraint("(version = 1) = (reason IS NULL)", name="corrected_for_a_reason"),
        Index("ix_fiscal_reports_cash_register_number", "cash_register", "number"),
    )

    shift_id: Mapped[int] = mapped_column(ForeignKey("shifts.id"))
    version: Mapped[int]
    number: Mapped[str]
    cash_register: Mapped[str]
    reason: Mapped[str | None]
    entered_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    entered_at: Mapped[datetime]


Paper = TypeVar("Paper", PayoutReceipt, FiscalReport)


@dataclass(frozen=True)
class Printed:
    """What stands on the paper: its number and the register's serial number; ``reason`` where it corrects another."""

    number: str
    cash_register: str | None = None
    reason: str | None = None


def enter_receipt(session: Session, payout_number: int, printed: Printed, by: Caller) -> PayoutReceipt:
    """Enter the fiscal receipt of a line of the journal; the register is the desk's own unless another is named.

    Raises:
        Refusal: ``not_found``, no such line; those of :func:`_entered`.
    """
    payout = session.scalar(select(Payout).where(Payout.number == payout_number))
    if payout is None:
        raise Refusal("not_found", "Строки журнала с таким номером нет.")
    _hold(session, f"receipt of {payout.id}")
    last = receipt_of(session, payout.id)
    entered = _entered(session, PayoutReceipt, last, printed, payout.shift_id, by)
    if entered is last:
        return entered
    entered.payout_id = payout.id
    session.add(entered)
    session.flush()
    _note_correction(session, f"payout:{payout.number}", last, entered, by)
    return entered


def enter_fiscal_report(session: Session, shift_id: int, printed: Printed, by: Caller) -> FiscalReport:
    """Enter the fiscal report of a closed shift.

    Raises:
        Refusal: ``not_found``; ``shift_still_open``, close the shift first; those of :func:`_entered`.
    """
    if session.get(Shift, shift_id) is None:
        raise no_such_shift()
    if closing_of(session, shift_id) is None:
        raise still_open(shift_id)
    _hold(session, f"fiscal report of {shift_id}")
    last = fiscal_report_of(session, shift_id)
    entered = _entered(session, FiscalReport, last, printed, shift_id, by)
    if entered is last:
        return entered
    entered.shift_id = shift_id
    session.add(entered)
    session.flush()
    _note_correction(session, f"shift:{shift_id}", last, entered, by)
    return entered


def receipt_of(session: Session, payout_id: int) -> PayoutReceipt | None:
    """The receipt that holds for a payout, or none while nobody entered one."""
    of = select(PayoutReceipt).where(PayoutReceipt.payout_id == payout_id)
    return session.scalar(of.order_by(PayoutReceipt.version.desc()).limit(1))


def fiscal_report_of(session: Session, shift_id: int) -> FiscalReport | None:
    """The fiscal report that holds for a shift, or none while nobody entered one."""
    of = select(FiscalReport).where(FiscalReport.shift_id == shift_id)
    return session.scalar(of.order_by(FiscalReport.version.desc()).limit(1))


def receipts_missing(session: Session, shift_id: int) -> list[int]:
    """The journal's numbers of a shift's payouts without a fiscal receipt, in their order."""
    known = select(PayoutReceipt.id).where(PayoutReceipt.payout_id == Payout.id).exists()
    missing = select(Payout.number).where(Payout.shift_id == shift_id, ~known).order_by(Payout.number)
    return list(session.scalars(missing))


def still_open(shift_id: int) -> Refusal:
    """What of a closed shift is asked for while it is open."""
    return Refusal("shift_still_open", "Смена ещё открыта: сначала закройте её.", shift_id=shift_id)


def _entered(
    session: Session, model: type[Paper], last: Paper | None, printed: Printed, shift_id: int, by: Caller
) -> Paper:
    """The row to be written, without its subject yet; the last one where it says the same (a repeated request).

    Raises:
        Refusal: ``fiscal_number_entered``, another number is on record: a correction needs its reason;
            ``nothing_to_correct``, none is; ``fiscal_number_taken``, this register's number belongs to another paper.
    """
    assert by.user_id is not None, "a user of the office enters what a register printed"
    register = printed.cash_register or _register_of(session, shift_id)
    if last is not None and (last.number, last.cash_register) == (printed.number, register):
        return last
    if last is not None and printed.reason is None:
        said = f"Уже внесён номер {last.number}: чтобы исправить, укажите причину."
        raise Refusal("fiscal_number_entered", said, number=last.number)
    if last is None and printed.reason is not None:
        raise Refusal("nothing_to_correct", "Номер ещё не внесён: внесите его без причины исправления.")
    _refuse_taken(session, model, printed.number, register)
    return model(
        version=1 if last is None else last.version + 1,
        number=printed.number,
        cash_register=register,
        reason=printed.reason,
        entered_by=by.user_id,
        entered_at=trade_time(session),
    )


def _refuse_taken(session: Session, model: type[Paper], number: str, register: str) -> None:
    """One number of a register is one paper, unless it was entered for another by mistake and corrected there."""
    _hold(session, f"{model.__tablename__} {register} {number}")
    later, subject = aliased(model), "payout_id" if model is PayoutReceipt else "shift_id"
    corrected = select(later.id).where(
        getattr(later, subject) == getattr(model, subject), later.version > model.version
    )
    same = select(model.id).where(model.cash_register == register, model.number == number, ~corrected.exists())
    if session.scalar(same.limit(1)) is not None:
        raise Refusal("fiscal_number_taken", f"Номер {number} этого кассового аппарата уже внесён.", field="number")


def _register_of(session: Session, shift_id: int) -> str:
    registers = select(Desk.cash_register).join(Shift, Shift.desk_id == Desk.id).where(Shift.id == shift_id)
    return session.scalars(registers).one()


def _hold(session: Session, what: str) -> None:
    session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(what, 0))))


def _note_correction(session: Session, subject: str, last: Paper | None, entered: Paper, by: Caller) -> None:
    if last is not None:
        told = {"was": last.number, "is": entered.number, "register": entered.cash_register}
        note(session, RECEIPT_CORRECTED, subject, by, **told, reason=entered.reason)
