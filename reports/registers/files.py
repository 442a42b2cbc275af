"""A report as a table for those who read it elsewhere: typed cells under the columns' titles, rows as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy.orm import Session

from db.session import Sessions
from documents.columns import Column, Kind
from documents.csv import Cell
from ledger.codes import Codes
from ledger.money import currency
from office.callers import Caller
from office.operator import Operator
from office.significant.kinds import REPORT_EXPORTED
from office.significant.log import note
from reports.registers.cut import Cut, sealed_now
from reports.registers.reading import RowOf, every_row, masked_code
from reports.registers.report import Report, Wanted

Writer = Callable[[Any], Cell]


@dataclass(frozen=True)
class ReportTable:
    """A report at a seal: its columns, and its rows, which are read while they are taken."""

    title: str
    columns: tuple[Column, ...]
    rows: Iterator[tuple[Cell, ...]]

    @property
    def titles(self) -> tuple[str, ...]:
        """What stands over the columns."""
        return tuple(column.title for column in self.columns)


def begin_file(
    session: Session, operator: Operator, report: Report, wanted: Wanted, instant: datetime | None, by: Caller | None
) -> Cut:
    """Fix what a file of a report holds, and write down that it is taken.

    Raises:
        Refusal: those of :func:`reports.registers.cut.cut_at`.
    """
    cut = sealed_now(session, operator, instant)
    chosen = {name: str(value) for name, value in vars(wanted).items() if value is not None}
    note(session, REPORT_EXPORTED, f"report:{report.code}", by, as_of=cut.at.isoformat(), seal=cut.seal, wanted=chosen)
    return cut


def table_of(sessions: Sessions, report: Report, cut: Cut, wanted: Wanted, codes: Codes) -> ReportTable:
    """The rows of a report under a seal: the same question about it gives the same cells for good (DESIGN 3.8)."""
    rows, cells = every_row(sessions, report, cut, wanted), _writers(report, cut)
    coded = next((n for n, column in enumerate(report.columns) if report.coded and column.key == "code"), None)
    return ReportTable(report.title, report.columns, (_cells(row, cells, coded, codes) for row in rows))


def _cells(row: RowOf, writers: tuple[Writer, ...], coded: int | None, codes: Codes) -> tuple[Cell, ...]:
    cells = [None if value is None else write(value) for write, value in zip(writers, row, strict=False)]
    if coded is not None:
        cells[coded] = masked_code(row, codes)
    return tuple(cells)


def _writers(report: Report, cut: Cut) -> tuple[Writer, ...]:
    """How each column's values become cells, thought out once for a million rows."""
    exponent = -currency(cut.currency).exponent
    kinds: dict[Kind, Writer] = {
        Kind.MONEY: lambda amount: Decimal(amount).scaleb(exponent),
        # An instant has the offset of the operator's zone (D-1).
        Kind.INSTANT: lambda instant: instant.astimezone(cut.zone),
        Kind.NUMBER: int,
        Kind.DATE: lambda day: day,
        Kind.TEXT: str,
    }
    return tuple(_in_words(column) if column.words else kinds[column.kind] for column in report.columns)


def _in_words(column: Column) -> Writer:
    return lambda word: column.words.get(word, word)
