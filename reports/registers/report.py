"""What makes a report of rows: its columns, its query, what is added up, who reads it, what it can be asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Select
from sqlalchemy.orm import InstrumentedAttribute, Session

from documents.columns import Column
from office.callers import Role
from reports.registers.cut import Cut

BOOKS = frozenset({Role.ACCOUNTANT, Role.AUDITOR, Role.ORGANIZER})
"""Who reads what the accountant reads."""
DESKS = BOOKS | {Role.SUPERVISOR}
"""Who reads what is about desks and their tickets."""


class Ask(StrEnum):
    """What a report can be asked for besides the whole."""

    PERIOD = "period"
    POOL = "pool"
    DESK = "desk_id"
    STATUS = "status"
    ACCOUNT = "account_id"


@dataclass(frozen=True)
class Wanted:
    """Which rows are wanted; what is None does not matter.

    The period is of the operator's days, ``first`` and ``last`` included; ``since`` (inclusive) and ``until``
    (exclusive) are the instants it begins and ends at.
    """

    first: date | None = None
    last: date | None = None
    since: datetime | None = None
    until: datetime | None = None
    pool: str | None = None
    desk_id: int | None = None
    status: str | None = None
    account_id: int | None = None

    def within(self, instant: ColumnElement[datetime] | InstrumentedAttribute[datetime]) -> list[ColumnElement[bool]]:
        """The conditions for an instant to lie in the period."""
        found = [] if self.since is None else [instant >= self.since]
        return found if self.until is None else [*found, instant < self.until]


@dataclass(frozen=True)
class Sums:
    """Rows counted and amounts added up, money in minor units, each under the key of its column."""

    rows: int
    money: dict[str, int]
    numbers: dict[str, int]


@dataclass(frozen=True)
class Totals:
    """The sums of the whole report, and of its parts by their names."""

    whole: Sums
    parts: dict[str, Sums] = field(default_factory=dict)


@dataclass(frozen=True)
class Report:
    """A report of rows.

    ``query`` gives of a cut the rows wanted: each column under its key, ``fact`` (an id, by which the rows are ordered
    and pages begin) and ``provisional``; with ``sides`` over one there are so many rows a fact, told apart by ``side``.
    ``coded`` rows carry ``code_sealed`` and ``code_digest`` for a column ``code``, which is shown masked.
    ``sums`` are the columns added up, ``parts`` the column whose values get sums of their own; ``totals`` takes the
    place of both where adding rows up is not enough.
    """

    code: str
    title: str
    about: str
    columns: tuple[Column, ...]
    query: Callable[[Cut, Wanted], Select[*tuple[Any, ...]]]
    asks: tuple[Ask, ...] = ()
    readers: frozenset[Role] = BOOKS
    sums: tuple[str, ...] = ()
    parts: str | None = None
    sides: int = 1
    coded: bool = False
    totals: Callable[[Session, Cut, Wanted], Totals] | None = None
