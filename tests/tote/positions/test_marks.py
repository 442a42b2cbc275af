"""What a ticket of a pool of positions may mark, and what it costs (T-Rules 3, 5, 22.2, 24, 28)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.office import Office
from tests.tote.positions.announced import announced, asked, mark, positions, sold, upload


def refused(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json["code"]


def test_a_ticket_holds_as_many_bets_as_there_are_ways_of_taking_one_mark_a_position(office: Office) -> None:
    """1 · 2 · 1 · 3 are six rows; marks are kept in the order of the announcement, whatever order they came in."""
    announced(office)
    ticket = mark(office.cashier, "1 X1 2 2X1", "6.00").json
    assert (ticket["rows"], ticket["stake"], ticket["outcome"]) == (6, "6.00", "*")
    assert ticket["marks"] == [["1"], ["1", "X"], ["2"], ["1", "X", "2"]]
    again = office.organizer.get(f"/tickets/{ticket['number']}").json
    assert {name: again[name] for name in ("rows", "marks", "stake")} == {
        name: ticket[name] for name in ("rows", "marks", "stake")
    }
    assert office.organizer.get("/pools/P1/totals").json["pool"] == "6.00"


def test_t_rules_5_the_price_of_a_ticket_is_that_of_all_its_rows(office: Office) -> None:
    announced(office, price="2.50", fund_percent="70")
    for marks, stake, price, rows in (("1 1X 2 1X2", "2.50", "15.00", 6), ("1 1 1 1", "5.00", "2.50", 1)):
        answer = mark(office.cashier, marks, stake)
        assert refused(answer) == (422, "stake_is_not_the_price")
        assert (answer.json["price"], answer.json["rows"]) == (price, rows)
    assert mark(office.cashier, "1 1X 2 1X2", "15.00").json["rows"] == 6


def test_t_rules_24_limits_are_those_of_a_bet_and_not_of_the_ticket(office: Office) -> None:
    """Between 1.00 and 10.00 a row: four rows cost 4.00 to 40.00, each as much as the others."""
    announced(office, minimum_stake="1.00", maximum_stake="10.00")
    expected = {"3.96": "stake_under_minimum", "40.04": "stake_over_maximum", "4.01": "stake_is_not_divisible"}
    for stake, code in expected.items():
        assert refused(mark(office.cashier, "1 1X 1X 1", stake)) == (422, code)
        assert refused(upload(office.cashier, "1111 1X11 11X1 1XX1", stake)) == (422, code)
    for stake in ("4.00", "40.00", "4.04"):
        sold(mark(office.cashier, "1 1X 1X 1", stake))


@pytest.mark.parametrize("marks", ["1 X 2", "1 X 2 1 1", "1 X 2 3", "1 XX 2 1", "1 X 2 x"])
def test_marks_that_the_pool_does_not_offer(office: Office, marks: str) -> None:
    announced(office)
    assert refused(mark(office.cashier, marks, "1.00")) == (422, "marks_wrong")
    assert office.organizer.get("/tickets").json["items"] == []


def test_an_outcome_is_no_bet_on_positions_nor_marks_one_on_outcomes(office: Office) -> None:
    announced(office)
    office.pool("P2")
    for outcome in ("1", "*"):
        told = {"pool": "P1", "outcome": outcome, "stake": "1.00"}
        assert office.cashier.post("/pool-bets", told).json["code"] in ("marks_wrong", "validation_failed")
    assert refused(mark(office.cashier, "1", "1.00", "P2")) == (422, "marks_wrong")
    assert refused(upload(office.cashier, "1", "1.00", "P2")) == (422, "marks_wrong")
    for marks in ([["1"]] * 4, [[]], [{}], "1"):
        both = office.cashier.post("/pool-bets", {"pool": "P1", "outcome": "1", "marks": marks, "stake": "1.00"})
        assert both.status_code == 422
        assert both.json["errors"]["json"]["outcome"] == ["Назовите одно из: outcome, marks, uploaded."]


def test_two_million_bets_are_as_many_as_a_ticket_may_hold(office: Office) -> None:
    """Three marks in thirteen positions are 1,594,323; in fourteen they would be 4,782,969."""
    announced(office, positions=positions(14), minimum_stake="0.01")
    answer = mark(office.cashier, "1X2 " * 14, "47829.69")
    assert refused(answer) == (422, "ticket_too_large")
    assert (answer.json["rows"], answer.json["most"]) == (4_782_969, 2_000_000)


def test_a_batch_takes_tickets_of_positions_too(office: Office) -> None:
    announced(office)
    office.pool("P2")
    lines = [
        {"key": "batch-line-0001", "pool": "P1", "marks": [["1"], ["X"], ["2"], ["1", "X"]], "stake": "4.00"},
        {"key": "batch-line-0002", "pool": "P2", "outcome": "1", "stake": "3.00"},
        {"key": "batch-line-0003", "pool": "P1", "uploaded": "1X21\nXXXX", "stake": "2.00"},
        {"key": "batch-line-0004", "pool": "P1", "marks": [["1"]], "stake": "2.00"},
    ]
    answered = office.cashier.post("/pool-bet-batches", {"lines": lines}).json["lines"]
    assert [line["ticket"] and line["ticket"]["rows"] for line in answered] == [2, 1, 2, None]
    assert answered[3]["problem"]["code"] == "marks_wrong"
    again = office.cashier.post("/pool-bet-batches", {"lines": lines}).json["lines"]
    assert [line["ticket"] for line in again] == [line["ticket"] for line in answered]
    assert office.organizer.get("/pools/P1/totals").json["pool"] == "6.00"


def test_a_repeat_under_its_key_is_the_same_ticket(office: Office) -> None:
    announced(office)
    first = mark(office.cashier, "1 1X 2 1", "4.00", key="the-same-ticket-1")
    again = mark(office.cashier, "1 1X 2 1", "4.00", key="the-same-ticket-1")
    assert (again.json, again.headers["Idempotency-Replayed"]) == (first.json, "true")
    other = mark(office.cashier, "1 1X 2 X", "4.00", key="the-same-ticket-1")
    assert refused(other) == (422, "idempotency_key_reused")
    assert len(office.organizer.get("/tickets").json["items"]) == 1


def test_a_game_account_pays_for_the_whole_ticket_or_there_is_none(office: Office) -> None:
    announced(office)
    player = office.player("ivan", "5.00")
    assert refused(mark(player, "1 1X 2 1X2", "6.00")) == (409, "insufficient_funds")
    assert refused(upload(player, "1111 1112 1121 1122 1211 1212", "6.00")) == (409, "insufficient_funds")
    sold(mark(player, "1 1X 2 1X", "4.00"))
    assert player.get("/players/me").json["balance"] == "1.00"


WRONG_TERMS: dict[str, tuple[dict[str, Any], str]] = {
    "levels that share a percent": (
        {"levels": [{"from": "75", "to": "100", "share": "60"}, {"from": "50", "to": "75", "share": "40"}]},
        "levels_overlap",
    ),
    "shares of 99.99 percent": ({"levels": [{"from": "100", "to": "100", "share": "99.99"}]}, "shares_not_whole"),
    "a level over 100": ({"levels": [{"from": "100", "to": "100.01", "share": "100"}]}, "level_out_of_range"),
    "no levels": ({"levels": None}, "missing_field"),
    "outcomes instead of positions": (
        {"positions": None, "outcomes": [{"code": "1", "name": "П1"}, {"code": "2", "name": "П2"}]},
        "missing_field",
    ),
    "a choice that Sportloto does not have": (
        {"price": "1.00", "fund_percent": "70", "empty_level": "other_levels"},
        "unknown_field",
    ),
    "positions of a game of outcomes": ({"game": "totolot_variant", "levels": None}, "missing_field"),
}


@pytest.mark.parametrize("name", WRONG_TERMS)
def test_terms_that_the_game_does_not_allow(office: Office, name: str) -> None:
    terms, rule = WRONG_TERMS[name]
    answer = office.organizer.post("/pools", asked(office, **terms))
    assert (answer.status_code, answer.json["code"], answer.json["rule"]) == (422, "rule_broken", rule)
    assert office.organizer.get("/pools").json["items"] == []


@pytest.mark.parametrize(
    "wrong",
    [positions(1), [*positions(2), *positions(1)], positions(2, codes=("1", "1"))],
    ids=["one", "twice", "alike"],
)
def test_positions_are_two_at_least_and_told_apart(office: Office, wrong: list[dict[str, Any]]) -> None:
    answer = office.organizer.post("/pools", asked(office, positions=wrong))
    assert refused(answer) == (422, "pool_terms_wrong")


def test_t_rules_11_3_the_table_of_matches_is_announced_with_the_pool(office: Office) -> None:
    """A bound of 66.67 misses 2 of 3, which are 200/3; as a fraction it holds them (T-Rules 36.2)."""
    three = positions(3)
    bound = lambda lowest: [{"from": lowest, "to": "100", "share": "100"}]  # noqa: E731
    missed = announced(office, "P1", positions=three, levels=bound("66.67"))
    held = announced(office, "P2", positions=three, levels=bound("200/3"))
    percents = ["0", "100/3", "200/3", "100"]
    for pool, reached in ((missed, [None, None, None, 1]), (held, [None, None, 1, 1])):
        assert [line["percent"] for line in pool["matches"]] == percents
        assert [line["level"] for line in pool["matches"]] == reached
    assert missed["levels"] == [{"from": "6667/100", "to": "100", "share": "100"}]
    assert (held["empty_level"], held["not_held"], held["outcomes"]) == ("jackpot", "return_pool", [])
    assert [position["code"] for position in held["positions"]] == ["1", "2", "3"]


def test_an_upload_may_be_larger_than_any_other_request(office: Office) -> None:
    """Over 4 MiB, which a batch may not have: a ticket of a million rows, all of them kept."""
    announced(office, minimum_stake="0.01")
    rows = "1X21\n" * 1_000_000
    ticket = office.cashier.post("/pool-bets", {"pool": "P1", "uploaded": rows, "stake": "10000.00"})
    assert (ticket.status_code, ticket.json["rows"]) == (201, 1_000_000)
    line = {"key": "batch-line-0001", "pool": "P1", "uploaded": rows, "stake": "10000.00"}
    batch = office.cashier.post("/pool-bet-batches", {"lines": [line]})
    assert refused(batch) == (413, "payload_too_large")
