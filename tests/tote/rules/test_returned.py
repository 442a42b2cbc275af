"""A pool whose event was not held: all stakes go back, nothing else moves (T-Rules 32)."""

from __future__ import annotations

from fractions import Fraction

from tote.rules.levels import Level
from tote.rules.pool import BetGroup, GroupWin, PoolTerms
from tote.rules.returned import divide_returned

GROUPS = (BetGroup("1", 10_00, 3), BetGroup("2", 1_01), BetGroup("X", 7))


def test_t_rules_32_every_stake_goes_back_and_nobody_wins() -> None:
    """30.00, 1.01 and 0.07 are 31.08; no withdrawal, no fund, nothing of the organizer's."""
    division = divide_returned(PoolTerms(Fraction(60)), GROUPS)
    assert division.wins == tuple(GroupWin(0, stake) for stake in (10_00, 1_01, 7))
    assert sum(group.count * win.due for group, win in zip(GROUPS, division.wins, strict=True)) == 31_08
    assert (division.pool, division.withdrawal, division.fund, division.from_organizer) == (31_08, 0, 0, 0)
    assert (division.returned, division.minus_pool, division.to_jackpot) == (True, False, 0)
    assert [(level.winning_bets, level.coefficient) for level in division.levels] == [(0, None)]


def test_jackpot_money_attached_to_the_pool_goes_back() -> None:
    assert divide_returned(PoolTerms(Fraction(60), jackpot_in=5_00), GROUPS).to_jackpot == 5_00


def test_of_several_levels_nobody_reached_any() -> None:
    terms = PoolTerms(Fraction(60), levels=(Level(Fraction(1, 4)), Level(Fraction(3, 4), Fraction(50), Fraction(50))))
    assert [level.winning_stake for level in divide_returned(terms, GROUPS).levels] == [0, 0]


def test_an_empty_pool_returns_nothing() -> None:
    division = divide_returned(PoolTerms(Fraction(60)), ())
    assert (division.pool, division.wins) == (0, ())
