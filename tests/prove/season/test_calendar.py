"""The calendar of a season, held against the list it was taken from where that lies beside the checkout."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from pathlib import Path

import pytest

from tests.prove.season.calendar import ENGLAND, OUTCOMES, POSITIONS, Match, matches, rounds

pytestmark = pytest.mark.prove
NAME = "E0_2024-25.csv"
BESIDE_THE_CHECKOUT = Path(__file__).parents[4] / "shared" / "data" / NAME


def lists() -> list[Path]:
    """The list, in a folder named by SHARED_DATA or beside the checkout; none where there is no such folder."""
    named = os.environ.get("SHARED_DATA")
    if named:
        return [Path(named) / NAME]
    return [BESIDE_THE_CHECKOUT] if BESIDE_THE_CHECKOUT.exists() else []


def told_by(file: Path) -> Iterator[Match]:
    """The matches of the list; its hours are those of the clocks in England."""
    with file.open(encoding="utf-8-sig", newline="") as opened:
        for row in csv.DictReader(opened):
            began = datetime.strptime(f"{row['Date']} {row['Time']} +0000", "%d/%m/%Y %H:%M %z")
            yield Match(began.replace(tzinfo=ENGLAND), OUTCOMES[row["FTR"]])


def test_the_calendar_is_that_of_the_list() -> None:
    """261 matches in their order; where the list is at hand, each began and ended as it says."""
    played = list(matches())
    assert len(played) == 261
    assert all(earlier.began <= later.began for earlier, later in pairwise(played))
    for file in lists():
        assert list(told_by(file)) == played


@pytest.mark.parametrize("number", [10, 38])
def test_rounds_are_ten_neighbours_each_from_the_first_match_to_the_last(number: int) -> None:
    played, told = list(matches()), rounds(number)
    assert [one.number for one in told] == list(range(1, number + 1))
    assert (told[0].matches[0], told[-1].matches[-1]) == (played[0], played[-1])
    for one in told:
        first = next(place for place in range(len(played)) if tuple(played[place : place + POSITIONS]) == one.matches)
        assert len(one.outcomes) == POSITIONS and first + POSITIONS <= len(played)
