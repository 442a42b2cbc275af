"""What Totolot-Variant lets an organizer announce, a player bet on and a protocol name."""

from datetime import UTC, date, datetime
from fractions import Fraction
from zoneinfo import ZoneInfo

import pytest

from tote.games.totolot_variant import GAME
from tote.rules.division import divide
from tote.rules.pool import AnnouncedTerms, BetGroup
from tote.rules.refusal import RuleError


def refusal(act, *told):
    with pytest.raises(RuleError) as refused:
        act(*told)
    return refused.value.code, refused.value.field


def test_its_jackpot_is_that_of_its_family():
    assert GAME.family == "totolot"


@pytest.mark.parametrize("percent", [None, Fraction(60), Fraction("60.00")])
def test_sixty_percent_are_for_prizes(percent):
    assert GAME.terms(AnnouncedTerms(fund_percent=percent)).fund_percent == 60


@pytest.mark.parametrize("percent", [0, 59, 70, 100, Fraction("60.01")])
def test_no_other_percent(percent):
    told = AnnouncedTerms(fund_percent=Fraction(percent))
    assert refusal(GAME.terms, told) == ("fund_percent_fixed", "fund_percent")


def test_a_minimum_coefficient_is_one_or_more():
    assert GAME.terms(AnnouncedTerms(minimum_coefficient=Fraction(1))).minimum_coefficient == 1
    told = AnnouncedTerms(minimum_coefficient=Fraction("0.999"))
    assert refusal(GAME.terms, told) == ("minimum_coefficient_under_one", "minimum_coefficient")


@pytest.mark.parametrize("code", ["1", "X", "1X", "Победа хозяев", "x" * 64])
def test_an_outcome_is_a_code(code):
    assert GAME.outcome(code) == code


@pytest.mark.parametrize("told", ["", " 1", "1 ", "1\n", "\x00", "x" * 65, 1, None, ["1"], True])
def test_what_is_no_outcome(told):
    assert refusal(GAME.outcome, told) == ("invalid_outcome", "outcome")


def test_a_result_names_one_true_outcome_or_several():
    assert GAME.result("1") == {"1"}
    assert GAME.result(["1", "X"]) == {"1", "X"}


@pytest.mark.parametrize(
    ("told", "code", "field"),
    [
        ([], "invalid_result", "result"),
        (["1", "1"], "invalid_result", "result"),
        (["1", 2], "invalid_outcome", "result[1]"),
        (None, "invalid_outcome", "result"),
        ({"1": True}, "invalid_outcome", "result"),
    ],
)
def test_what_is_no_result(told, code, field):
    assert refusal(GAME.result, told) == (code, field)


def test_only_the_full_match_wins():
    # Pool 400, fund 240 on the 100 bet on "1" itself: "1X" is another outcome.
    groups = [BetGroup("1", 100), BetGroup("1X", 100), BetGroup("x", 100), BetGroup("X", 100)]
    terms = GAME.terms(AnnouncedTerms())
    judge = GAME.judge(terms, GAME.result("1"))
    division = divide(terms, groups, [judge(group.outcome) for group in groups])
    assert [win.due for win in division.wins] == [240, 0, 0, 0]


def test_its_wins_are_paid_for_three_months():
    term = GAME.payment_term(datetime(2025, 1, 10, 15, tzinfo=UTC), ZoneInfo("Europe/Minsk"))
    assert (term.first_day, term.last_day) == (date(2025, 1, 11), date(2025, 4, 11))
