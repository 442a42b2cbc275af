"""A report as a table for those who read it elsewhere: typed cells under the columns' titles, rows as they come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy.orm import Session

from db.session import Sessions
from documents.columns import Column, rendered
from documents.csv import Cell
from documents.table import Kind, Table
from ledger.codes import Codes
from ledger.money import currency
from office.callers import Caller
from office.operator import Operator
from office.significant.kinds import REPORT_EXPORTED
from office.significant.log import note
from reports.registers.cut import Cut, sealed_now
from reports.registers.header import header_of, heading_of
from reports.registers.reading import RowOf, every_row, masked_code
from reports.registers.report import Report, Wanted

Writer = Callable[[Any], Cell]


@dataclass(frozen=True)
class FileAsked:
    """A file of a report: its form (``csv``, ``xlsx``, ``pdf``), and as of when it is asked, None for the last seal."""

    form: str
    instant: datetime | None


def begin_file(
    session: Session, operator: Operator, report: Report, wanted: Wanted, asked: FileAsked, by: Caller | None
) -> Cut:
    """Fix what a file of a report holds, and write down that it was asked for.

    Raises:
        Refusal: those of :func:`reports.registers.cut.cut_at`.
    """
    cut = sealed_now(session, operator, asked.instant)
    chosen = {name: str(value) for name, value in vars(wanted).items() if value is not None}
    told = {"as_of": cut.at.isoformat(), "seal": cut.seal, "format": asked.form, "wanted": chosen}
    note(session, REPORT_EXPORTED, f"report:{report.code}", by, **told)
    return cut


def table_of(sessions: Sessions, report: Report, cut: Cut, wanted: Wanted, codes: Codes, made_at: datetime) -> Table:
    """A report under a seal, its rows read while they are taken: the same question gives the same cells for good.

    Only the heading of a paper tells when it was made; a CSV is of rows alone (DESIGN 3.8).
    """
    rows, cells = every_row(sessions, report, cut, wanted), _writers(report, cut)
    coded = next((n for n, column in enumerate(report.columns) if report.coded and column.key == "code"), None)
    return Table(
        heading_of(header_of(report, cut, wanted, made_at, empty=False)),
        # Where adding rows up is not enough no line below them may look as if it were.
        rendered(report.columns, () if report.totals else report.sums),
        (_cells(row, cells, coded, codes) for row in rows),
        landscape=True,
    )


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
    return tuple(_in_words(column) or kinds[column.kind] for column in report.columns)


def _in_words(column: Column) -> Writer | None:
    """How a column that holds codes says them, if it does."""
    if column.spoken is not None:
        return column.spoken
    return (lambda word: column.words.get(word, word)) if column.words else None
