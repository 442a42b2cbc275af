"""The journal of cash payouts in the form of the annex to T-Prov, to be bound and signed line by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from db.session import Sessions
from documents.csv import Cell
from documents.table import Column, Heading, Kind, Table
from office.operator import Operator
from office.persons.register import Persons
from reports.papers.words import amount
from reports.payouts import IN_FULL, MASKED, JournalLine, Wanted, journal

TITLE = "Журнал учёта выплат наличных денег"
PAGE = 500
"""Lines read at a time; between two pages no connection is held (FIELD-FAULTS 071)."""
COLUMNS = (
    Column("№ п/п", Kind.NUMBER, width=1.0),
    Column("Дата проведения выплаты", Kind.DATE, width=1.6),
    Column("Фамилия, имя, отчество игрока", width=3.2),
    Column("Наименование, номер, дата и место выдачи документа, удостоверяющего личность", width=3.8),
    Column("Размер выплаты, рублей", Kind.MONEY, width=1.8, summed=True),
    Column("Фискальный чек №", width=1.6),
    Column("Заводской номер обслуживающего кассового суммирующего аппарата", width=2.4),
    Column("Подпись кассира", width=2.4),
)
"""The columns of the form. Beside the place for the signature stands who is to sign."""
CLOSING = (
    "В журнале пронумеровано, прошнуровано и скреплено печатью листов: {pages}.",
    "Руководитель  ______________________        М. П.",
)


@dataclass(frozen=True)
class JournalWanted:
    """Which lines are to be printed: those looked for, up to a number, persons in full or masked."""

    lines: Wanted
    last: int
    in_full: bool


def journal_table(
    sessions: Sessions, persons: Persons, operator: Operator, heading: Heading, wanted: JournalWanted
) -> Table:
    """The journal as a table; its rows are read while they are gone through.

    Lines are facts and their numbers are not used again, so that pages read in transactions of their own fit together.
    """
    rows = (_row(line, operator) for line in journal_lines(sessions, persons, wanted))
    return Table(heading, COLUMNS, rows, landscape=True, closing=CLOSING)


def journal_lines(sessions: Sessions, persons: Persons, wanted: JournalWanted) -> Iterator[JournalLine]:
    """The lines in the order of their numbers."""
    after, shown = 0, IN_FULL if wanted.in_full else MASKED
    while after < wanted.last:
        with sessions() as session:
            page = journal(session, persons, wanted.lines, after, PAGE, shown)
        yield from (line for line in page if line.number <= wanted.last)
        after = page[-1].number if len(page) == PAGE else wanted.last


def _row(line: JournalLine, operator: Operator) -> tuple[Cell, ...]:
    return (
        line.number,
        operator.day_of(line.paid_at),
        line.person,
        line.document,
        amount(line.amount, operator.currency),
        None,
        line.cash_register,
        line.cashier,
    )
