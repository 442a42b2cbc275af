"""The two ways in which a season's books count rows, held against each other."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import comb
from random import Random

import pytest

from tests.prove.season.covers import matches_chosen, matches_listed, matches_of_cover
from tests.prove.season.punters import CODES

pytestmark = pytest.mark.prove


def test_every_cover_is_counted_alike_by_listing_and_by_choosing() -> None:
    """Random covers of up to some thousand rows, a third of them with positions that were not held."""
    chance = Random(1966)
    for _ in range(60):
        marks = [chance.sample(CODES, chance.choice((1, 1, 2, 2, 3))) for _ in range(chance.randint(2, 9))]
        true = [chance.choice((*CODES, *CODES, None)) for _ in marks]
        assert matches_chosen(marks, true) == matches_listed(product(*marks), true)


def test_a_full_cover_by_hand() -> None:
    """Of all 59,049 rows one matches in ten positions, C(10,1)·2 = 20 in nine, C(10,2)·4 = 180 in eight, and so on.

    Where one of ten was not held, a third match in all nine that were: each way of the tenth position.
    """
    full = [CODES] * 10
    true: list[str | None] = ["1", "X", "2", "1", "X", "2", "1", "X", "2", "1"]
    assert matches_of_cover(full, true) == Counter({n: comb(10, n) * 2 ** (10 - n) for n in range(11)})
    found = matches_of_cover(full, [None, *true[1:]])
    assert found == Counter({n: 3 * comb(9, n) * 2 ** (9 - n) for n in range(10)})
