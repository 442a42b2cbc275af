"""The report of a shift on paper: cash accepted and cash paid out kept apart, expected against counted (B-Prov 15)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from desk.models import Desk
from documents.csv import Cell
from documents.form import Form, Grid, Pairs, Section, Signatures
from documents.table import Column, Kind, instant_text
from ledger.journal import Transfer
from office.operator import Operator
from office.users import User
from reports.papers.words import amount, amount_text, heading
from reports.shifts import ShiftSheet, shift_sheet

KINDS = {
    "stake": "Ставки наличными",
    "deposit": "Внесено на игровые счета",
    "payout": "Выплаты по билетам",
    "desk_float": "Получено из банка",
    "collection": "Сдано в банк",
    "shift_difference": "Расхождение при закрытии",
}
"""How movements of cash are called on paper; one that is not here goes by its code."""
COLUMNS = (
    Column("Вид движения", width=4),
    Column("Операций", Kind.NUMBER, width=1.2),
    Column("Сумма", Kind.MONEY, width=2),
)


@dataclass(frozen=True)
class CashSection:
    """One of the two sections of the register: what was accepted, or paid out, by kind, in minor units."""

    title: str
    lines: Sequence[tuple[str, int, int]]


@dataclass(frozen=True)
class ShiftReport:
    """A shift with its desk, its cashier and the movements of its cash."""

    sheet: ShiftSheet
    desk: Desk
    opened_by: str
    sections: Sequence[CashSection]


def shift_report(session: Session, shift_id: int) -> ShiftReport:
    """The report of a shift, open or closed.

    Raises:
        Refusal: ``not_found``.
    """
    sheet = shift_sheet(session, shift_id)
    desk = session.get_one(Desk, sheet.desk_id)
    sections = (
        CashSection("Принято", _moved(session, shift_id, Transfer.debit_account_id == desk.cash_account_id)),
        CashSection("Выдано", _moved(session, shift_id, Transfer.credit_account_id == desk.cash_account_id)),
    )
    return ShiftReport(sheet, desk, session.get_one(User, sheet.opened_by).name, sections)


def shift_report_form(report: ShiftReport, operator: Operator, made_at: datetime) -> Form:
    """The report as it is signed and kept with the fiscal report (B-Prov 15, 17)."""
    sheet, money = report.sheet, operator.currency
    opened = _clock(sheet.opened_at, operator)
    closed = "(смена не закрыта)" if sheet.closed_at is None else f"по {_clock(sheet.closed_at, operator)}"
    tables = [part for section in report.sections for part in (Section(section.title), _table(section, money))]
    return Form(
        heading(operator, f"Сменный отчёт № {sheet.id}, касса {report.desk.code}", made_at, f"с {opened} {closed}"),
        (
            Pairs(
                (
                    ("Касса", f"{report.desk.code}, {report.desk.place}"),
                    ("Заводской номер аппарата", report.desk.cash_register),
                    ("Смену открыл", report.opened_by),
                )
            ),
            *tables,
            Section("Наличные"),
            Pairs(tuple((name, _shown(value, money)) for name, value in _cash(sheet))),
            Signatures((("Кассир", report.opened_by), ("Старший кассир", ""), ("Бухгалтер", ""))),
        ),
    )


def _clock(instant: datetime, operator: Operator) -> str:
    return instant_text(instant.astimezone(operator.zone_at(instant)))


def _moved(session: Session, shift_id: int, side: ColumnElement[bool]) -> list[tuple[str, int, int]]:
    kind: InstrumentedAttribute[str] = Transfer.kind
    sums = select(kind, func.count(), func.sum(Transfer.amount)).where(Transfer.shift_id == shift_id, side)
    return [(name, count, int(total)) for name, count, total in session.execute(sums.group_by(kind).order_by(kind))]


def _table(section: CashSection, money: str) -> Grid:
    rows: list[Sequence[Cell]] = [
        (KINDS.get(kind, kind), count, amount(total, money)) for kind, count, total in section.lines
    ]
    totals = ("Итого", sum(line[1] for line in section.lines), amount(sum(line[2] for line in section.lines), money))
    return Grid(COLUMNS, rows, totals if rows else None)


def _cash(sheet: ShiftSheet) -> tuple[tuple[str, int | None], ...]:
    counted = sheet.counted_cash
    return (
        ("На начало смены", sheet.opening_cash),
        ("Принято", sheet.received),
        ("Выдано", sheet.paid_out),
        ("Должно быть по учёту", sheet.expected_cash),
        ("Пересчитано", counted),
        ("Расхождение", None if counted is None else counted - sheet.expected_cash),
    )


def _shown(value: int | None, money: str) -> str | None:
    return None if value is None else amount_text(value, money)
