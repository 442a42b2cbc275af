"""The positions of a pool and its levels as they are kept with it: frozen by the announcement (T-Rules 3, 22.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tote.models import Pool
from tote.rules.levels import Level, levels_by_matches


@dataclass(frozen=True)
class Position:
    """One of the equal parts an outcome is broken into, with the codes and names of what may come true in it.

    Its own code is that by which a result tells of it (``Result.positions``).
    """

    code: str
    name: str
    outcomes: tuple[tuple[str, str], ...]

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes that may be marked, in the order of the announcement."""
        return tuple(code for code, _ in self.outcomes)


@dataclass(frozen=True)
class Matched:
    """A line of the table that is announced: so many matches are this percent, and are on this level or on none.

    Levels count from 1.
    """

    matches: int
    percent: Fraction
    level: int | None


def positions_of(pool: Pool) -> tuple[Position, ...]:
    """The positions of a pool, in the order of the announcement; none where bets name one outcome."""
    return tuple(
        Position(told["code"], told["name"], tuple((one["code"], one["name"]) for one in told["outcomes"]))
        for told in pool.positions or ()
    )


def kept_positions(positions: Sequence[Position]) -> list[dict[str, Any]]:
    """Positions as they are kept with their pool."""
    return [
        {
            "code": position.code,
            "name": position.name,
            "outcomes": [{"code": code, "name": name} for code, name in position.outcomes],
        }
        for position in positions
    ]


def levels_of(kept: Sequence[Mapping[str, str]]) -> tuple[Level, ...]:
    """The levels that are kept with a pool, exact."""
    return tuple(
        Level(Fraction(one["share"]) / 100, lowest=Fraction(one["from"]), highest=Fraction(one["to"])) for one in kept
    )


def kept_levels(levels: Sequence[Level]) -> list[dict[str, str]]:
    """Levels as they are kept with their pool: percents as exact fractions, ``200/3``."""
    return [{"from": str(level.lowest), "to": str(level.highest), "share": str(level.share * 100)} for level in levels]


def table_of_matches(pool: Pool) -> tuple[Matched, ...]:
    """Matches → percent → level, with every position held: so a bound that misses 2 of 3 is seen before sales begin."""
    base = len(pool.positions or ())
    table = levels_by_matches(levels_of(pool.levels or ()), base) if base else ()
    return tuple(
        Matched(matches, Fraction(100 * matches, base), None if level is None else level + 1)
        for matches, level in enumerate(table)
    )
