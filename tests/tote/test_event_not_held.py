"""An event that was not held or was interrupted: every stake goes back (T-Rules 32, D-21)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.approvals.people import code_of
from tests.office import POOL, Member, Office

AFTER = "2022-11-22T16:00:00+03:00"
SOURCE = {"source": "извещение федерации"}


def sold(office: Office) -> tuple[dict[str, Any], list[dict[str, Any]], Member]:
    """10.00 on 1 and 30.01 on 2 at the desk, 5.00 on X from a game account: pool 45.01, fund 27.01 (27.006 up)."""
    pool, player = office.pool(), office.player("ivan", "5.00")
    tickets = [office.bet(office.cashier, outcome, stake).json for outcome, stake in (("1", "10.00"), ("2", "30.01"))]
    tickets.append(office.bet(player, "X", "5.00").json)
    return pool, tickets, player


def call_off(office: Office, pool: dict[str, Any], standing: str = "not_held") -> None:
    """Two persons fix that the event was not held."""
    assert office.confirm(pool, office.enter(pool, standing=standing, **SOURCE)).status_code == 201


@pytest.mark.parametrize("standing", ["not_held", "interrupted"])
def test_t_rules_32_every_stake_is_returned_and_the_withdrawal_with_it(office: Office, standing: str) -> None:
    """Withdrawn were 45.01 - 27.01 = 18.00; nothing is left in the fund, nothing went to the jackpot."""
    pool, tickets, player = sold(office)
    office.clock(AFTER)
    assert office.organizer.post("/pools/P1/closing").json["withdrawal"] == "18.00"
    call_off(office, pool, standing)
    sheet = office.organizer.post("/pools/P1/settlement").json

    figures = ("returned", "minus_pool", "wins", "to_jackpot", "from_organizer", "winning_bets", "coefficient")
    assert [sheet[name] for name in figures] == [True, False, "45.01", "0.00", "0.00", 0, None]
    assert {outcome["true"] for outcome in sheet["outcomes"]} == {None}
    assert [version["standing"] for version in sheet["versions"]] == [standing]
    shown = [office.organizer.get(f"/tickets/{ticket['number']}").json for ticket in tickets]
    assert [(one["status"], one["decision"], one["win"], one["stake_back"]) for one in shown] == [
        ("returned", "returned", "0.00", "10.00"),
        ("returned", "returned", "0.00", "30.01"),
        ("credited", "returned", "0.00", "5.00"),
    ]
    assert player.get("/players/me").json["balance"] == "5.00"
    kinds = ("withdrawal_revenue", "organizer", "jackpot", "prize_fund", "wins_payable")
    subjects = ("operator", "operator", "totolot", "pool:P1", "pool:P1")
    held = [office.balance(kind, subject) for kind, subject in zip(kinds, subjects, strict=True)]
    assert held == ["0.00", "1000.00", "0.00", "0.00", "40.01"]


def test_t_rules_32_a_returned_stake_is_paid_at_once_and_never_lapses(office: Office) -> None:
    """The terms of T-Rules 40 are those of wins: on the same day, and three years later (D-21)."""
    pool, (first, second, _), _ = sold(office)
    office.clock(AFTER)
    office.organizer.post("/pools/P1/closing")
    call_off(office, pool)
    office.organizer.post("/pools/P1/settlement")

    assert office.pay(first["code"]).json["amount"] == "10.00"
    assert code_of(office.pay(first["code"])) == (409, "already_paid")
    shown = office.organizer.get(f"/tickets/{second['number']}").json
    assert (shown["payable_from"][:16], shown["payable_until"]) == ("2022-11-22T13:00", None)
    office.clock("2025-11-22T16:00:00+03:00")
    assert office.pay(second["code"]).json["amount"] == "30.01"


def test_t_rules_32_an_event_is_called_off_before_its_start(office: Office) -> None:
    """At nine in the morning, while the pool is selling: its sales end with the protocol, and it can be settled."""
    pool, (first, *_), _ = sold(office)
    office.clock("2022-11-22T09:00:00+03:00")
    for early in ({"outcomes": ["1"]}, {"standing": "interrupted"}):
        refused = office.organizer.post(f"/events/{pool['event_id']}/results", {**early, **SOURCE})
        assert code_of(refused) == (409, "event_not_started"), "what was interrupted had begun"
    call_off(office, pool)
    assert code_of(office.bet(office.cashier, "1", "10.00")) == (409, "pool_closed")
    assert code_of(office.organizer.post("/pools/P1/closing")) == (409, "pool_already_closed")
    assert office.organizer.post("/pools/P1/settlement").json["wins"] == "45.01"
    assert office.pay(first["code"]).json["amount"] == "10.00"


def test_t_rules_32_a_pool_whose_sales_have_not_begun_is_ended_when_its_event_is_called_off(office: Office) -> None:
    pool = office.pool(opens_at="2022-11-22T12:00:00+03:00")
    assert code_of(office.organizer.post("/pools/P1/closing")) == (409, "pool_not_open")
    call_off(office, pool)
    assert code_of(office.organizer.post("/pools/P1/closing")) == (409, "pool_already_closed")
    sheet = office.organizer.post("/pools/P1/settlement").json
    assert (sheet["returned"], sheet["wins"], sheet["status"]) == (True, "0.00", "returned")
    office.clock("2022-11-22T12:30:00+03:00")
    assert code_of(office.bet(office.cashier, "1", "10.00")) == (409, "pool_closed")


def test_t_rules_32_no_pool_is_announced_on_an_event_that_was_called_off(office: Office) -> None:
    event = office.pool()["event_id"]
    call_off(office, {"code": "P1", "event_id": event})
    told = {**POOL, "code": "P2", "event_id": event}
    assert code_of(office.organizer.post("/pools", told)) == (409, "result_already_fixed")


def test_a_result_names_outcomes_exactly_when_the_event_was_held(office: Office) -> None:
    pool = office.pool()
    office.clock(AFTER)
    path = f"/events/{pool['event_id']}/results"
    for body in ({}, {"outcomes": []}, {"standing": "not_held", "outcomes": ["1"]}, {"standing": "postponed"}):
        refused = office.organizer.post(path, {**SOURCE, **body})
        assert code_of(refused) == (422, "validation_failed"), body
    entered = office.organizer.post(path, {**SOURCE, "standing": "interrupted", "score": "1:0, 60-я минута"})
    assert (entered.json["standing"], entered.json["outcomes"]) == ("interrupted", [])
    assert office.organizer.post(path, {**SOURCE, "outcomes": ["1"]}).json["standing"] == "held"
    waiting = office.second_organizer.get(f"/approvals/{entered.json['approval']}").json
    assert waiting["content"]["standing"] == "interrupted"


def test_t_rules_32_the_first_result_of_a_held_event_stands_when_it_is_annulled(office: Office) -> None:
    """That the event counts as not held afterwards is no first result any more; only an error is corrected."""
    pool, _, _ = sold(office)
    office.determine(pool, "1")
    body = {"standing": "not_held", **SOURCE}
    again = office.organizer.post(f"/events/{pool['event_id']}/results", body)
    assert code_of(again) == (409, "result_already_fixed")
