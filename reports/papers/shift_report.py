"""The report of a shift on paper: cash accepted and cash paid out kept apart, expected against counted (B-Prov 15).

What it says is `desk.shift_report.ShiftReport`; until that is final the paper says so in its title, and why.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from desk import shift_report
from desk.shift_report import ShiftReport
from documents.csv import Cell
from documents.form import Form, Grid, Pairs, Part, Section, Signatures, Words
from documents.table import Column, Kind, instant_text
from office.operator import Operator
from reports.papers.words import amount, amount_text, heading

COLUMNS = (
    Column("Вид движения", width=4),
    Column("Операций", Kind.NUMBER, width=1.2),
    Column("Сумма", Kind.MONEY, width=2),
)
NOT_FINAL = "НЕ ОКОНЧАТЕЛЬНЫЙ"
MOST_NUMBERS = 20


def shift_report_form(report: ShiftReport, operator: Operator, made_at: datetime) -> Form:
    """The report as it is signed and kept with the fiscal report (B-Prov 15, 17)."""
    money = report.currency
    title = f"Сменный отчёт № {report.shift_id}, касса {report.desk}"
    parts: list[Part] = [
        *_why_not_final(report),
        Pairs(tuple(_whose(report))),
        Section("Принято"),
        _table(report.accepted, money),
        Section("Выдано"),
        _table(report.paid_out, money),
        Section("Наличные"),
        Pairs(tuple((name, _shown(value, money)) for name, value in _cash(report))),
        Section("Фискальный отчёт"),
        Pairs((("Номер", report.fiscal_report), ("Заводской номер аппарата", report.fiscal_register))),
        Signatures((("Кассир", report.opened_by), ("Старший кассир", ""), ("Бухгалтер", ""))),
    ]
    named = title if report.is_final else f"{title} — {NOT_FINAL.lower()}"
    return Form(heading(operator, named, made_at, _period(report, operator)), parts)


def _why_not_final(report: ShiftReport) -> Iterator[Part]:
    """What is missing, where something is."""
    if report.is_final:
        return
    reasons = []
    if report.closed_at is None:
        reasons.append("смена не закрыта")
    if report.receipts_missing:
        reasons.append(f"не внесены фискальные чеки выплат № {_numbers(report.receipts_missing)}")
    if report.closed_at is not None and report.fiscal_report is None:
        reasons.append("не внесён номер фискального отчёта")
    yield Words(f"{NOT_FINAL}: {'; '.join(reasons)}.")


def _numbers(missing: Sequence[int]) -> str:
    """The first of them, as many as a line or two can hold."""
    shown = ", ".join(map(str, missing[:MOST_NUMBERS]))
    return shown if len(missing) <= MOST_NUMBERS else f"{shown} и ещё {len(missing) - MOST_NUMBERS}"


def _period(report: ShiftReport, operator: Operator) -> str:
    closed = "(смена не закрыта)" if report.closed_at is None else f"по {_clock(report.closed_at, operator)}"
    return f"с {_clock(report.opened_at, operator)} {closed}"


def _whose(report: ShiftReport) -> Iterator[tuple[str, Cell]]:
    yield "Касса", f"{report.desk}, {report.place}"
    yield "Заводской номер аппарата", report.cash_register
    yield "Смену открыл", report.opened_by
    if report.closed_by is not None:
        yield "Смену закрыл", report.closed_by
    if report.closing_reason is not None:
        yield "Почему закрыта другим", report.closing_reason


def _clock(instant: datetime, operator: Operator) -> str:
    return instant_text(operator.local(instant))


def _table(section: shift_report.Section, money: str) -> Grid:
    """One of the two sections of the register, by kinds of movement."""
    rows: list[Sequence[Cell]] = [(line.title, line.times, amount(line.amount, money)) for line in section.lines]
    totals = ("Итого", sum(line.times for line in section.lines), amount(section.total, money))
    return Grid(COLUMNS, rows, totals if rows else None)


def _cash(report: ShiftReport) -> tuple[tuple[str, int | None], ...]:
    return (
        ("Числилось к началу смены", report.opening_expected),
        ("На начало смены", report.opening_cash),
        ("Расхождение на начало смены", report.opening_difference),
        ("Принято", report.accepted.total),
        ("Выдано", report.paid_out.total),
        ("Должно быть по учёту", report.expected_cash),
        ("Пересчитано", report.counted_cash),
        ("Расхождение", report.difference),
    )


def _shown(value: int | None, money: str) -> str | None:
    return None if value is None else amount_text(value, money)
