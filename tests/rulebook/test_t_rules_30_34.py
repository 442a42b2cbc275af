"""Results, events that fail, claims: T-Rules 30 to 34, a sentence each."""

from __future__ import annotations

from tests.approvals.people import code_of
from tests.office import Office


def test_t_rules_30_nothing_is_settled_without_a_protocol(office: Office) -> None:
    """A result that one person entered is none yet; 10.00 stay as a fund of 6.00 until two have signed."""
    pool = office.pool()
    office.bet(office.cashier, "1", "10.00")
    office.clock("2022-11-22T16:00:00+03:00")
    assert office.organizer.post("/pools/P1/closing").json["fund"] == "6.00"
    result = office.enter(pool, "1")
    assert code_of(office.organizer.post("/pools/P1/settlement")) == (409, "result_not_confirmed")
    assert office.balance("prize_fund", "pool:P1") == "6.00"
    assert office.confirm(pool, result).status_code == 201
    assert office.organizer.post("/pools/P1/settlement").status_code == 201
    assert office.balance("prize_fund", "pool:P1") == "0.00"


def test_t_rules_32_an_interrupted_event_counts_as_not_held_and_stakes_are_returned(office: Office) -> None:
    """A match broken off: of 10.00 and 20.00 every kopeck goes back, and nothing is left of the withdrawal."""
    pool = office.pool()
    player = office.player("ivan", "10.00")
    office.bet(player, "1", "10.00")
    ticket = office.bet(office.cashier, "2", "20.00").json
    office.clock("2022-11-22T16:00:00+03:00")
    assert office.organizer.post("/pools/P1/closing").json["withdrawal"] == "12.00"
    assert office.confirm(pool, office.enter(pool, standing="interrupted")).status_code == 201
    assert office.organizer.post("/pools/P1/settlement").json["returned"] is True
    assert player.get("/players/me").json["balance"] == "10.00"
    assert office.pay(ticket["code"]).json["amount"] == "20.00"
    assert office.balance("withdrawal_revenue") == "0.00"
