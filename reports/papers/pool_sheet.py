"""The sheet of a pool on paper: stakes by outcome, withdrawal, fund, and how it was divided (T-Prov 12, T-Rules 36)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from documents.csv import Cell
from documents.form import Form, Grid, Pairs, Part, Section, Signatures
from documents.table import Column, Kind, figure_text
from ledger.money import display_fraction
from office.operator import Operator
from reports.papers.words import amount, amount_text, heading
from reports.pool_sheet import OutcomeLine, PoolSheet
from tote.models import PoolClosing, PoolDivision

STATUSES = {
    "announced": "объявлен",
    "open": "идёт приём ставок",
    "closed": "приём ставок окончен",
    "withdrawal_taken": "изъятие произведено",
    "result_confirmed": "результат подтверждён",
    "settled": "рассчитан",
    "payable": "выплачиваются выигрыши",
    "expired": "срок выплаты истёк",
    "archived": "в архиве",
    "returned": "ставки возвращаются",
}
COLUMNS = (
    Column("Шифр", width=1),
    Column("Исход", width=4),
    Column("Ставок", Kind.NUMBER, width=1.2),
    Column("Сумма ставок", Kind.MONEY, width=2),
    Column("Наступил", width=1.2),
)
HAPPENED = {True: "да", False: "нет", None: ""}


def pool_sheet_form(sheet: PoolSheet, operator: Operator, made_at: datetime) -> Form:
    """The sheet, as far as the pool's life has come."""
    money = sheet.pool.currency
    parts: list[Part] = [
        Section("Условия пула"),
        Pairs(tuple(_terms(sheet, operator))),
        Section("Ставки"),
        Grid(
            COLUMNS,
            [_row(line, money) for line in sheet.outcomes],
            ("Итого", None, sheet.bets, amount(sheet.stakes, money), None),
        ),
    ]
    if sheet.closing is not None:
        parts += [Section("Окончание приёма"), Pairs(tuple(_closed(sheet.closing, money, operator)))]
    if sheet.division is not None:
        parts += [Section("Распределение фонда"), Pairs(tuple(_divided(sheet, sheet.division, money)))]
    parts.append(Signatures((("Ответственный за расчёт", ""), ("Бухгалтер", ""))))
    return Form(heading(operator, f"Ведомость пула {sheet.pool.code}", made_at), parts)


def _terms(sheet: PoolSheet, operator: Operator) -> Iterable[tuple[str, Cell]]:
    pool, zone = sheet.pool, operator.zone_at(sheet.pool.closes_at)
    limits = f"от {amount_text(pool.minimum_stake, pool.currency)} до {amount_text(pool.maximum_stake, pool.currency)}"
    yield "Наименование", pool.name
    yield "Состояние", STATUSES.get(sheet.status, sheet.status)
    yield "Приём ставок с", pool.opens_at.astimezone(zone)
    yield "Приём ставок до", pool.closes_at.astimezone(zone)
    yield "Ставка", limits
    yield "Выигрышный фонд", f"{figure_text(pool.fund_percent)} %"
    yield "Наименьший коэффициент", pool.minimum_coefficient


def _row(line: OutcomeLine, money: str) -> tuple[Cell, ...]:
    return line.code, line.name, line.bets, amount(line.stakes, money), HAPPENED[line.true]


def _closed(closing: PoolClosing, money: str, operator: Operator) -> Iterable[tuple[str, Cell]]:
    yield "Окончен", closing.closed_at.astimezone(operator.zone_at(closing.closed_at))
    yield "Ставок", closing.bets
    yield "Сумма ставок", amount_text(closing.stakes, money)
    yield "Изъятие", amount_text(closing.withdrawal, money)
    yield "Выигрышный фонд", amount_text(closing.fund, money)


def _divided(sheet: PoolSheet, division: PoolDivision, money: str) -> Iterable[tuple[str, Cell]]:
    coefficient = sheet.coefficient
    yield "Минусовый пул", division.minus_pool
    yield "Ставки возвращены", division.returned
    yield "Выигравших ставок", division.winning_bets
    yield "Сумма выигравших ставок", amount_text(division.winning_stake, money)
    yield "Коэффициент", None if coefficient is None else display_fraction(coefficient).replace(".", ",")
    yield "Выигрыши", amount_text(division.wins, money)
    yield "В джек-пот", amount_text(division.to_jackpot, money)
    yield "За счёт организатора", amount_text(division.from_organizer, money)
