"""The game and its bets: T-Rules 21 to 29, a sentence each."""

from __future__ import annotations

import pytest

from tests.approvals.people import code_of
from tests.office import POOL, Office
from tests.rulebook.facts import (
    NEXT_DAY,
    REFUSED_TO_THE_APPLICATION,
    REFUSED_TO_THE_OWNER,
    WHY,
    how,
    refusals_of,
    registered,
)

NEVER = (REFUSED_TO_THE_OWNER, REFUSED_TO_THE_APPLICATION)


def test_t_rules_21_stakes_and_wins_are_money(office: Office) -> None:
    """100.00 in the till, 20.00 staked, of 20.00 a fund of 12.00, all of it the 10.00 on 1: 108.00 are left."""
    pool = office.pool()
    ticket = office.bet(office.cashier, "1", "10.00").json
    office.bet(office.cashier, "2", "10.00")
    office.decide(pool, "1")
    office.clock(NEXT_DAY)
    assert office.pay(ticket["code"]).json["amount"] == "12.00"
    assert office.balance("cash", "desk:K-1") == "108.00"


def test_t_rules_22_1_a_bet_names_exactly_one_of_the_offered_outcomes(office: Office) -> None:
    office.pool()
    assert office.bet(office.cashier, "3", "1.00").json["code"] == "unknown_outcome"
    two = office.cashier.post("/pool-bets", {"pool": "P1", "outcome": ["1", "X"], "stake": "1.00"})
    assert (two.status_code, list(two.json["errors"]["json"])) == (422, ["outcome"])
    assert registered(office) == []
    assert office.bet(office.cashier, "X", "1.00").json["outcome"] == "X"


def test_t_rules_22_1_only_the_full_match_wins(office: Office) -> None:
    """10.00 on each; X is true: the fund of 18.00 is that of the one on X."""
    pool = office.pool()
    numbers = [office.bet(office.cashier, outcome, "10.00").json["number"] for outcome in ("1", "X", "2")]
    office.decide(pool, "X")
    assert [how(office, number) for number in numbers] == [("lost", "0.00"), ("won", "18.00"), ("lost", "0.00")]


def test_t_rules_23_of_every_pool_60_percent_are_the_fund_and_40_are_withdrawn(office: Office) -> None:
    """125.00 x 0.60 = 75.00 and 50.00; beside it 7.50 x 0.60 = 4.50 and 3.00. Both are announced beforehand."""
    shares = {"P1": ("125.00", "75.00", "50.00"), "P2": ("7.50", "4.50", "3.00")}
    for code, (stakes, _, _) in shares.items():
        assert office.pool(code)["fund_percent"] == "60"
        office.bet(office.cashier, "1", stakes, code)
    for code, share in shares.items():
        closed = office.organizer.post(f"/pools/{code}/closing").json
        assert (closed["pool"], closed["fund"], closed["withdrawal"]) == share
    assert office.balance("withdrawal_revenue") == "53.00"


def test_t_rules_24_what_is_announced_is_told_to_players_and_cashiers(office: Office) -> None:
    """Event, pool and its code, outcomes and their codes, both limits, both ends of sales, the promised coefficient."""
    announced = office.pool(minimum_coefficient="1.05")
    for reader in (office.player("ivan"), office.cashier):
        shown = reader.get("/pools/P1").json
        assert shown == announced
    assert (shown["code"], shown["name"], shown["outcomes"]) == ("P1", "Исход матча", POOL["outcomes"])
    assert (shown["minimum_stake"], shown["maximum_stake"]) == ("1.00", "10000.00")
    assert (shown["opens_at"][:16], shown["closes_at"][:16]) == ("2022-11-22T05:00", "2022-11-22T09:55"), "in UTC"
    assert (shown["event_id"], shown["minimum_coefficient"]) == (announced["event_id"], "1.05")


def test_t_rules_24_nothing_is_announced_without(office: Office) -> None:
    told = {**POOL, "code": "P2", "event_id": office.pool()["event_id"]}
    for missing in ("event_id", "code", "name", "outcomes", "minimum_stake", "maximum_stake"):
        refused = office.organizer.post("/pools", {name: said for name, said in told.items() if name != missing})
        assert (refused.status_code, list(refused.json["errors"]["json"])) == (422, [missing])
    assert [pool["code"] for pool in office.organizer.get("/pools").json["items"]] == ["P1"]


def test_t_rules_24_nothing_is_announced_without_a_window(office: Office) -> None:
    told = {**POOL, "code": "P2", "event_id": office.pool()["event_id"]}
    for missing in ("opens_at", "closes_at"):
        refused = office.organizer.post("/pools", {name: said for name, said in told.items() if name != missing})
        assert (refused.status_code, list(refused.json["errors"]["json"])) == (422, [missing])
    assert [pool["code"] for pool in office.organizer.get("/pools").json["items"]] == ["P1"]


def test_t_rules_24_announced_terms_are_frozen(office: Office) -> None:
    office.pool()
    for term in ("maximum_stake = 1", "closes_at = opens_at", "name = 'Другое'", "fund_percent = 50"):
        assert refusals_of(office, f"UPDATE pools SET {term}") == NEVER
    assert refusals_of(office, "UPDATE pool_outcomes SET code = '9'") == NEVER
    assert refusals_of(office, "DELETE FROM pool_outcomes") == NEVER


def test_t_rules_25_a_bet_is_made_within_the_window(office: Office) -> None:
    """Sold from 09:00 until before 12:55."""
    office.pool(opens_at="2022-11-22T09:00:00+03:00")
    assert office.cashier
    office.clock("2022-11-22T09:00:00+03:00")
    assert office.bet(office.cashier, "1", "1.00").status_code == 201
    office.clock("2022-11-22T12:54:30+03:00")
    assert office.bet(office.cashier, "1", "1.00").status_code == 201


def test_t_rules_25_a_bet_names_pool_and_outcome_by_their_codes(office: Office) -> None:
    office.pool()
    made = office.bet(office.cashier, "X", "1.00").json
    assert (made["pool"], made["pool_name"], made["outcome"], made["outcome_name"]) == (
        "P1",
        "Исход матча",
        "X",
        "Ничья",
    )


def test_t_rules_25_what_else_a_bet_tells_is_given_by_the_house(office: Office) -> None:
    """Who took it, where and when: nobody who bets can tell these otherwise."""
    office.pool()
    made = office.bet(office.cashier, "X", "1.00").json
    assert (made["operator"], made["desk"], made["place"]) == ("ООО «Проба»", "K-1", "Минск, пр. Победителей, 1")
    told = {"pool": "P1", "outcome": "X", "stake": "1.00", "placed_at": "2022-11-22T08:00:00+03:00"}
    assert office.cashier.post("/pool-bets", told).status_code == 422


def test_t_rules_26_every_bet_is_registered(office: Office) -> None:
    """Two at the desk and one online, each under a number of its own."""
    office.pool()
    player = office.player("ivan", "3.00")
    made = [office.bet(member, "1", "3.00").json["number"] for member in (office.cashier, player, office.cashier)]
    assert len(set(made)) == 3
    assert sorted(ticket["number"] for ticket in registered(office)) == sorted(made)


def test_t_rules_26_what_is_registered_is_kept_from_change(office: Office) -> None:
    """Neither the program nor the owner of the database gets through; triggers put off, the seals tell."""
    office.pool()
    office.bet(office.cashier, "1", "1.00")
    for change in ("DELETE FROM pool_bets", "DELETE FROM tickets", "TRUNCATE pool_bets CASCADE"):
        assert refusals_of(office, change) == NEVER


def test_t_rules_26_nobody_reads_bets_without_the_right_to(office: Office) -> None:
    office.pool()
    number = office.bet(office.cashier, "1", "1.00").json["number"]
    assert office.client.get(f"/api/v1/tickets/{number}").status_code == 401
    assert office.player("ivan").get(f"/tickets/{number}").status_code == 404


def test_t_rules_27_a_registered_bet_is_not_changed(office: Office) -> None:
    office.pool()
    office.bet(office.cashier, "1", "1.00")
    for change in ("pool_bets SET outcome = 'X'", "pool_bets SET stake = 200", "tickets SET placed_at = now()"):
        assert refusals_of(office, f"UPDATE {change}") == NEVER


def test_t_rules_28_without_pool_or_outcome_nothing_is_registered(office: Office) -> None:
    office.pool()
    told = {"pool": "P1", "outcome": "1", "stake": "1.00"}
    for missing in ("pool", "outcome"):
        without = office.cashier.post("/pool-bets", {name: said for name, said in told.items() if name != missing})
        assert (without.status_code, list(without.json["errors"]["json"])) == (422, [missing])
        unknown = office.cashier.post("/pool-bets", {**told, missing: "9"})
        assert unknown.json["code"] == f"unknown_{missing}"
    assert registered(office) == []
    assert office.balance("pool", "pool:P1") == "0.00"


@pytest.mark.parametrize(
    ("clock", "code"),
    [("2022-11-22T08:59:30+03:00", "pool_not_open"), ("2022-11-22T12:55:00+03:00", "pool_closed")],
)
def test_t_rules_28_outside_the_window_nothing_is_registered(office: Office, clock: str, code: str) -> None:
    office.pool(opens_at="2022-11-22T09:00:00+03:00")
    player = office.player("ivan", "1.00")
    office.clock(clock)
    for member in (office.cashier, player):
        assert code_of(office.bet(member, "1", "1.00")) == (409, code)
    assert registered(office) == []
    assert player.get("/players/me").json["balance"] == "1.00"


@pytest.mark.parametrize("balance", ["0.00", "9.99"])
def test_t_rules_28_an_unpaid_or_part_paid_bet_is_not_registered(office: Office, balance: str) -> None:
    """A stake of 10.00 on nothing, and on a kopeck less than 10.00: no ticket, and no kopeck gone."""
    office.pool()
    player = office.player("ivan", balance)
    assert code_of(office.bet(player, "1", "10.00")) == (409, "insufficient_funds")
    assert registered(office) == []
    assert (player.get("/players/me").json["balance"], office.balance("pool", "pool:P1")) == (balance, "0.00")


def test_t_rules_28_a_bet_at_a_desk_is_registered_with_all_its_cash_or_not_at_all(office: Office) -> None:
    """100.00 in the till: 10.00 more with the ticket; a stake of nothing is none."""
    office.pool()
    assert office.bet(office.cashier, "1", "10.00").status_code == 201
    assert office.bet(office.cashier, "1", "0.00").status_code == 422
    assert office.balance("cash", "desk:K-1") == "110.00"
    assert [ticket["stake"] for ticket in registered(office)] == ["10.00"]


def test_t_rules_29_a_bet_already_played_is_cancelled_and_its_stake_returned(office: Office) -> None:
    """10.00 lost on 2 go back in cash, borne by the organizer (D-18): 1000.00 - 10.00 of its own are left."""
    pool = office.pool()
    lost = office.bet(office.cashier, "2", "10.00").json
    office.bet(office.cashier, "1", "10.00")
    office.decide(pool, "1")
    assert how(office, lost["number"]) == ("lost", "0.00")
    made = office.organizer.post(f"/tickets/{lost['number']}/cancellation", WHY)
    assert (made.status_code, made.json["stage"], made.json["due"]) == (201, "settled", "10.00")
    assert how(office, lost["number"])[0] == "cancelled"
    assert office.pay(lost["code"]).json["amount"] == "10.00"
    assert office.balance("organizer") == "990.00"


def test_t_rules_29_a_bet_is_cancelled_for_a_breach_that_is_named(office: Office) -> None:
    office.pool()
    number = office.bet(office.cashier, "2", "10.00").json["number"]
    for told in ({}, {**WHY, "reason": "a_whim"}, {"reason": WHY["reason"]}):
        assert office.organizer.post(f"/tickets/{number}/cancellation", told).status_code == 422
    assert how(office, number)[0] == "accepted"
