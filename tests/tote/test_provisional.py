"""What a board shows before a game is summed up: coefficients that the division would give now (T-Rules 36.1)."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tote.games.totolot_variant import GAME
from tote.models import Pool
from tote.pools import frozen_terms
from tote.provisional import Prospect, prospects
from tote.rules.division import divide
from tote.rules.pool import BetGroup
from tote.rules.shares import raised
from tote.totals import OutcomeTotal, PoolTotals

CODES = ("1", "X", "2", "1X")
BETS = st.lists(st.tuples(st.sampled_from(CODES), st.integers(1, 10**9)), max_size=12)
MINIMA = st.none() | st.sampled_from(("1", "1.05", "3.5"))


def pool(minimum: str | None = None) -> Pool:
    """A Totolot pool as it was announced."""
    promised = None if minimum is None else Decimal(minimum)
    return Pool(game="totolot_variant", fund_percent=Decimal(60), minimum_coefficient=promised)


def totals(stakes: dict[str, int]) -> PoolTotals:
    """What is staked on each outcome, in minor units."""
    return PoolTotals(tuple(OutcomeTotal(code, code, 1 if staked else 0, staked) for code, staked in stakes.items()))


def test_t_rules_36_1_fund_over_the_stakes_that_would_win() -> None:
    """Of 1 000.00 the fund is 600.00: over 400.00 it is 3/2, over 500.00 6/5, over 100.00 6."""
    shown = prospects(pool(), totals({"1": 400_00, "X": 500_00, "2": 100_00}))
    assert shown == (Prospect(Fraction(3, 2)), Prospect(Fraction(6, 5)), Prospect(Fraction(6)))


def test_an_outcome_nobody_staked_on_has_none() -> None:
    """Nobody would share the fund: it would be the jackpot's (T-Rules 36.1)."""
    shown = prospects(pool(), totals({"1": 400_00, "X": 0, "2": 100_00}))
    assert shown == (Prospect(Fraction(3, 4)), Prospect(None), Prospect(Fraction(3)))
    assert prospects(pool(), totals({"1": 0, "X": 0})) == (Prospect(None), Prospect(None))


def test_t_prov_16_all_stakes_on_one_outcome_would_be_a_minus_pool() -> None:
    """No coefficient, minimum or not: the stake and a tenth of it."""
    for minimum in (None, "3.5"):
        shown = prospects(pool(minimum), totals({"1": 400_00, "X": 0}))
        assert shown == (Prospect(None, minus_pool=True), Prospect(None))


def test_d_6_a_coefficient_under_the_promise_is_shown_as_it_would_be_paid() -> None:
    """Of 1 000.00 on 900.00 the fund gives 600/900 = 2/3; promised is 1.05. On 100.00 it gives 6 by itself."""
    shown = prospects(pool("1.05"), totals({"1": 900_00, "2": 100_00}))
    assert shown == (Prospect(Fraction(21, 20), raised=True), Prospect(Fraction(6)))


def test_the_fund_is_that_of_d_3() -> None:
    """Of 0.03 the fund is 0.018, rounded up to 0.02: over 0.01 it is 2, over 0.02 it is 1."""
    assert prospects(pool(), totals({"1": 1, "2": 2})) == (Prospect(Fraction(2)), Prospect(Fraction(1)))


@given(BETS, MINIMA)
def test_it_is_what_the_division_of_the_very_bets_gives(bets: list[tuple[str, int]], minimum: str | None) -> None:
    """Summed up by outcome, or bet by bet: if an outcome came true now, that coefficient would be paid."""
    sums = {code: sum(stake for on, stake in bets if on == code) for code in CODES}
    announced = pool(minimum)
    groups = [BetGroup(code, stake) for code, stake in bets]
    for code, shown in zip(CODES, prospects(announced, totals(sums)), strict=True):
        judge = GAME.judge(frozen_terms(announced), frozenset((code,)))
        division = divide(frozen_terms(announced), groups, [judge(group.outcome) for group in groups])
        (level,) = division.levels
        assert shown.minus_pool == division.minus_pool
        if level.coefficient is None:
            assert shown.coefficient is None
        else:
            assert shown.coefficient == raised(level.coefficient, frozen_terms(announced).minimum_coefficient)
