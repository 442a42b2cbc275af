"""Several marks a position: many bets on one ticket, counted by a polynomial and never listed (T-Rules 3, 22.2)."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import prod
from typing import TypeAlias

from tote.rules.positions import PositionResults

MOST_ROWS = 2_000_000
"""Bets that one ticket may hold: all three marks in each of thirteen positions are 1,594,323."""
Cover: TypeAlias = Sequence[Sequence[str]]
"""The codes a ticket marks in each position; every way of taking one of each is a row, and a row is a bet."""
RowsByLevel: TypeAlias = Mapping[int | None, int]
"""How many rows reached each level, and under None how many lost; none is counted as nothing."""


def rows_of(cover: Cover) -> int:
    """How many bets a cover is."""
    return prod(map(len, cover))


def rows_by_matches(cover: Cover, result: PositionResults) -> tuple[int, ...]:
    """How many rows match in no position, in one, … in all; no mark matches a position that was not held (D-22)."""
    # Neither the order of positions nor the codes matter to the count, so that alike covers are counted once.
    return _counted(tuple(sorted((len(marked), true in marked) for marked, true in zip(cover, result, strict=True))))


@lru_cache(maxsize=65_536)
def _counted(positions: tuple[tuple[int, bool], ...]) -> tuple[int, ...]:
    """The coefficients of the product of (misses + hits · x) over positions, each of so many marks, one hit or none."""
    counts = [1]
    for marks, hit in positions:
        counts = [
            (marks - hit) * same + hit * one_less for same, one_less in zip([*counts, 0], [0, *counts], strict=True)
        ]
    return tuple(counts)


def rows_by_level(by_matches: Iterable[int], table: Sequence[int | None]) -> RowsByLevel:
    """Rows by the level they reached; ``table`` tells the level of each number of matches.

    Matches beyond it there are none of: it goes to as many positions as were held.
    """
    found: dict[int | None, int] = {}
    for rows, level in zip(by_matches, table, strict=False):
        if rows:
            found[level] = found.get(level, 0) + rows
    return found
