"""What stands over a report: title, operator, period or "as of", when and by what it was made (INDUSTRY: reports)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from documents.table import EMPTY, Heading, instant_text
from documents.version import SOFTWARE
from reports.registers.cut import Cut
from reports.registers.report import Report, Wanted
from reports.registers.standing import STATUS_WORDS

PERIOD = ("first", "last", "since", "until")
FILTERS = {"pool": "пул", "desk_id": "касса №", "status": "состояние", "account_id": "счёт №"}
"""What people read for a filter on paper."""


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
        note=EMPTY if empty else None,
        software=SOFTWARE,
    )


def heading_of(header: Header) -> Heading:
    """The head as files and papers of every sort have it; what was not chosen is not told as chosen."""
    chosen = [f"{FILTERS[name]} {_in_words(name, value)}" for name, value in header.filters.items()]
    return Heading(header.title, header.operator, _covers(header), header.generated_at, chosen)


def _covers(header: Header) -> str:
    """The period, where one was asked for, and the seal it is as of."""
    days = (("с", header.first), ("по", header.last))
    period = [f"{word} {day:%d.%m.%Y}" for word, day in days if day is not None]
    assert header.as_of is not None, "a file is made as of a seal"
    sealed = f"по состоянию на {instant_text(header.as_of.astimezone(header.generated_at.tzinfo))}"
    return "; ".join(said for said in (" ".join(period), f"{sealed}, печать № {header.seal}") if said)


def _in_words(name: str, value: str) -> str:
    return STATUS_WORDS.get(value, value) if name == "status" else value
