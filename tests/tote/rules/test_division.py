"""The mechanism itself, told who reached which level; amounts in kopecks."""

from fractions import Fraction

import pytest

from tote.rules.division import divide
from tote.rules.fund import pool_total, prize_fund
from tote.rules.levels import Level
from tote.rules.pool import BetGroup, GroupWin, PoolTerms

SIXTY = PoolTerms(Fraction(60))


def parted(*shares):
    """Levels of these parts of the fund: who reached which is told beside them, so that their ranges do not matter."""
    return tuple(Level(share, Fraction(place), Fraction(place)) for place, share in enumerate(shares))


# 60 % of 100, 101, 102, 103, 104, 105: 60, 60.6, 61.2, 61.8, 62.4, 63. Never under the percent (D-3).
@pytest.mark.parametrize(("pool", "fund"), [(100, 60), (101, 61), (102, 62), (103, 62), (104, 63), (105, 63), (0, 0)])
def test_the_fund_is_never_under_its_percent(pool, fund):
    assert prize_fund(pool, Fraction(60)) == fund


def test_a_fractional_percent_is_exact():
    # 82.5 % of 1214820 is 1002226.5.
    assert prize_fund(1_214_820, Fraction("82.5")) == 1_002_227


def test_a_group_stands_for_each_of_its_bets():
    assert pool_total([BetGroup("1", 250, 3), BetGroup("2", 1)]) == 751


def test_in_a_minus_pool_stake_and_tenth_are_told_apart():
    # A tenth of 1005 is 100.5, rounded up 101; the organizer pays it twice (D-5, D-21).
    division = divide(SIXTY, [BetGroup("1", 1005, 2)], [0])
    assert division.wins == (GroupWin(win=101, returned_stake=1005),)
    assert division.wins[0].due == 1106
    assert (division.withdrawal, division.fund, division.from_organizer) == (0, 0, 202)


def test_an_ordinary_win_holds_no_returned_stake():
    # Fund 60 of 100 on 50: each of the 50 is worth 6/5.
    division = divide(SIXTY, [BetGroup("1", 50), BetGroup("2", 50)], [0, None])
    assert division.wins == (GroupWin(win=60), GroupWin())


def test_a_minimum_coefficient_leaves_a_minus_pool_alone():
    terms = PoolTerms(Fraction(60), minimum_coefficient=Fraction(5))
    assert divide(terms, [BetGroup("1", 100)], [0]).wins == (GroupWin(win=10, returned_stake=100),)


def test_levels_divide_their_own_parts_and_an_empty_one_feeds_the_jackpot():
    # Pool 1000, fund 600: half 300 on stakes 200, three tenths 180 on 300, a fifth 120 on nothing.
    terms = PoolTerms(Fraction(60), levels=parted(Fraction(1, 2), Fraction(3, 10), Fraction(1, 5)))
    groups = [BetGroup("a", 200), BetGroup("b", 100, 3), BetGroup("c", 500)]
    division = divide(terms, groups, [0, 1, None])
    assert [win.due for win in division.wins] == [300, 60, 0]
    assert [level.coefficient for level in division.levels] == [Fraction(3, 2), Fraction(3, 5), None]
    assert [level.fund for level in division.levels] == [300, 180, 120]
    assert division.to_jackpot == 120


def test_a_level_fund_that_is_no_whole_kopeck_stays_exact():
    # Pool 100, fund 60, jackpot money 1: thirds of 61. One bet takes 20 of 20 1/3, the other level pays nobody.
    terms = PoolTerms(Fraction(60), jackpot_in=1, levels=parted(Fraction(1, 3), Fraction(2, 3)))
    division = divide(terms, [BetGroup("a", 10), BetGroup("b", 90)], [0, None])
    assert division.levels[0].fund == Fraction(61, 3)
    assert division.wins[0].win == 20
    assert division.to_jackpot == 41


def test_at_one_price_a_share_by_money_is_a_share_by_number():
    # 399.36 at 12.48 a bet, 70 %: fund 279.56 (279.552 rounded up) among four is 69.89 each.
    groups = [BetGroup("1", 1248, 4), BetGroup("2", 1248, 28)]
    division = divide(PoolTerms(Fraction(70)), groups, [0, None])
    assert division.fund == 27956
    assert division.wins[0].win == 27956 // 4 == 6989


@pytest.mark.parametrize(("stake", "count"), [(0, 1), (-100, 1), (100, 0), (100, -1)])
def test_no_group_of_nothing(stake, count):
    with pytest.raises(ValueError, match="at least one"):
        BetGroup("1", stake, count)


@pytest.mark.parametrize(
    "broken",
    [
        {"fund_percent": Fraction(101)},
        {"fund_percent": Fraction(-1)},
        {"fund_percent": Fraction(60), "jackpot_in": -1},
        {"fund_percent": Fraction(60), "levels": parted(Fraction(1, 2), Fraction(1, 3))},
    ],
)
def test_no_terms_that_lose_or_make_money(broken):
    with pytest.raises(ValueError, match=r"No pool|not the whole"):
        PoolTerms(**broken)
