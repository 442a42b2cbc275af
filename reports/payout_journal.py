"""The journal of cash payouts in the form of the annex to T-Prov (T-Prov 23, 24): rows under the annex's columns.

Rows only: what stands above a report, and how it is printed, is the business of whoever renders the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import takewhile

from sqlalchemy.orm import Session

from db.session import Sessions
from documents.csv import Cell
from ledger.money import currency
from office.callers import Caller
from office.operator import Operator
from office.persons.register import Persons
from office.persons.views import ask_to_export
from reports.payouts import JournalLine, Receipt, Wanted, journal, journal_in_full, persons_in

COLUMNS = (
    "№ п/п",
    "Дата проведения выплаты",
    "Фамилия, имя, отчество игрока",
    "Наименование, номер, дата и место выдачи документа, удостоверяющего личность",
    "Размер выплаты, рублей",
    "Фискальный чек №",
    "Заводской номер обслуживающего кассового суммирующего аппарата",
    "Подпись кассира",
)
"""The annex's columns; in place of the signature the name of whoever signs."""
PAGE = 500
"""Lines read at a time; between two pages no connection is held, however slowly somebody downloads."""


@dataclass(frozen=True)
class Extract:
    """A part of the journal to be given out: which lines, up to which number, and whether persons are shown whole."""

    wanted: Wanted
    last: int
    in_full: bool


def begin_extract(session: Session, wanted: Wanted, in_full: str | None, by: Caller) -> Extract:
    """Fix what an extract holds. ``in_full`` is why persons are shown whole; every one of them is on record first.

    Raises:
        Refusal: ``unmasked_view_not_granted``, the caller's role sees no person unmasked (D-16).
    """
    versions, last = persons_in(session, wanted)
    if in_full is not None:
        ask_to_export(session, versions, "journal:payouts", in_full, by)
    return Extract(wanted, last, in_full is not None)


def journal_rows(
    sessions: Sessions, operator: Operator, persons: Persons, extract: Extract
) -> Iterator[tuple[Cell, ...]]:
    """The extract under :data:`COLUMNS`, days in the operator's zone, amounts in roubles.

    A line that was paid after the extract was fixed is not in it: nobody is shown who is not on record.
    """
    return (journal_row(line, operator) for line in _lines(sessions, persons, extract))


def journal_row(line: JournalLine, operator: Operator) -> tuple[Cell, ...]:
    """A line of the journal under the annex's columns.

    While its fiscal receipt has not been entered the sixth cell is empty; one that was corrected stays readable there.
    """
    valid = line.fiscal_receipts[-1] if line.fiscal_receipts else None
    amount = Decimal(line.amount).scaleb(-currency(operator.currency).exponent)
    return (
        line.number,
        operator.day_of(line.paid_at),
        line.person,
        line.document,
        amount,
        "" if valid is None else _receipt(line.fiscal_receipts),
        line.cash_register if valid is None else valid.cash_register,
        line.cashier,
    )


def _receipt(entered: list[Receipt]) -> str:
    *replaced, valid = (receipt.number for receipt in entered)
    return f"{valid} (исправлено, было: {', '.join(replaced)})" if replaced else valid


def _lines(sessions: Sessions, persons: Persons, extract: Extract) -> Iterator[JournalLine]:
    after, more = 0, True
    while more:
        with sessions() as session:
            page = _page(session, persons, extract, after)
        yield from takewhile(lambda line: line.number <= extract.last, page)
        more = len(page) == PAGE and page[-1].number < extract.last
        after = page[-1].number if page else after


def _page(session: Session, persons: Persons, extract: Extract, after: int) -> list[JournalLine]:
    if extract.in_full:
        return journal_in_full(session, persons, after, PAGE, extract.wanted)
    return journal(session, persons, extract.wanted, after, PAGE)
