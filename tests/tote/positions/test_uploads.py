"""Rows told one by one: read and packed without loss, counted as they stand, refused with the line that is wrong."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.refusals import Refusal
from tote.positions import Position
from tote.uploads import PART, matches_in, packed, unpacked

ONE_LETTER, WORDS = ("1", "X", "2"), ("1:0", "0:0", "other")
ROW_LISTS = st.integers(1, 6).flatmap(
    lambda width: st.lists(st.lists(st.integers(0, 2), min_size=width, max_size=width), min_size=1, max_size=30)
)


def positions(count: int, codes: Sequence[str] = ONE_LETTER) -> tuple[Position, ...]:
    return tuple(Position(str(number), str(number), tuple((code, code) for code in codes)) for number in range(count))


def refused(told: str, count: int = 3) -> tuple[str, object]:
    with pytest.raises(Refusal) as refusal:
        packed(told, positions(count))
    return refusal.value.code, refusal.value.facts.get("line")


@given(rows=ROW_LISTS, data=st.data())
@pytest.mark.parametrize(("codes", "apart"), [(ONE_LETTER, ","), (ONE_LETTER, ""), (WORDS, ",")])
def test_rows_are_kept_and_counted_as_they_were_told(
    codes: Sequence[str], apart: str, rows: list[list[int]], data: st.DataObject
) -> None:
    announced, lines = positions(len(rows[0]), codes), [[codes[place] for place in row] for row in rows]
    parts = packed("\n".join(apart.join(line) for line in lines), announced)
    assert list(unpacked(parts, announced)) == [",".join(line) for line in lines]
    true = [data.draw(st.sampled_from((0, 1, 2, None))) for _ in rows[0]]
    by_row = [sum(mark == place for mark, place in zip(row, true, strict=True)) for row in rows]
    counted = [sum(some) for some in zip(*(matches_in(part, true) for part in parts), strict=True)]
    assert counted == [by_row.count(matches) for matches in range(len(true) + 1)]


def test_a_long_list_is_kept_in_parts() -> None:
    """25,000 rows: two whole parts and a half; every third of them is right in the first position."""
    rows = [ONE_LETTER[number % 3] + "X2" for number in range(25_000)]
    parts = packed("\n".join(rows), positions(3))
    assert [part.rows for part in parts] == [PART, PART, 5_000]
    assert [len(part.places) for part in parts] == [3 * PART, 3 * PART, 15_000]
    # 8,334 rows of "1X2" match in three, the others in two.
    counted = [sum(some) for some in zip(*(matches_in(part, (0, 1, 2)) for part in parts), strict=True)]
    assert counted == [0, 0, 16_666, 8_334]


def test_lines_end_as_any_system_ends_them() -> None:
    for told in ("1X2\n22X", "1X2\r\n22X\r\n", "1X2\n22X\n"):
        assert list(unpacked(packed(told, positions(3)), positions(3))) == ["1,X,2", "2,2,X"]


@pytest.mark.parametrize(
    ("told", "line"),
    [
        ("1X2\n1X", 2),
        ("1X2\n\n1X2", 2),
        ("1X2\n1X2\n1Х2", 3),  # a Cyrillic letter that looks like the right one
        ("1,X,2\n1,X,3", 2),
        ("1,X,2\n1,X", 2),
        ("1X2\n1,X,2", 1),
        ("\n", 1),
        ("   ", 1),
        ("ÿÿÿ", 1),
    ],
)
def test_the_first_line_that_is_no_row_is_named(told: str, line: int) -> None:
    assert refused(told) == ("rows_unreadable", line)


def test_a_wrong_line_is_named_in_a_later_part_too() -> None:
    assert refused("1X2\n" * 12_345 + "1X9\n1X2") == ("rows_unreadable", 12_346)


def test_more_rows_than_a_ticket_may_hold() -> None:
    """Two million are as many as may be; the rows of the one too many are not even read."""
    assert refused("?\n" * 2_000_001) == ("ticket_too_large", None)
