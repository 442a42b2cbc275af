"""A report as a table for those who read it elsewhere: typed cells under the columns' titles, rows as they come."""

from __future__ import annotations

from collections.abc import Iterator
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
from reports.registers.reading import every_row, told
from reports.registers.report import Report, Wanted


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
    rows = every_row(sessions, report, cut, wanted)
    return ReportTable(report.title, report.columns, (_cells(report, told(report, row, codes), cut) for row in rows))


def _cells(report: Report, values: dict[str, Any], cut: Cut) -> tuple[Cell, ...]:
    exponent = -currency(cut.currency).exponent
    return tuple(_cell(column, values[column.key], cut, exponent) for column in report.columns)


def _cell(column: Column, value: Any, cut: Cut, exponent: int) -> Cell:
    if value is None:
        return None
    if column.kind is Kind.MONEY:
        return Decimal(value).scaleb(exponent)
    if column.kind is Kind.INSTANT:
        return _in_zone(value, cut)
    return column.words.get(value, value) if column.kind is Kind.TEXT else value  # type: ignore[no-any-return]


def _in_zone(instant: datetime, cut: Cut) -> datetime:
    """An instant with the offset of the operator's zone (D-1)."""
    return instant.astimezone(cut.zone)
