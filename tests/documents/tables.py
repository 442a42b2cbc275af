"""A table for tests of its renderings."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

from documents.csv import Cell
from documents.table import Column, Heading, Kind, Table

MINSK = ZoneInfo("Europe/Minsk")
MADE_AT = datetime(2022, 11, 22, 16, 0, tzinfo=MINSK)
HEADING = Heading("Журнал", "ООО «Проба»", "по состоянию на 22.11.2022", MADE_AT, ("касса K-1",))
COLUMNS = (
    Column("№", Kind.NUMBER),
    Column("Кому"),
    Column("Сумма", Kind.MONEY, summed=True),
    Column("День", Kind.DATE),
    Column("Момент", Kind.INSTANT),
)


def row(number: int, name: str = "Петров Пётр", amount: str = "1.50") -> tuple[Cell, ...]:
    """A row."""
    return number, name, Decimal(amount), date(2022, 11, 22), datetime(2022, 11, 22, 12, 1, 44, tzinfo=MINSK)


def rows(number: int) -> Iterator[tuple[Cell, ...]]:
    """So many rows, numbered from one."""
    return (row(each) for each in range(1, number + 1))


def table(*given: tuple[Cell, ...], closing: tuple[str, ...] = ()) -> Table:
    """A table of these rows."""
    return Table(HEADING, COLUMNS, given, closing=closing)


def long_table(number: int) -> Table:
    """A table of so many rows."""
    return Table(HEADING, COLUMNS, rows(number))
