"""What tells the four games of the rulebook apart, row by row as RULES 2 lays them out; every figure by hand."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tote.calculator import calculate
from tote.games.register import GAMES as KNOWN
from tote.games.register import game

TWO_LEVELS = [{"from": "100", "to": "100", "share": "60"}, {"from": "75", "to": "75", "share": "40"}]
GAMES = {
    "totolot_variant": {"result": "1"},
    "totolot_position": {"result": ["1", "X", "2", "1"], "levels": TWO_LEVELS, "empty_level": "jackpot"},
    "sportloto_variant": {"result": "1", "price": "2.50", "fund_percent": "70"},
    "sportloto_position": {
        "result": ["1", "X", "2", "1"],
        "levels": TWO_LEVELS,
        "price": "1.00",
        "fund_percent": "70",
    },
}
ALL, THREE, TWO = ["1", "X", "2", "1"], ["1", "X", "2", "X"], ["1", "X", "1", "X"]
"""Marks that match in four, three and two positions of four."""


def answered(code: str, bets: list[dict[str, Any]], **changed: Any) -> dict[str, Any]:
    case = {"calculator": "tote", "currency": "BYN", "game": code, "bets": bets, **GAMES[code], **changed}
    return calculate({field: value for field, value in case.items() if value is not None})


def refused(code: str, bets: list[dict[str, Any]], **changed: Any) -> tuple[str, str]:
    error = answered(code, bets, **changed)["error"]
    return error["code"], error["field"]


def test_the_four_games_are_known() -> None:
    assert set(GAMES) == set(KNOWN)


class TestStake:
    def test_t_rules_5_in_sportloto_every_bet_costs_the_price_of_the_pool(self) -> None:
        """Ten bets of 2.50 are 25.00; a bet tells no stake, and a pool has a price."""
        ten = [{"outcome": "1", "count": 4}, {"outcome": "X", "count": 6}]
        assert answered("sportloto_variant", ten)["pool"] == "25.00"
        assert refused("sportloto_variant", [{"outcome": "1", "stake": "5.00"}]) == ("unknown_field", "bets[0].stake")
        assert refused("sportloto_variant", ten, price=None) == ("missing_field", "price")
        assert refused("sportloto_variant", ten, price="0.00") == ("not_positive", "price")

    def test_t_rules_24_in_totolot_every_bet_tells_its_own_stake(self) -> None:
        bets = [{"marks": ALL, "stake": "0.01"}, {"marks": TWO, "stake": "99.99"}]
        assert answered("totolot_position", bets)["pool"] == "100.00"
        assert refused("totolot_position", [{"marks": ALL}]) == ("missing_field", "bets[0].stake")
        assert refused("totolot_position", bets, price="1.00") == ("unknown_field", "price")


class TestPrizeFund:
    @pytest.mark.parametrize(("percent", "fund"), [("70", "17.50"), ("82.5", "20.63"), ("100", "25.00")])
    def test_t_rules_4_sportloto_gives_at_least_70_percent(self, percent: str, fund: str) -> None:
        """Of 25.00: 17.50; 20.625, rounded up (D-3); all of it."""
        ten = [{"outcome": "1", "count": 4}, {"outcome": "X", "count": 6}]
        assert answered("sportloto_variant", ten, fund_percent=percent)["fund"] == fund

    @pytest.mark.parametrize("percent", ["69.9999", "0", "100.0001"])
    def test_t_rules_4_less_than_70_percent_or_more_than_all_is_refused(self, percent: str) -> None:
        assert refused("sportloto_variant", [], fund_percent=percent) == ("fund_percent_out_of_range", "fund_percent")
        assert refused("sportloto_position", [], fund_percent=None) == ("missing_field", "fund_percent")

    def test_t_rules_23_totolot_gives_60_percent(self) -> None:
        assert answered("totolot_position", [{"marks": TWO, "stake": "10.00"}])["fund"] == "6.00"
        assert refused("totolot_position", [], fund_percent="70") == ("fund_percent_fixed", "fund_percent")


class TestWhoWins:
    def test_t_rules_2_and_22_1_only_the_full_match(self) -> None:
        for code, stake in (("sportloto_variant", {}), ("totolot_variant", {"stake": "2.50"})):
            wins = answered(code, [{"outcome": "1", **stake}, {"outcome": "X", **stake}])["wins"]
            assert [win != "0.00" for win in wins] == [True, False]

    def test_t_rules_22_2_and_3_also_a_partial_match_that_is_on_a_level(self) -> None:
        """Four of four and three of four; two of four, 50 percent, are on no level."""
        for code, stake in (("sportloto_position", {}), ("totolot_position", {"stake": "1.00"})):
            wins = answered(code, [{"marks": marks, **stake} for marks in (ALL, THREE, TWO)])["wins"]
            assert [win != "0.00" for win in wins] == [True, True, False]


class TestShare:
    def test_t_rules_11_2_the_fund_over_the_number_of_winning_bets(self) -> None:
        """17.50 among three is 5.8333…: 5.83 each, 17.49 together, and 0.01 is left for the jackpot (D-3)."""
        answer = answered("sportloto_variant", [{"outcome": "1", "count": 3}, {"outcome": "2", "count": 7}])
        assert (answer["wins"], answer["to_jackpot"]) == (["5.83", "0.00"], "0.01")
        (level,) = answer["levels"]
        assert (level["win_per_bet"], level["win_per_bet_display"]) == ("35/6", "5.8333")
        assert (level["winning_bets"], level["winning_stake"], level["fund"]) == (3, "7.50", "35/2")
        assert "coefficient" not in level

    def test_t_rules_11_3_each_levels_fund_over_the_number_of_its_bets(self) -> None:
        """20.00, fund 14.00: 8.40 among two is 4.20; 5.60 among three is 1.8666…, 1.86; 14.00 - 8.40 - 5.58 = 0.02."""
        bets = [{"marks": ALL, "count": 2}, {"marks": THREE, "count": 3}, {"marks": TWO, "count": 15}]
        answer = answered("sportloto_position", bets)
        assert (answer["wins"], answer["to_jackpot"]) == (["4.20", "1.86", "0.00"], "0.02")
        assert [level["win_per_bet"] for level in answer["levels"]] == ["21/5", "28/15"]

    def test_t_rules_36_1_stake_times_the_fund_over_the_winning_stakes(self) -> None:
        """100.00, fund 60.00 over 40.00 is 1.5: 10.00 brings 15.00, 30.00 brings 45.00."""
        bets = [{"outcome": code, "stake": stake} for code, stake in (("1", "10.00"), ("1", "30.00"), ("2", "60.00"))]
        answer = answered("totolot_variant", bets)
        assert (answer["wins"], answer["levels"][0]["coefficient"]) == (["15.00", "45.00", "0.00"], "3/2")

    def test_t_rules_36_2_stake_times_the_levels_coefficient(self) -> None:
        """100.00, fund 60.00: 36.00 over 10.00 is 3.6; 24.00 over 15.00 and 5.00 is 1.2."""
        told = ((ALL, "10.00"), (THREE, "15.00"), (THREE, "5.00"), (TWO, "70.00"))
        answer = answered("totolot_position", [{"marks": marks, "stake": stake} for marks, stake in told])
        assert answer["wins"] == ["36.00", "18.00", "6.00", "0.00"]
        assert [level["coefficient"] for level in answer["levels"]] == ["18/5", "6/5"]
        assert answer["to_jackpot"] == "0.00"


class TestNobodyWins:
    def test_t_rules_17_4_and_36_1_the_whole_fund_feeds_the_jackpot(self) -> None:
        assert answered("sportloto_variant", [{"outcome": "X", "count": 10}])["to_jackpot"] == "17.50"
        assert answered("totolot_variant", [{"outcome": "X", "stake": "25.00"}])["to_jackpot"] == "15.00"

    def test_t_rules_11_4_the_fund_of_a_level_nobody_reached_feeds_the_jackpot(self) -> None:
        """20.00, fund 14.00: 8.40 of the first level; the second pays 5.60 to four."""
        answer = answered("sportloto_position", [{"marks": THREE, "count": 4}, {"marks": TWO, "count": 16}])
        assert (answer["wins"], answer["to_jackpot"]) == (["1.40", "0.00"], "8.40")
        assert refused("sportloto_position", [], empty_level="other_levels") == ("unknown_field", "empty_level")

    def test_t_rules_36_2_the_organizer_chooses_where_it_goes(self) -> None:
        """100.00, fund 60.00, nobody in the first level: 36.00 to the jackpot, or 60.00 over 20.00 is 3."""
        bets = [{"marks": THREE, "stake": "15.00"}, {"marks": THREE, "stake": "5.00"}, {"marks": TWO, "stake": "80.00"}]
        kept = answered("totolot_position", bets, empty_level="jackpot")
        assert (kept["wins"], kept["to_jackpot"]) == (["18.00", "6.00", "0.00"], "36.00")
        shared = answered("totolot_position", bets, empty_level="other_levels")
        assert (shared["wins"], shared["to_jackpot"]) == (["45.00", "15.00", "0.00"], "0.00")
        assert [level["fund"] for level in shared["levels"]] == ["0/1", "60/1"]

    def test_t_rules_36_2_and_d_7_in_proportion_to_their_own_shares(self) -> None:
        """Fund 60.00, 50/30/20 percent, nobody in the second: its 18.00 go 5 : 2, so 5/7 and 2/7 of 60.00."""
        levels = [
            {"from": str(at), "to": str(at), "share": share} for at, share in ((100, "50"), (75, "30"), (50, "20"))
        ]
        bets = [{"marks": ALL, "stake": "10.00"}, {"marks": TWO, "stake": "10.00"}]
        bets.append({"marks": ["2", "2", "1", "X"], "stake": "80.00"})
        answer = answered("totolot_position", bets, levels=levels, empty_level="other_levels")
        assert [level["fund"] for level in answer["levels"]] == ["300/7", "0/1", "120/7"]
        assert (answer["wins"], answer["to_jackpot"]) == (["42.85", "17.14", "0.00"], "0.01")

    def test_d_7_where_the_levels_reached_share_nothing_it_is_the_jackpots(self) -> None:
        levels = [{"from": "100", "to": "100", "share": "100"}, {"from": "75", "to": "75", "share": "0"}]
        bets = [{"marks": THREE, "stake": "50.00"}, {"marks": TWO, "stake": "50.00"}]
        answer = answered("totolot_position", bets, levels=levels, empty_level="other_levels")
        assert (answer["wins"], answer["to_jackpot"]) == (["0.00", "0.00"], "60.00")

    def test_without_any_bet_there_is_nothing_and_no_minus_pool(self) -> None:
        for code in GAMES:
            answer = answered(code, [])
            assert (answer["minus_pool"], answer["to_jackpot"], answer["wins"]) == (False, "0.00", [])


class TestLimits:
    TEN = ({"outcome": "1", "count": 4}, {"outcome": "X", "count": 6})

    def test_t_rules_6_a_cap_sends_what_goes_over_it_to_the_jackpot(self) -> None:
        """17.50 among four is 4.375; at most 4.00 each is 16.00, and 1.50 is left (D-4)."""
        answer = answered("sportloto_variant", [*self.TEN], maximum_win="4.00")
        assert (answer["wins"], answer["to_jackpot"], answer["from_organizer"]) == (["4.00", "0.00"], "1.50", "0.00")
        assert answer["levels"][0]["win_per_bet"] == "35/8"

    def test_t_rules_6_a_floor_is_paid_up_by_the_organizer(self) -> None:
        """4.37 each is earned, 17.48 together; at least 5.00 is 0.63 more for each of four (D-4)."""
        answer = answered("sportloto_variant", [*self.TEN], minimum_win="5.00")
        assert (answer["wins"], answer["to_jackpot"], answer["from_organizer"]) == (["5.00", "0.00"], "0.02", "2.52")

    def test_d_4_neither_holds_in_a_minus_pool(self) -> None:
        """Each of four gets 2.50 and a tenth of it, 0.25."""
        four = [{"outcome": "1", "count": 4}]
        answer = answered("sportloto_variant", four, minimum_win="50.00", maximum_win="60.00")
        assert (answer["wins"], answer["from_organizer"], answer["minus_pool"]) == (["2.75"], "1.00", True)

    def test_limits_that_cross_are_refused(self) -> None:
        crossed = refused("sportloto_variant", [], minimum_win="2.01", maximum_win="2.00")
        assert crossed == ("minimum_over_maximum", "minimum_win")
        assert answered("sportloto_variant", [*self.TEN], minimum_win="2.00", maximum_win="2.00")["wins"][0] == "2.00"
        assert refused("sportloto_variant", [], maximum_win="0.00") == ("not_positive", "maximum_win")

    @pytest.mark.parametrize("field", ["minimum_win", "maximum_win"])
    def test_totolot_has_none(self, field: str) -> None:
        for code in ("totolot_variant", "totolot_position"):
            assert refused(code, [], **{field: "1.00"}) == ("unknown_field", field)

    def test_d_6_a_minimum_coefficient_holds_at_every_level(self) -> None:
        """Fund 60.00: 36.00 over 60.00 is 0.6, raised to 1: 24.00 of the organizer's; 24.00 over 20.00 is over it."""
        told = ((ALL, "60.00"), (THREE, "20.00"), (TWO, "20.00"))
        bets = [{"marks": marks, "stake": stake} for marks, stake in told]
        answer = answered("totolot_position", bets, minimum_coefficient="1")
        assert (answer["wins"], answer["from_organizer"]) == (["60.00", "24.00", "0.00"], "24.00")
        assert refused("sportloto_position", [], minimum_coefficient="1") == ("unknown_field", "minimum_coefficient")


class TestPayPeriod:
    DETERMINED = datetime(2025, 1, 10, 15, tzinfo=UTC)

    @pytest.mark.parametrize(
        ("family", "last_day"),
        [("sportloto", date(2025, 4, 4)), ("totolot", date(2025, 4, 11))],
        ids=["t_rules_12_twelve_weeks", "t_rules_40_three_months"],
    )
    def test_from_the_next_day_on(self, family: str, last_day: date) -> None:
        """84 days behind 10 January; three months from 11 January (D-1)."""
        for kind in ("variant", "position"):
            term = game(f"{family}_{kind}").payment_term(self.DETERMINED, ZoneInfo("Europe/Minsk"))
            assert (term.first_day, term.last_day) == (date(2025, 1, 11), last_day)

    def test_t_rules_12_the_days_are_those_of_the_operator(self) -> None:
        """At 22:00 UTC it is the 11th in Minsk: twelve weeks are 12 January to 5 April, till midnight there."""
        late = datetime(2025, 1, 10, 22, tzinfo=UTC)
        term = game("sportloto_variant").payment_term(late, ZoneInfo("Europe/Minsk"))
        assert (term.first_day, term.last_day) == (date(2025, 1, 12), date(2025, 4, 5))
        assert term.end == datetime(2025, 4, 5, 21, tzinfo=UTC)


def test_t_rules_15_and_38_2_what_nobody_fetches_is_the_jackpot_of_the_family() -> None:
    families = {code: game(code).family for code in GAMES}
    assert families == {code: code.partition("_")[0] for code in GAMES}


class TestMinusPool:
    def test_d_5_every_bet_on_some_level_is_a_minus_pool(self) -> None:
        """1.00 and 0.10 each, whatever the level; jackpot money goes back."""
        bets = [{"marks": ALL}, {"marks": THREE, "count": 2}]
        answer = answered("sportloto_position", bets, jackpot_in="7.00")
        assert (answer["minus_pool"], answer["wins"]) == (True, ["1.10", "1.10"])
        assert (answer["withdrawal"], answer["fund"]) == ("0.00", "0.00")
        assert (answer["from_organizer"], answer["to_jackpot"]) == ("0.30", "7.00")
        assert [(level["winning_bets"], level["win_per_bet"]) for level in answer["levels"]] == [(1, None), (2, None)]

    def test_d_5_one_bet_beside_the_levels_makes_it_an_ordinary_pool(self) -> None:
        answer = answered("sportloto_position", [{"marks": ALL}, {"marks": TWO}])
        assert (answer["minus_pool"], answer["fund"]) == (False, "1.40")


class TestPositionsNotHeld:
    def test_d_22_they_leave_the_base(self) -> None:
        """Of three that were held three match: 100 percent; two of three are 66.67, on no level of 75."""
        result = ["1", None, "2", "1"]
        bets = [{"marks": ["1", "2", "2", "1"]}, {"marks": ["1", "X", "2", "X"]}]
        answer = answered("sportloto_position", bets, result=result)
        assert [win != "0.00" for win in answer["wins"]] == [True, False]

    def test_t_rules_32_where_none_was_held_there_is_no_result(self) -> None:
        none = [None, None, None, None]
        assert refused("totolot_position", [], result=none) == ("invalid_result", "result")
