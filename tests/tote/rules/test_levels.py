"""Levels by match percent: exact bounds, no overlap, all of the fund (T-Rules 11.3, 36.2)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tote.rules.levels import Level, checked_levels, levels_by_matches
from tote.rules.refusal import RuleError


def level(lowest: str, highest: str, share: int = 100) -> Level:
    return Level(Fraction(share, 100), Fraction(lowest), Fraction(highest))


def test_t_rules_36_2_the_table_tells_the_level_of_every_number_of_matches() -> None:
    """Of five: 0, 20, 40 percent are on none, 60 and 80 on the second, 100 on the first."""
    assert levels_by_matches([level("100", "100", 50), level("60", "80", 50)], 5) == (None, None, None, 1, 1, 0)


@pytest.mark.parametrize(("bound", "reached"), [("66.67", None), ("66.66", 0), ("200/3", 0), ("66.6666", 0)])
def test_two_of_three_are_two_thirds_and_not_66_67(bound: str, reached: int | None) -> None:
    assert levels_by_matches([level(bound, "100")], 3)[2] == reached


@pytest.mark.parametrize(("bound", "reached"), [("33.33", None), ("33.34", 0), ("100/3", 0)])
def test_an_upper_bound_is_just_as_exact(bound: str, reached: int | None) -> None:
    assert levels_by_matches([level("30", bound)], 3)[1] == reached


@pytest.mark.parametrize(
    ("levels", "code", "field"),
    [
        (None, "missing_field", "levels"),
        ([], "no_levels", "levels"),
        ([level("0", "0", 0)] * 101, "too_many_levels", "levels"),
        ([level("100", "100", 50), level("80", "75", 50)], "level_out_of_range", "levels[1]"),
        ([level("100", "100.0001")], "level_out_of_range", "levels[0]"),
        ([level("75", "100", 50), level("50", "75", 50)], "levels_overlap", "levels[0]"),
        ([level("100", "100", 50), level("100", "100", 50)], "levels_overlap", "levels[1]"),
        ([level("0", "100", 50), level("20", "30", 50)], "levels_overlap", "levels[1]"),
        ([level("100", "100", 99)], "shares_not_whole", "levels"),
        ([level("100", "100", 100), level("50", "60", 1)], "shares_not_whole", "levels"),
    ],
)
def test_t_rules_36_2_levels_that_are_none(levels: list[Level] | None, code: str, field: str) -> None:
    with pytest.raises(RuleError) as refused:
        checked_levels(levels)
    assert (refused.value.code, refused.value.field) == (code, field)


def test_thirds_are_the_whole() -> None:
    thirds = [Level(Fraction(1, 3), Fraction(at), Fraction(at)) for at in (100, 75, 50)]
    assert checked_levels(thirds) == tuple(thirds)
