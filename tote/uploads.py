"""Rows uploaded one by one, as a reduced system has them: read, packed a byte a mark, counted column by column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ledger.refusals import Refusal
from tote.positions import Position
from tote.rules.covers import MOST_ROWS

PART = 10_000
"""Rows of a part: of some hundred thousand bytes, so that nobody ever holds the whole of a large ticket."""
APART = ","
LINES = re.compile(rf"(?:[^\n]*\n){{1,{PART}}}")
UNKNOWN = 255
"""No place of an outcome: a position has at most a hundred."""


@dataclass(frozen=True)
class Part:
    """Some of the rows; ``places`` as :class:`tote.models.UploadedRows` keeps them."""

    rows: int
    places: bytes


def packed(told: str, positions: Sequence[Position]) -> list[Part]:
    """The rows of a text, a line each: the codes of its marks, position by position.

    Codes are divided by commas; where each code of the pool is one character they may as well stand together. The same
    row twice is two bets.

    Raises:
        Refusal: ``rows_unreadable``, with the number of the first line that is no row; ``ticket_too_large``.
    """
    text = told.replace("\r\n", "\n").removesuffix("\n") + "\n"
    rows = text.count("\n")
    if rows > MOST_ROWS:
        raise ticket_too_large(rows)
    reads = _together if APART not in text and len(positions) > 1 else _apart
    places = [{code: place for place, code in enumerate(position.codes)} for position in positions]
    parts: list[Part] = []
    for some in LINES.finditer(text):
        lines = some[0].removesuffix("\n").split("\n")
        parts.append(Part(len(lines), reads(lines, places, len(parts) * PART + 1)))
    return parts


def unpacked(parts: Iterable[Part], positions: Sequence[Position]) -> Iterator[str]:
    """The rows as lines again, codes divided by commas."""
    for part in parts:
        columns = (
            map(position.codes.__getitem__, part.places[place * part.rows : (place + 1) * part.rows])
            for place, position in enumerate(positions)
        )
        yield from map(APART.join, zip(*columns, strict=True))


def matches_in(part: Part, true: Sequence[int | None]) -> list[int]:
    """How many rows match in no position, in one, … in all; ``true`` is the place of what came true in each.

    A column of marks becomes one of ones and noughts, and columns are added up as the digits of one large number: there
    are fewer positions than a digit has values.
    """
    total = 0
    for position, place in enumerate(true):
        if place is not None:
            column = part.places[position * part.rows : (position + 1) * part.rows]
            total += int.from_bytes(column.translate(_ones(place)), "big")
    matches = total.to_bytes(part.rows, "big")
    return [matches.count(number) for number in range(len(true) + 1)]


def ticket_too_large(rows: int) -> Refusal:
    """What is said of more bets than one ticket may hold."""
    said = f"В билете {rows} ставок, а может быть не более {MOST_ROWS}: разделите его на несколько."
    return Refusal("ticket_too_large", said, rows=rows, most=MOST_ROWS)


def _ones(place: int) -> bytes:
    return bytes(one == place for one in range(256))


def _together(lines: Sequence[str], places: Sequence[Mapping[str, int]], first: int) -> bytes:
    """Rows of one character a mark: whole columns are translated at once."""
    width = len(places)
    _check_each([len(line) == width for line in lines], first)
    text = "".join(lines)
    columns = [text[position::width].translate(_Places(known)) for position, known in enumerate(places)]
    packed = "".join(columns).encode("latin-1")
    return _checked(packed, len(lines), first)


def _apart(lines: Sequence[str], places: Sequence[Mapping[str, int]], first: int) -> bytes:
    rows = [line.split(APART) for line in lines]
    _check_each([len(row) == len(places) for row in rows], first)
    columns = zip(places, zip(*rows, strict=True), strict=True)
    return _checked(
        b"".join(bytes(known.get(code, UNKNOWN) for code in column) for known, column in columns), len(lines), first
    )


class _Places(dict[int, int]):
    """What ``str.translate`` asks: a character's place, and of any other that it is none."""

    def __init__(self, known: Mapping[str, int]) -> None:
        super().__init__({ord(code): place for code, place in known.items() if len(code) == 1})

    def __missing__(self, _: int) -> int:
        return UNKNOWN


def _checked(places: bytes, rows: int, first: int) -> bytes:
    if UNKNOWN in places:
        wrong = min(at % rows for at, place in enumerate(places) if place == UNKNOWN)
        raise _unreadable(first + wrong, "в ней исход, которого в позиции нет")
    return places


def _check_each(right: Sequence[bool], first: int) -> None:
    if not all(right):
        raise _unreadable(first + right.index(False), "в ней не столько отметок, сколько в пуле позиций")


def _unreadable(line: int, why: str) -> Refusal:
    return Refusal("rows_unreadable", f"Строка {line} не подходит пулу: {why}.", field="uploaded", line=line)
