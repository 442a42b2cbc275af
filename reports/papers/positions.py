"""What papers tell of pools of positions: what may be marked, levels, and what becomes of an empty one (T-Rules 24)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from reports.papers.words import named, percent_text
from tote.models import NotHeld, Pool
from tote.positions import Matched, Position, levels_of, table_of_matches
from tote.rules.levels import EmptyLevel, Level

EMPTY_LEVELS = {
    EmptyLevel.JACKPOT: "его фонд идёт в джек-пот",
    EmptyLevel.OTHER_LEVELS: "его фонд делится между уровнями, где есть выигравшие",
}
"""What becomes of a level nobody reached (T-Rules 11.4, 36.2; D-7)."""
NOT_HELD = {
    NotHeld.RETURN_POOL: "все ставки пула возвращаются",
    NotHeld.DROP: "она не считается: процент совпадений берётся от остальных",
}
"""What becomes of the pool where a position was not held (D-22)."""
POSITION_NOT_HELD = "позиция не состоялась"
NEVER = "ни при каком числе совпадений"
"""What is said of a level that no number of matches reaches: its bounds miss all percents there can be."""


def level_terms(pool: Pool) -> Iterator[tuple[str, str]]:
    """Each level of a pool by its number: the percents and matches it takes, its part of the fund; and what is empty.

    Matches are those of a pool all of whose positions were held.
    """
    table = table_of_matches(pool)
    for number, level in enumerate(levels_of(pool.levels or ()), 1):
        matched = [one.matches for one in table if one.level == number]
        yield f"Уровень {number}", f"{range_text(level)}: {_matches(matched, table)}; {share_text(level)} фонда"
    if pool.empty_level is not None and pool.not_held is not None:
        yield "Пустой уровень", EMPTY_LEVELS[EmptyLevel(pool.empty_level)]
        yield "Позиция не состоялась", NOT_HELD[NotHeld(pool.not_held)]


def range_text(level: Level) -> str:
    """The percents of match that are on a level, both bounds included."""
    if level.lowest == level.highest:
        return f"{percent_text(level.lowest)} %"
    return f"{percent_text(level.lowest)}–{percent_text(level.highest)} %"


def share_text(level: Level) -> str:
    """What part of the fund a level has."""
    return f"{percent_text(level.share * 100)} %"


def match_text(percent: Fraction) -> str:
    """A percent of match with its sign."""
    return f"{percent_text(percent)} %"


def came_true_in(position: Position, code: str | None) -> str:
    """What came true in a position by its name and code, or that it was not held."""
    if code is None:
        return POSITION_NOT_HELD
    return named(dict(position.outcomes)[code], code)


def _matches(matched: Sequence[int], table: Sequence[Matched]) -> str:
    if not matched:
        return NEVER
    among = f"из {len(table) - 1}"
    return f"{matched[0]} {among}" if len(matched) == 1 else f"{matched[0]}–{matched[-1]} {among}"
