"""A table once, whatever it is rendered as: what it tells about itself, its typed columns, its rows one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from documents.csv import WORDS, Cell
from documents.version import SOFTWARE

NO_BREAK = "\u00a0"
EMPTY = "Нет операций"
"""What a table without rows says in place of them (INDUSTRY: reports)."""


class Kind(StrEnum):
    """What the cells of a column hold; an empty cell is ``None`` in all of them."""

    TEXT = "text"
    MONEY = "money"
    NUMBER = "number"
    DATE = "date"
    INSTANT = "instant"


WIDTHS = {Kind.TEXT: 3.0, Kind.MONEY: 1.7, Kind.NUMBER: 1.0, Kind.DATE: 1.4, Kind.INSTANT: 2.2}


@dataclass(frozen=True)
class Column:
    """A column: its title, its kind, its share of the paper's width, whether its cells are added up below.

    Money and numbers are ``Decimal`` or ``int`` with the places they are shown with; instants are aware, in the zone
    they are to be shown in.
    """

    title: str
    kind: Kind = Kind.TEXT
    width: float | None = None
    summed: bool = False

    @property
    def share(self) -> float:
        """How much of the width the column takes, beside the others."""
        return self.width or WIDTHS[self.kind]

    @property
    def told(self) -> dict[str, Any]:
        """What a template is told of the column."""
        return {"title": self.title, "kind": self.kind.value, "share": self.share}


@dataclass(frozen=True)
class Heading:
    """What stands over every document: what it is, whose, what it covers, when it was made and by what (INDUSTRY).

    ``covers`` is a period or an "as of"; ``made_at`` is aware, in the operator's zone; ``filters`` say what was left
    out, None where nothing could be.
    """

    title: str
    operator: str
    covers: str
    made_at: datetime
    filters: Sequence[str] | None = None

    def lines(self) -> list[tuple[str, str]]:
        """The heading below its title, name by name."""
        offset = self.made_at.strftime("%z")
        zone = f"{self.made_at.tzinfo} (UTC{offset[:3]}:{offset[3:]})"
        chosen = [] if self.filters is None else [("Отбор", "; ".join(self.filters) or "без отбора")]
        return [
            ("Организатор", self.operator),
            ("Охват", self.covers),
            *chosen,
            ("Сформировано", f"{instant_text(self.made_at)}, часовой пояс {zone}"),
            ("Программа", SOFTWARE),
        ]


@dataclass(frozen=True)
class Table:
    """A table to be rendered once: its rows are an iterator and are gone through one time.

    ``closing`` are lines below the last row on paper; ``{pages}`` in them is the number of pages.
    """

    heading: Heading
    columns: Sequence[Column]
    rows: Iterable[Sequence[Cell]]
    landscape: bool = False
    closing: Sequence[str] = field(default=())

    @property
    def titles(self) -> list[str]:
        """The columns' titles."""
        return [column.title for column in self.columns]


class TooManyRowsError(ValueError):
    """A table with more rows than its form can hold; ``limit`` says how many it can."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"more than {limit} rows")
        self.limit = limit


class Sums:
    """The sums of the summed columns over the rows that have been gone through."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self.rows = 0
        self._sums = {place: Decimal(0) for place, column in enumerate(columns) if column.summed}

    def over(self, rows: Iterable[Sequence[Cell]], limit: int) -> Iterator[Sequence[Cell]]:
        """The rows as they come, each counted and added.

        Raises:
            TooManyRowsError: another one comes after ``limit``.
        """
        for row in rows:
            if self.rows == limit:
                raise TooManyRowsError(limit)
            self.rows += 1
            for place in self._sums:
                cell = row[place]
                assert cell is None or isinstance(cell, (int, Decimal)), "only figures are added up"
                self._sums[place] += cell or 0
            yield row

    def cell(self, place: int) -> Decimal | None:
        """The sum of a column; None for one that is not added up."""
        return self._sums.get(place)

    @property
    def any(self) -> bool:
        """Whether anything is added up."""
        return bool(self._sums)


def text_of(cell: Cell) -> str:
    """A cell as paper shows it: 1 234,50, 22.11.2022, 22.11.2022 16:00:00."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return WORDS[cell]
    if isinstance(cell, (int, Decimal)):
        return figure_text(cell)
    if isinstance(cell, datetime):
        return instant_text(cell)
    if isinstance(cell, date):
        return f"{cell:%d.%m.%Y}"
    return cell


def figure_text(figure: int | Decimal) -> str:
    """An amount with its thousands apart and a decimal comma, never broken over two lines; a whole number plainly."""
    if isinstance(figure, int):
        return str(figure)
    return f"{figure:,f}".replace(",", NO_BREAK).replace(".", ",")


def instant_text(instant: datetime) -> str:
    """An instant to the second, in the zone it comes in."""
    return f"{instant:%d.%m.%Y %H:%M:%S}"
