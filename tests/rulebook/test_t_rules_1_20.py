"""The rules of Sportloto, shown where Totolot's rules do not show them already: most of them on pools of positions."""

from __future__ import annotations

from tests.office import OPERATOR, Office
from tests.tote.positions.announced import announced, decided, fixed, levels, mark, paid, sold, upload
from tote.expiry import expire_due
from tote.games.register import GAMES

SPORTLOTO = {"price": "1.00", "fund_percent": "70"}
RESULT = "1X21"


def test_t_rules_1_sportloto_is_played_in_two_ways(office: Office) -> None:
    assert {code for code, game in GAMES.items() if game.family == "sportloto"} == {
        "sportloto_variant",
        "sportloto_position",
    }
    assert announced(office, **SPORTLOTO)["game"] == "sportloto_position"
    assert office.pool("P2", **SPORTLOTO, game="sportloto_variant", minimum_stake=None, maximum_stake=None)


def test_t_rules_3_a_bet_wins_by_a_full_or_a_partial_match(office: Office) -> None:
    """Of four positions four and three are on a level, two on none; 70 percent of 3.00 are 2.10."""
    pool = announced(office, **SPORTLOTO)
    tickets = [sold(mark(office.cashier, marks, "1.00")) for marks in ("1 X 2 1", "1 X 2 2", "1 X 1 2")]
    decided(office, pool, RESULT)
    assert [paid(office, ticket)[:2] for ticket in tickets] == [("won", "1.26"), ("won", "0.84"), ("lost", "0.00")]


def test_t_rules_8_1_pools_on_one_event_do_not_touch_one_another(office: Office) -> None:
    """Two pools on the same matches: what is bet, cancelled and won in one moves no figure of the other."""
    first = announced(office, "P1", **SPORTLOTO)
    second = announced(office, "P2", **SPORTLOTO, event_id=first["event_id"])
    sold(mark(office.cashier, "1 X 2 1", "1.00", "P1"))
    struck = sold(mark(office.cashier, "2 2 1 2", "1.00", "P1"))
    sold(upload(office.cashier, "1X21 1X21 2212 2212 2212", "5.00", "P2"))
    breach = {"reason": "under_age", "explanation": "проба"}
    assert office.organizer.post(f"/tickets/{struck}/cancellation", breach).status_code == 201
    one = decided(office, first, RESULT)
    assert office.organizer.post("/pools/P2/closing").status_code == 201
    two = office.organizer.post("/pools/P2/settlement").json
    # Alone on its pool the first bet is a minus pool; of the second's 3.50 there are 2.10 on two bets.
    assert (one["pool"], one["minus_pool"]) == ("1.00", True)
    assert (two["pool"], two["minus_pool"], levels(two, "win_per_bet")[0]) == ("5.00", False, ("21/20",))
    assert second["event_id"] == first["event_id"]


def test_t_rules_9_11_a_ticket_of_positions_carries_pool_and_marks(office: Office) -> None:
    announced(office, **SPORTLOTO)
    ticket = mark(office.cashier, "1 1X 2 1", "2.00").json
    assert (ticket["pool"], ticket["marks"], ticket["rows"]) == ("P1", [["1"], ["1", "X"], ["2"], ["1"]], 2)


def test_t_rules_9_13_marks_that_miss_a_position_are_not_registered(office: Office) -> None:
    announced(office, **SPORTLOTO)
    for refused in (mark(office.cashier, "1 X 2", "1.00"), upload(office.cashier, "1X2", "1.00")):
        assert refused.status_code == 422
    office.clock("2022-11-22T12:55:00+03:00")
    assert mark(office.cashier, "1 X 2 1", "1.00").json["code"] == "pool_closed"
    assert office.organizer.get("/tickets").json["items"] == []


def test_t_rules_9_15_all_bets_of_the_pool_form_its_fund_when_sales_end(office: Office) -> None:
    """Six, three and one bets at 1.00: 10.00, of which 7.00 are the fund and 3.00 withdrawn."""
    announced(office, **SPORTLOTO)
    sold(mark(office.cashier, "1 1X 2 1X2", "6.00"))
    sold(upload(office.player("ivan", "3.00"), "1111 XXXX 2222", "3.00"))
    sold(mark(office.cashier, "1 X 2 1", "1.00"))
    office.clock("2022-11-22T12:56:00+03:00")
    closed = office.organizer.post("/pools/P1/closing").json
    assert (closed["bets"], closed["pool"], closed["fund"], closed["withdrawal"]) == (3, "10.00", "7.00", "3.00")
    assert office.balance("prize_fund", "pool:P1") == "7.00"


def test_t_rules_10_no_win_without_a_protocol_of_two_persons(office: Office) -> None:
    pool = announced(office, **SPORTLOTO)
    sold(mark(office.cashier, "1 X 2 1", "1.00"))
    office.clock("2022-11-22T16:00:00+03:00")
    office.organizer.post("/pools/P1/closing")
    assert office.organizer.post("/pools/P1/settlement").json["code"] == "result_not_confirmed"
    fixed(office, pool, RESULT)
    assert office.organizer.post("/pools/P1/settlement").status_code == 201


def test_t_rules_15_wins_nobody_fetched_go_to_the_jackpot(office: Office) -> None:
    """4.90 among two bets that match in all: 2.94 · 1/2 each; twelve weeks later one is still there."""
    pool = announced(office, **SPORTLOTO)
    first, second = (mark(office.cashier, "1 X 2 1", "1.00") for _ in range(2))
    sold(upload(office.cashier, "2212 2212 2212 2212 2212", "5.00"))
    decided(office, pool, RESULT)
    office.clock("2022-11-23T10:00:00+03:00")
    assert office.pay(first.json["code"]).json["amount"] == "1.47"
    # Determined on 22 November 2022: the last day is 14 February 2023.
    office.clock("2023-02-15T00:00:00+03:00")
    late = office.pay(second.json["code"])
    assert (late.status_code, late.json["code"]) == (409, "payment_term_over")
    expire_due(office.house.sessions, OPERATOR)
    # Beside the level's fund that nobody reached.
    assert office.balance("jackpot", "sportloto") == "3.43"
