"""Rows of a cover, counted without listing them: held against listing them (T-Rules 3, 22.2)."""

from __future__ import annotations

from collections import Counter
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from tote.rules.covers import rows_by_level, rows_by_matches, rows_of

CODES = ("1", "X", "2", "4+")
COVERS = st.lists(st.sets(st.sampled_from(CODES), min_size=1).map(sorted), min_size=1, max_size=7)


def listed(cover: list[list[str]], result: list[str | None]) -> list[int]:
    """The rows at each number of matches, by going through them all."""
    found = Counter(sum(mark == true for mark, true in zip(row, result, strict=True)) for row in product(*cover))
    return [found[matches] for matches in range(len(cover) + 1)]


@given(cover=COVERS, data=st.data())
def test_counted_as_if_every_row_were_listed(cover: list[list[str]], data: st.DataObject) -> None:
    result = [data.draw(st.sampled_from((*CODES, None))) for _ in cover]
    assert rows_of(cover) == len(list(product(*cover)))
    assert list(rows_by_matches(cover, tuple(result))) == listed(cover, result)


def test_three_marks_in_each_of_thirteen_positions() -> None:
    """1,594,323 rows; k of 13 match in C(13, k) · 2 to the power of 13 − k of them: listed one by one."""
    cover, result = [["1", "X", "2"]] * 13, ("1", "X", "2", "1", "X", "2", "1", "X", "2", "1", "X", "2", "1")
    # Of the three marks of a position one hits: every row as hits and misses.
    found = Counter(map(sum, product((1, 0, 0), repeat=13)))
    counted = rows_by_matches(cover, result)
    assert rows_of(cover) == sum(counted) == 1_594_323
    assert list(counted) == [found[matches] for matches in range(14)]
    assert (counted[13], counted[12], counted[0]) == (1, 26, 8192)


def test_positions_that_were_not_held_match_no_row() -> None:
    """Of nine rows on two positions the second of which fell away, three match in the one that is left (D-22)."""
    assert rows_by_matches([["1", "X", "2"], ["1", "X", "2"]], ("1", None)) == (6, 3, 0)


def test_rows_of_many_matches_on_one_level_are_added_up() -> None:
    """Matches 0 to 3 on levels none, 2, 1, 1."""
    assert rows_by_level((8, 12, 6, 1), (None, 1, 0, 0)) == {None: 8, 1: 12, 0: 7}
    assert rows_by_level((0, 0, 9, 0), (None, 1, 0)) == {0: 9}
