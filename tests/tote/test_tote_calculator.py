"""The tote calculator's contract: worked cases, what it refuses and how."""

import json
import os
from pathlib import Path

import pytest

from tote.calculator import calculate

HERE = Path(__file__).parent
BESIDE_THE_CHECKOUT = HERE.parents[2] / "shared" / "cases"


def case_files():
    """The project's own tables, always; and `tote.jsonl` of a folder beside the checkout or named by SHARED_CASES."""
    own = sorted(HERE.glob("cases/*.jsonl"))
    named = os.environ.get("SHARED_CASES")
    if named:
        return [*own, Path(named) / "tote.jsonl"]
    beside = BESIDE_THE_CHECKOUT / "tote.jsonl"
    return [*own, beside] if beside.exists() else own


def worked_cases():
    for file in case_files():
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            worked = json.loads(line)
            yield pytest.param(worked["case"], worked["expected"], id=f"{file.stem}-{number}")


@pytest.mark.parametrize(("case", "expected"), list(worked_cases()))
def test_worked_cases(case, expected):
    answer = calculate(case)
    assert {field: answer.get(field) for field in expected} == expected
    assert answer["id"] == case["id"]


def told(**changed):
    case = {
        "calculator": "tote",
        "currency": "BYN",
        "game": "totolot_variant",
        "bets": [{"outcome": "1", "stake": "10.00"}, {"outcome": "2", "stake": "10.00"}],
        "result": "1",
    }
    return {field: value for field, value in {**case, **changed}.items() if value is not LEFT_OUT}


LEFT_OUT = object()


def bet(**changed):
    return [{"outcome": "2", "stake": "1.00"}, {"outcome": "1", "stake": "10.00", **changed}]


def test_a_whole_answer():
    # Pool 20.00, fund 12.00 on 10.00.
    assert calculate(told()) == {
        "pool": "20.00",
        "withdrawal": "8.00",
        "fund": "12.00",
        "minus_pool": False,
        "to_jackpot": "0.00",
        "from_organizer": "0.00",
        "levels": [
            {
                "winning_bets": 1,
                "winning_stake": "10.00",
                "fund": "12/1",
                "fund_display": "12.0000",
                "coefficient": "6/5",
                "coefficient_display": "1.2000",
            }
        ],
        "wins": ["12.00", "0.00"],
    }


@pytest.mark.parametrize("name", ["a", 7, None])
def test_the_id_is_echoed_in_answers_and_errors(name):
    assert calculate(told(id=name))["id"] == name
    assert calculate(told(id=name, result=LEFT_OUT))["id"] == name


@pytest.mark.parametrize("percent", ["60", "60.00"])
def test_the_fixed_percent_may_be_told(percent):
    assert calculate(told(fund_percent=percent)) == calculate(told())


@pytest.mark.parametrize(
    ("case", "code", "field"),
    [
        (told(calculator="bookmaker"), "wrong_calculator", "calculator"),
        (told(calculator=LEFT_OUT), "missing_field", "calculator"),
        (told(currency="USD"), "unsupported_currency", "currency"),
        (told(currency=LEFT_OUT), "missing_field", "currency"),
        (told(game="lotto"), "unknown_game", "game"),
        (told(game=LEFT_OUT), "missing_field", "game"),
        (told(bets=LEFT_OUT), "missing_field", "bets"),
        (told(bets={"outcome": "1"}), "not_a_list", "bets"),
        (told(bets=["1"]), "not_an_object", "bets[0]"),
        (told(result=LEFT_OUT), "missing_field", "result"),
        (told(result=[]), "invalid_result", "result"),
        (told(takeout="20"), "unknown_field", "takeout"),
        (told(price="1.00"), "unknown_field", "price"),
        (told(maximum_win="5.00"), "unknown_field", "maximum_win"),
        (told(fund_percent="70"), "fund_percent_fixed", "fund_percent"),
        (told(fund_percent=60), "not_a_string", "fund_percent"),
        (told(jackpot_in="-1.00"), "not_plain_decimal", "jackpot_in"),
        (told(jackpot_in=None), "not_a_string", "jackpot_in"),
        (told(minimum_coefficient="0.99"), "minimum_coefficient_under_one", "minimum_coefficient"),
        (told(minimum_coefficient="1.0001"), "too_many_places", "minimum_coefficient"),
        (told(bets=bet(stake="-100.00")), "not_plain_decimal", "bets[1].stake"),
        (told(bets=bet(stake="0.00")), "not_positive", "bets[1].stake"),
        (told(bets=bet(stake="-0")), "not_plain_decimal", "bets[1].stake"),
        (told(bets=bet(stake=12345678901234567.89)), "not_a_string", "bets[1].stake"),
        (told(bets=bet(stake="1.005")), "too_many_places", "bets[1].stake"),
        (told(bets=bet(outcome="")), "invalid_outcome", "bets[1].outcome"),
        (told(bets=bet(marks=["1"])), "unknown_field", "bets[1].marks"),
        (told(bets=[{"stake": "1.00"}]), "missing_field", "bets[0].outcome"),
        (told(bets=[{"outcome": "1"}]), "missing_field", "bets[0].stake"),
        (told(bets=bet(count=0)), "invalid_count", "bets[1].count"),
        (told(bets=bet(count=-1)), "invalid_count", "bets[1].count"),
        (told(bets=bet(count=True)), "invalid_count", "bets[1].count"),
        (told(bets=bet(count=1.0)), "invalid_count", "bets[1].count"),
        (told(bets=bet(count="2")), "invalid_count", "bets[1].count"),
        (told(bets=bet(count=2**63 - 1)), "out_of_range", "bets"),
        (told(jackpot_in="92233720368547758.07"), "out_of_range", "bets"),
        ([], "not_an_object", None),
        ("tote", "not_an_object", None),
    ],
)
def test_a_case_that_breaks_a_rule_is_an_answer(case, code, field):
    answer = calculate(case)
    assert (answer["error"]["code"], answer["error"]["field"]) == (code, field)
    assert answer["error"]["message"]
    assert answer.keys() == {"error"}


def positions(**changed):
    marked = {"marks": ["1", "X"], "stake": "1.00"}
    full = [{"from": "100", "to": "100", "share": "100"}]
    return told(**{"game": "totolot_position", "bets": [marked], "result": ["1", "X"], "levels": full, **changed})


def levels(**changed):
    return [{"from": "100", "to": "100", "share": "100", **changed}]


@pytest.mark.parametrize(
    ("case", "code", "field"),
    [
        (positions(bets=[{"marks": ["1"], "stake": "1.00"}]), "wrong_number_of_marks", "bets[0].marks"),
        (positions(bets=[{"marks": ["1", "X", "2"], "stake": "1.00"}]), "wrong_number_of_marks", "bets[0].marks"),
        (positions(bets=[{"marks": ["1", None], "stake": "1.00"}]), "invalid_outcome", "bets[0].marks[1]"),
        (positions(bets=[{"marks": [], "stake": "1.00"}]), "invalid_marks", "bets[0].marks"),
        (positions(bets=[{"marks": ["1"] * 101, "stake": "1.00"}]), "invalid_marks", "bets[0].marks"),
        (positions(bets=[{"marks": "1X", "stake": "1.00"}]), "invalid_marks", "bets[0].marks"),
        (positions(bets=[{"outcome": "1", "stake": "1.00"}]), "unknown_field", "bets[0].outcome"),
        (positions(result="1"), "invalid_result", "result"),
        (positions(result=["1", 2]), "invalid_outcome", "result[1]"),
        (positions(levels=LEFT_OUT), "missing_field", "levels"),
        (positions(levels={}), "not_a_list", "levels"),
        (positions(levels=["100"]), "not_an_object", "levels[0]"),
        (positions(levels=levels(share="99.9999")), "shares_not_whole", "levels"),
        (positions(levels=levels(share="1/0")), "not_plain_fraction", "levels[0].share"),
        (positions(levels=levels(to="-100/1")), "not_plain_fraction", "levels[0].to"),
        (positions(levels=levels(to=f"{10**19}/{10**18}")), "not_plain_fraction", "levels[0].to"),
        (positions(levels=levels(**{"from": "66.66667"})), "too_many_places", "levels[0].from"),
        (positions(levels=levels(**{"from": 100})), "not_a_string", "levels[0].from"),
        (positions(levels=levels(percent="1")), "unknown_field", "levels[0].percent"),
        (positions(levels=[{"from": "1", "share": "100"}]), "missing_field", "levels[0].to"),
        (positions(empty_level="organizer"), "unknown_choice", "empty_level"),
        (positions(empty_level=None), "unknown_choice", "empty_level"),
        (told(levels=levels()), "unknown_field", "levels"),
    ],
)
def test_what_a_case_of_positions_may_break(case, code, field):
    test_a_case_that_breaks_a_rule_is_an_answer(case, code, field)
