"""A cover of 1,594,323 bets on one ticket: sold as fast as a single bet, settled exactly; and lists of rows as long."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from statistics import median
from typing import Any

import pytest

from tests.office import Office
from tests.prove.served import sized
from tests.tote.positions.announced import announced, decided, levels, paid, positions, sold

pytestmark = pytest.mark.prove
RESULT = "1X21X21X21X21"
CODES = "1X2"
TWO = [{"from": "100", "to": "100", "share": "50"}, {"from": "1200/13", "to": "1200/13", "share": "50"}]
MOST = 3
"""Times of a single bet that the cover may take (issue 6)."""
ROUNDS = 15


@pytest.fixture
def pool(office: Office) -> dict[str, Any]:
    """Thirteen matches from 0.01 a bet: half of the fund for 13 matches, half for 12."""
    return announced(office, positions=positions(13), levels=TWO, minimum_stake="0.01")


def bet(office: Office, stake: str, **told: Any) -> int:
    return sold(office.cashier.post("/pool-bets", {"pool": "P1", "stake": stake, **told}))


def timed(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def test_a_full_cover_is_sold_as_fast_as_a_single_bet_and_settled_exactly(office: Office, pool: dict[str, Any]) -> None:
    """All ways of marking thirteen matches, at 0.01 each: one has all thirteen right and 26 have twelve.

    The single bet matches in all. Of the pool of n covers and n bets of 1.00 sixty percent are the fund.
    """
    single, cover = [[code] for code in RESULT], [list(CODES)] * 13
    singles, covers = [], []
    bet(office, "1.00", marks=single)  # what the first bet of all looks up once
    for _ in range(ROUNDS):
        singles.append(timed(lambda: bet(office, "1.00", marks=single)))
        covers.append(timed(lambda: bet(office, "15943.23", marks=cover)))
    assert median(covers) <= MOST * median(singles)

    # Each row by itself, as the three marks of a position hit once and miss twice.
    listed = Counter(map(sum, product((1, 0, 0), repeat=13)))
    assert (listed.total(), listed[13], listed[12]) == (1_594_323, 1, 26)
    sheet = decided(office, pool, RESULT)
    # Kopecks: 16 single bets of 100, 15 covers of 1,594,323 rows of 1.
    staked = 16 * 100 + 15 * 1_594_323
    half = Fraction(-(-staked * 60 // 100), 2)
    assert sheet["rows"] == 16 + 15 * 1_594_323
    assert levels(sheet, "winning_bets", "winning_stake") == [(16 + 15, "16.15"), (15 * 26, "3.90")]
    all_right, twelve = int(half / 1615), int(half / 390)
    assert paid(office, 1)[:2] == ("won", shown(int(half * 100 / 1615)))
    assert paid(office, 3)[:2] == ("won", shown(all_right + 26 * twelve))


def test_rows_told_one_by_one_are_sold_whole_and_settled_exactly(office: Office, pool: dict[str, Any]) -> None:
    """A list as long as a ticket may be; the rows that match in thirteen and twelve are counted one by one beside it.

    A row by chance matches in all about once in 1.6 million, so that some of the result itself are among them.
    """
    number, chance = sized(100_000, 2_000_000), random.Random(20261201)
    rows = ["".join(chance.choices(CODES, k=13)) for _ in range(number - 3)]
    rows += [RESULT, RESULT, "2" + RESULT[1:]]
    chance.shuffle(rows)
    listed = Counter(sum(mark == true for mark, true in zip(row, RESULT, strict=True)) for row in rows)
    ticket = bet(office, shown(number), uploaded="\n".join(rows))
    bet(office, "1000.00", marks=[["1" if code != "1" else "2"] for code in RESULT])
    assert office.organizer.get(f"/tickets/{ticket}").json["rows"] == number
    sheet = decided(office, pool, RESULT)
    assert levels(sheet, "winning_bets") == [(listed[13],), (listed[12],)]
    half = Fraction(-(-(number + 100_000) * 60 // 100), 2)
    won = sum(listed[matches] * int(half / listed[matches]) for matches in (13, 12))
    assert paid(office, ticket)[:2] == ("won", shown(won))


def shown(kopecks: int) -> str:
    return f"{kopecks // 100}.{kopecks % 100:02}"
