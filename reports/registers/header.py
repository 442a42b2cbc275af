"""What stands over a report: title, operator, period or "as of", when and by what it was made (INDUSTRY: reports)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from documents.version import SOFTWARE
from reports.registers.cut import Cut
from reports.registers.report import Report, Wanted

NOTHING = "Нет операций"
PERIOD = ("first", "last", "since", "until")


@dataclass(frozen=True)
class Header:
    """The head of a report; ``operator`` is the name that held at the cut, ``note`` says so when there are no rows.

    ``as_of`` is the seal's instant; None in a report of this moment, whose unsealed rows are provisional.
    """

    code: str
    title: str
    operator: str
    first: date | None
    last: date | None
    as_of: datetime | None
    seal: int | None
    generated_at: datetime
    zone: str
    filters: dict[str, str]
    note: str | None
    software: str


def header_of(report: Report, cut: Cut, wanted: Wanted, generated_at: datetime, empty: bool) -> Header:
    """The head of a report at a cut; it is generated at an instant of the trade's clock."""
    asked = {name: str(value) for name, value in vars(wanted).items() if value is not None and name not in PERIOD}
    return Header(
        code=report.code,
        title=report.title,
        operator=cut.operator,
        first=wanted.first,
        last=wanted.last,
        as_of=cut.at if cut.sealed else None,
        seal=cut.seal or None,
        generated_at=generated_at.astimezone(cut.zone),
        zone=cut.zone.key,
        filters=asked,
        note=NOTHING if empty else None,
        software=SOFTWARE,
    )
