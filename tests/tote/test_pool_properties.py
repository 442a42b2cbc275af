"""What holds for every pool whatever, and a second reckoning of each, bet by bet."""

from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tests.tote.reckoning import reckoned_by_bet
from tote.games.totolot_variant import GAME
from tote.rules.division import divide
from tote.rules.pool import AnnouncedTerms, BetGroup

OUTCOMES = ["1", "X", "2"]

groups_of_bets = st.lists(
    st.builds(
        BetGroup,
        outcome=st.sampled_from(OUTCOMES),
        stake=st.one_of(st.integers(1, 30), st.integers(1, 200_000)),
        count=st.integers(1, 12),
    ),
    max_size=8,
)
results = st.sets(st.sampled_from(OUTCOMES), min_size=1).map(frozenset)
minimums = st.one_of(st.none(), st.integers(1000, 3000).map(lambda thousandths: Fraction(thousandths, 1000)))
announced_terms = st.builds(
    AnnouncedTerms,
    minimum_coefficient=minimums,
    jackpot_in=st.one_of(st.just(0), st.integers(0, 10**7)),
)


def divided(announced, groups, result):
    terms = GAME.terms(announced)
    judge = GAME.judge(terms, result)
    return divide(terms, groups, [judge(group.outcome) for group in groups])


def all_due(division, groups):
    return sum(group.count * win.due for group, win in zip(groups, division.wins, strict=True))


@given(announced_terms, groups_of_bets, results)
def test_every_kopeck_is_somewhere(announced, groups, result):
    division = divided(announced, groups, result)
    due = all_due(division, groups)
    if division.minus_pool:
        assert division.pool + division.from_organizer == due
        assert division.to_jackpot == announced.jackpot_in
    else:
        assert division.pool == division.withdrawal + division.fund
        assert division.fund + announced.jackpot_in + division.from_organizer == due + division.to_jackpot


@given(announced_terms, groups_of_bets, results)
def test_nothing_is_negative_and_the_fund_keeps_its_percent(announced, groups, result):
    division = divided(announced, groups, result)
    assert min(division.pool, division.withdrawal, division.fund, division.to_jackpot, division.from_organizer) >= 0
    assert all(win.win >= 0 and win.returned_stake >= 0 for win in division.wins)
    if not division.minus_pool:
        # At least 60 %, and less than one kopeck over it.
        assert 0 <= 100 * division.fund - 60 * division.pool < 100


@given(st.integers(0, 10**7), groups_of_bets, results)
def test_without_a_minimum_the_fund_pays_for_everything(jackpot_in, groups, result):
    division = divided(AnnouncedTerms(jackpot_in=jackpot_in), groups, result)
    if not division.minus_pool:
        assert all_due(division, groups) <= division.fund + jackpot_in
        assert division.from_organizer == 0


@given(announced_terms, groups_of_bets, results)
def test_the_residue_is_under_a_kopeck_a_winning_bet(announced, groups, result):
    division = divided(announced, groups, result)
    winning = division.levels[0].winning_bets
    if winning and not division.minus_pool:
        assert division.to_jackpot < winning


@given(announced_terms, groups_of_bets, results, st.randoms(use_true_random=False))
def test_order_does_not_matter(announced, groups, result, chance):
    places = list(range(len(groups)))
    chance.shuffle(places)
    straight = divided(announced, groups, result)
    shuffled = divided(announced, [groups[place] for place in places], result)
    assert shuffled.wins == tuple(straight.wins[place] for place in places)
    assert (shuffled.to_jackpot, shuffled.from_organizer) == (straight.to_jackpot, straight.from_organizer)


@given(announced_terms, groups_of_bets, results)
def test_equal_bets_win_equally_however_they_are_grouped(announced, groups, result):
    one_by_one = [BetGroup(group.outcome, group.stake) for group in groups for _ in range(group.count)]
    grouped = divided(announced, groups, result)
    single = divided(announced, one_by_one, result)
    assert single.wins == tuple(
        win for group, win in zip(groups, grouped.wins, strict=True) for _ in range(group.count)
    )
    assert (single.to_jackpot, single.from_organizer) == (grouped.to_jackpot, grouped.from_organizer)


@given(groups_of_bets, results, st.integers(0, 10**6), st.integers(1000, 2000))
def test_a_second_reckoning_agrees(groups, result, jackpot_in, thousandths):
    bets = [(group.outcome, group.stake) for group in groups for _ in range(group.count)]
    wins, to_jackpot, from_organizer = reckoned_by_bet(bets, result, jackpot_in, Decimal(thousandths) / 1000)
    announced = AnnouncedTerms(minimum_coefficient=Fraction(thousandths, 1000), jackpot_in=jackpot_in)
    division = divided(announced, groups, result)
    per_bet = [win.due for group, win in zip(groups, division.wins, strict=True) for _ in range(group.count)]
    assert (per_bet, division.to_jackpot, division.from_organizer) == (wins, to_jackpot, from_organizer)
