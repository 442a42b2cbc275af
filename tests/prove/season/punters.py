"""What people of a season ask for: rows, covers, rows one by one, at random stakes; some of them know a little."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from random import Random

from tests.prove.season.calendar import Round
from tests.prove.season.kinds import Kind
from tests.tote.by_hand import kopecks

CODES = ("1", "X", "2")
KNOWN = 0.55
"""How often a mark is made on what comes true: else hardly a ticket would reach a level."""
LARGEST_COVER = 20_000
LONGEST_UPLOAD = 120


@dataclass(frozen=True)
class Wish:
    """A ticket to be bought: marks or lines, and what is paid for it in minor units."""

    stake: int
    marks: list[list[str]] | None = None
    lines: tuple[str, ...] = ()


def wishes(chance: Random, played: Round, kind: Kind, number: int) -> list[Wish]:
    """So many tickets of a round, its full covers somewhere among them."""
    full = set(chance.sample(range(number), kind.full_covers))
    return [_full(chance, kind) if place in full else _some(chance, played, kind) for place in range(number)]


def _full(chance: Random, kind: Kind) -> Wish:
    marks = [list(CODES) for _ in range(10)]
    return Wish(_stake(chance, kind, 3**10), marks)


def _some(chance: Random, played: Round, kind: Kind) -> Wish:
    how = chance.random()
    if how < 0.2:
        lines = tuple(
            "".join(_row(chance, played.outcomes, kind)) for _ in range(chance.randint(1, chance.choice((9, 120))))
        )
        return Wish(_stake(chance, kind, len(lines)), lines=lines)
    marks = [[code] for code in _row(chance, played.outcomes, kind)]
    if how < 0.65:
        _cover(chance, marks, played.outcomes, kind)
    return Wish(_stake(chance, kind, prod(map(len, marks))), marks)


def _row(chance: Random, true: Sequence[str], kind: Kind) -> list[str]:
    row = [came if chance.random() < KNOWN else chance.choice(CODES) for came in true]
    if kind.avoid:
        row[0] = chance.choice([code for code in CODES if code != true[0]])
    return row


def _cover(chance: Random, marks: list[list[str]], true: Sequence[str], kind: Kind) -> None:
    """Mark more than one outcome in some positions, in whatever order."""
    for place in chance.sample(range(len(marks)), chance.randint(1, len(marks))):
        free = [
            code for code in CODES if code not in marks[place] and not (kind.avoid and place == 0 and code == true[0])
        ]
        more = chance.sample(free, min(len(free), chance.choice((1, 1, 2))))
        if prod(map(len, marks)) // len(marks[place]) * (1 + len(more)) <= LARGEST_COVER:
            marks[place] = chance.sample(marks[place] + more, 1 + len(more))


def _stake(chance: Random, kind: Kind, rows: int) -> int:
    """The price of every row, or of each the same few kopecks: up to some twenty roubles a ticket."""
    if "price" in kind.terms:
        return kopecks(kind.terms["price"]) * rows
    return rows * chance.randint(1, max(1, chance.choice((200, 2_000)) // rows))
