"""Levels: ranges of match percent, each with its part of the prize fund (T-Rules 11.3, 36.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise

from tote.rules.refusal import RuleError

FULL = Fraction(100)
"""The percent of a bet that matches in every position."""
MOST_LEVELS = 100


@dataclass(frozen=True, slots=True)
class Level:
    """What bets that match between `lowest` and `highest` percent share, both included: `share` of the fund, of 1.

    Every figure is exact: 2 matches of 3 are 200/3 percent, and a bound of 66.67 misses them.
    """

    share: Fraction
    lowest: Fraction = FULL
    highest: Fraction = FULL

    def holds(self, percent: Fraction) -> bool:
        """Whether a bet of this match percent is on the level."""
        return self.lowest <= percent <= self.highest


WHOLE_FUND = (Level(Fraction(1)),)
"""The one level of a game without positions: all of the fund for the full match (T-Rules 11.2, 36.1)."""


class EmptyLevel(StrEnum):
    """Where the fund of a level that nobody reached goes, as announced with the pool (T-Rules 11.4, 36.2; D-7)."""

    JACKPOT = "jackpot"
    OTHER_LEVELS = "other_levels"


def checked_levels(levels: Sequence[Level] | None) -> tuple[Level, ...]:
    """The levels of a position game as announced.

    Raises `RuleError`: `missing_field`, `no_levels`, `too_many_levels`, `level_out_of_range`, `levels_overlap`,
    `shares_not_whole`.
    """
    if levels is None:
        raise RuleError("missing_field", "levels", "A game of positions needs its levels.")
    if not levels:
        raise RuleError("no_levels", "levels", "A pool of positions has at least one level.")
    if len(levels) > MOST_LEVELS:
        raise RuleError("too_many_levels", "levels", f"A pool has at most {MOST_LEVELS} levels.")
    for place, level in enumerate(levels):
        if not level.lowest <= level.highest <= FULL:
            raise RuleError("level_out_of_range", f"levels[{place}]", "A level goes up to 100 percent at most.")
    _refuse_overlap(levels)
    if sum(level.share for level in levels) != 1:
        raise RuleError("shares_not_whole", "levels", "The shares of the levels make exactly 100 percent together.")
    return tuple(levels)


def _refuse_overlap(levels: Sequence[Level]) -> None:
    """A bet is on one level at most."""
    rising = sorted(range(len(levels)), key=lambda place: levels[place].lowest)
    for lower, upper in pairwise(rising):
        if levels[upper].lowest <= levels[lower].highest:
            said = f"Levels {lower + 1} and {upper + 1} share percents of match."
            raise RuleError("levels_overlap", f"levels[{upper}]", said)


def levels_by_matches(levels: Sequence[Level], base: int) -> tuple[int | None, ...]:
    """Matches → level, for 0 to all matches out of `base` equal positions: the table that is announced with a pool."""
    return tuple(_level_of(levels, Fraction(100 * matches, base)) for matches in range(base + 1))


def _level_of(levels: Sequence[Level], percent: Fraction) -> int | None:
    return next((place for place, level in enumerate(levels) if level.holds(percent)), None)
