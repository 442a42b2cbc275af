"""Announcing a pool: each wrong term by itself, and what is frozen (T-Rules 24)."""

from __future__ import annotations

from typing import Any

from office.settings.register import REGISTER
from tests.office import EVENT, POOL, Office
from tests.rulebook.facts import refusals_of

WRONG_TERMS: dict[str, dict[str, Any]] = {
    "the window ends as it begins": {"closes_at": "2022-11-22T08:00:00+03:00"},
    "sold after the start": {"closes_at": "2022-11-22T13:00:01+03:00"},
    "limits crossed": {"minimum_stake": "10.01", "maximum_stake": "10.00"},
    "an outcome twice": {"outcomes": [{"code": "1", "name": "П1"}, {"code": "1", "name": "П1 ещё раз"}]},
    "a stake beyond what a pool may allow": {"maximum_stake": "1000000000.01"},
    "a promise beyond what can be kept": {"minimum_coefficient": "100.001"},
    "a window that is over": {"opens_at": "2022-11-22T06:00:00+03:00", "closes_at": "2022-11-22T07:59:59+03:00"},
}


def terms(office: Office) -> dict[str, Any]:
    """The terms of an announced pool, as another one would be announced on them."""
    shown = office.pool()
    left_out = ("id", "currency", "fund_percent", "matches", "status", "stop")
    return {**{name: shown[name] for name in shown if name not in left_out}, "code": "P2"}


def test_each_wrong_term_is_refused(office: Office) -> None:
    right = terms(office)
    for name, wrong in WRONG_TERMS.items():
        answer = office.organizer.post("/pools", {**right, **wrong})
        assert (answer.status_code, answer.json["code"]) == (422, "pool_terms_wrong"), name
    assert office.organizer.post("/pools", {**right, "event_id": 99}).json["code"] == "not_found"
    assert office.organizer.post("/pools", {**right, "code": "P1"}).json["code"] == "code_taken"
    assert [pool["code"] for pool in office.organizer.get("/pools").json["items"]] == ["P1"]


def test_the_edges_of_right_terms(office: Office) -> None:
    """Sold up to the start itself, one stake only, the largest one, and the largest promise."""
    edges = {"closes_at": "2022-11-22T13:00:00+03:00", "minimum_stake": "1000000000.00", "minimum_coefficient": "100"}
    answer = office.organizer.post("/pools", {**terms(office), **edges, "maximum_stake": "1000000000.00"})
    assert (answer.status_code, answer.json["fund_percent"]) == (201, "60")


def test_no_pool_before_the_special_account(office: Office) -> None:
    """T-Prov 9: the fund's bank account is opened before the first bet."""
    event = office.organizer.post("/events", {**EVENT, "code": "E-0"}).json["id"]
    pool = {**POOL, "event_id": event}

    assert office.organizer.post("/pools", pool).json["code"] == "special_account_not_open"
    assert office.treasury
    assert office.organizer.post("/pools", pool).status_code == 201


def test_the_life_of_a_pool(office: Office) -> None:
    pool = office.pool(opens_at="2022-11-22T09:00:00+03:00")
    status = lambda: office.organizer.get("/pools/P1").json["status"]  # noqa: E731
    assert status() == "announced"
    assert office.organizer.post("/pools/P1/closing").json["code"] == "pool_not_open"
    office.clock("2022-11-22T09:00:00+03:00")
    assert status() == "open"
    office.clock("2022-11-22T12:55:00+03:00")
    assert status() == "closed"
    office.decide(pool, "1")
    assert status() == "settled"


def test_field_fault_007_the_percent_is_the_games_and_frozen_when_the_pool_is_announced(office: Office) -> None:
    """10000.00 staked, 2000.00 of it on 1: 60 % are 6000.00, 3 to 1; no setting and no announcement tells another.

    Nobody changes it while the pool is open, neither the program nor the owner of the database; the sheet is by it.
    """
    pool = office.pool()
    for outcome, stake in (("1", "2000.00"), ("2", "8000.00")):
        office.bet(office.cashier, outcome, stake)
    told = {**POOL, "code": "P2", "event_id": pool["event_id"], "fund_percent": "84"}
    assert office.organizer.post("/pools", told).status_code == 422
    assert not [name for name in REGISTER if "percent" in name or "withdrawal" in name]
    assert refusals_of(office, "UPDATE pools SET fund_percent = 84") == ("23001", "42501")
    assert office.organizer.get("/pools/P1").json["fund_percent"] == "60"
    sheet = office.decide(pool, "1").json
    assert (sheet["withdrawal"], sheet["fund"], sheet["coefficient"]) == ("4000.00", "6000.00", "3/1")
