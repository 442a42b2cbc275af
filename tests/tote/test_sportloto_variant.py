"""A pool of Sportloto-Variant through the API: one price, shares by number, figures by hand (T-Rules 2-6, 11, 12)."""

from __future__ import annotations

from base64 import b64decode
from typing import Any

import pytest

from tests.documents.papers import pages_of
from tests.office import EVENT, POOL, SPORTLOTO, Member, Office

SIXTY = ("fund_percent_fixed", "fund_percent")


def announced(office: Office, **terms: Any) -> dict[str, Any]:
    """A pool at 2.50 a bet, 70 percent for prizes."""
    return office.pool(**{**SPORTLOTO, **terms})


def sold(office: Office, outcomes: str, member: Member | None = None) -> list[dict[str, Any]]:
    """A bet on each of these outcomes; the tickets."""
    answers = [office.bet(member or office.cashier, outcome, "2.50") for outcome in outcomes]
    assert {answer.status_code for answer in answers} == {201}
    return [answer.json for answer in answers]


def figures(sheet: dict[str, Any]) -> tuple[str, ...]:
    """Pool, withdrawal, fund, wins, jackpot, organizer's own money."""
    return tuple(sheet[name] for name in ("pool", "withdrawal", "fund", "wins", "to_jackpot", "from_organizer"))


def told(office: Office, number: int) -> tuple[str, str | None]:
    """How a ticket stands and what it won."""
    ticket = office.organizer.get(f"/tickets/{number}").json
    return ticket["status"], ticket["win"]


def test_t_rules_5_every_bet_costs_the_price(office: Office) -> None:
    pool = announced(office)
    assert (pool["price"], pool["minimum_stake"], pool["maximum_stake"]) == ("2.50", "2.50", "2.50")
    assert pool["fund_percent"] == "70"
    for stake in ("2.49", "2.51", "5.00"):
        answer = office.bet(office.cashier, "1", stake)
        assert (answer.status_code, answer.json["code"], answer.json["price"]) == (
            422,
            "stake_is_not_the_price",
            "2.50",
        )
    stakes = {"batch-line-0001": "2.50", "batch-line-0002": "2.51"}
    batch = [{"key": key, "pool": "P1", "outcome": "1", "stake": stake} for key, stake in stakes.items()]
    lines = office.cashier.post("/pool-bet-batches", {"lines": batch}).json["lines"]
    assert lines[0]["ticket"]["stake"] == "2.50"
    assert lines[1]["problem"]["code"] == "stake_is_not_the_price"


def test_t_rules_11_2_the_fund_over_the_number_of_winning_bets(office: Office) -> None:
    """Ten bets, 25.00, fund 17.50: three winners get 5.83 each, 0.01 goes to the jackpot of Sportloto (D-3)."""
    pool = announced(office)
    player = office.player("ivan", "10.00")
    tickets = [*sold(office, "11222XX22"), *sold(office, "1", player)]
    sheet = office.decide(pool, "1").json
    assert figures(sheet) == ("25.00", "7.50", "17.50", "17.49", "0.01", "0.00")
    assert (sheet["win_per_bet"], sheet["win_per_bet_display"]) == ("35/6", "5.8333")
    assert (sheet["coefficient"], sheet["winning_bets"], sheet["winning_stake"]) == (None, 3, "7.50")
    assert [told(office, ticket["number"]) for ticket in (tickets[0], tickets[2], tickets[9])] == [
        ("won", "5.83"),
        ("lost", "0.00"),
        ("credited", "5.83"),
    ]
    assert player.get("/players/me").json["balance"] == "13.33"
    assert (office.balance("jackpot", "sportloto"), office.balance("withdrawal_revenue")) == ("0.01", "7.50")
    assert office.wrongs() == []


def test_t_rules_17_4_a_fund_nobody_won_feeds_the_jackpot_of_sportloto(office: Office) -> None:
    pool = announced(office, fund_percent="82.5")
    sold(office, "1122")
    assert figures(office.decide(pool, "X").json) == ("10.00", "1.75", "8.25", "0.00", "8.25", "0.00")
    assert office.balance("jackpot", "sportloto") == "8.25"


@pytest.mark.parametrize(
    ("limits", "expected", "win"),
    [
        ({"maximum_win": "4.00"}, ("25.00", "7.50", "17.50", "16.00", "1.50", "0.00"), "4.00"),
        ({"minimum_win": "5.00"}, ("25.00", "7.50", "17.50", "20.00", "0.02", "2.52"), "5.00"),
    ],
)
def test_t_rules_6_the_win_of_a_bet_is_bounded(
    office: Office, limits: dict[str, str], expected: tuple[str, ...], win: str
) -> None:
    """17.50 among four is 4.375: capped 16.00 are paid, or 17.48 and 0.63 a bet of the organizer's own (D-4)."""
    pool = announced(office, **limits)
    tickets = sold(office, "1111222222")
    before = {one["code"]: one for one in office.organizer.get("/pools/P1/totals").json["outcomes"]}["1"]
    assert (before["win_per_bet"], before["coefficient"], before["raised"]) == (win, None, "minimum_win" in limits)
    sheet = office.decide(pool, "1").json
    assert figures(sheet) == expected
    assert sheet["win_per_bet"] == "35/8", "the fund's own share, before cap and floor"
    assert told(office, tickets[0]["number"]) == ("won", win)
    board = office.organizer.get("/pools/P1/totals").json
    assert (board["settled"]["win_per_bet"], board["settled"]["coefficient"]) == (win, None)
    assert office.wrongs() == []


def test_t_prov_16_a_minus_pool_knows_no_cap(office: Office) -> None:
    """Two bets of 2.50: each gets it back and 0.25."""
    pool = announced(office, maximum_win="2.60", minimum_win="2.60")
    (ticket, _) = sold(office, "11")
    sheet = office.decide(pool, "1").json
    assert (sheet["minus_pool"], sheet["win_per_bet"], sheet["from_organizer"]) == (True, None, "0.50")
    assert told(office, ticket["number"]) == ("won", "0.25")


def test_t_rules_12_wins_are_paid_for_twelve_weeks(office: Office) -> None:
    """Determined on 22 November 2022: paid from the 23rd to 14 February 2023, 84 days on (D-1)."""
    pool = announced(office)
    (ticket, _) = sold(office, "12")
    sheet = office.decide(pool, "1").json
    assert (sheet["payable_from"], sheet["payable_until"]) == ("2022-11-22T21:00:00+00:00", "2023-02-14T21:00:00+00:00")
    office.clock("2023-02-14T23:59:59+03:00")
    assert office.pay(ticket["code"]).status_code == 201


WRONG_TERMS: list[tuple[dict[str, Any], str, str]] = [
    ({"price": None, "minimum_stake": "1.00", "maximum_stake": "1.00"}, "missing_field", "price"),
    ({"fund_percent": None}, "missing_field", "fund_percent"),
    ({"fund_percent": "69.9999"}, "fund_percent_out_of_range", "fund_percent"),
    ({"fund_percent": "100.0001"}, "fund_percent_out_of_range", "fund_percent"),
    ({"minimum_coefficient": "1.05"}, "unknown_field", "minimum_coefficient"),
    ({"minimum_stake": "2.50"}, "unknown_field", "minimum_stake"),
    ({"minimum_win": "5.01", "maximum_win": "5.00"}, "minimum_over_maximum", "minimum_win"),
    ({"game": "totolot_variant", "fund_percent": None}, "unknown_field", "price"),
    ({"game": "totolot_variant", "price": None, "minimum_stake": "1.00", "maximum_stake": "1.00"}, *SIXTY),
]


def test_terms_that_the_game_does_not_have_are_refused(office: Office) -> None:
    event = office.organizer.post("/events", {**EVENT, "code": "E"}).json["id"]
    assert office.treasury
    for wrong, rule, field in WRONG_TERMS:
        answer = office.organizer.post("/pools", {**POOL, **SPORTLOTO, "event_id": event, **wrong})
        assert (answer.status_code, answer.json["code"]) == (422, "rule_broken"), wrong
        assert (answer.json["rule"], answer.json["field"]) == (rule, field), wrong
    assert office.organizer.get("/pools").json["items"] == []


def test_a_promise_beyond_what_can_be_kept_is_refused(office: Office) -> None:
    event = office.organizer.post("/events", {**EVENT, "code": "E"}).json["id"]
    assert office.treasury
    body = {**POOL, **SPORTLOTO, "event_id": event}
    assert office.organizer.post("/pools", {**body, "minimum_win": "250.01"}).json["code"] == "pool_terms_wrong"
    assert office.organizer.post("/pools", {**body, "minimum_win": "250.00"}).status_code == 201


def test_the_ticket_tells_price_percent_and_limits(office: Office) -> None:
    """T-Rules 9.11: what the bet was made on; twelve weeks, not three months."""
    announced(office, minimum_win="3.00", maximum_win="40.00")
    (ticket,) = sold(office, "1")
    answer = office.cashier.post(f"/tickets/{ticket['number']}/prints", {"format": "pdf"})
    (page,) = pages_of(b64decode(answer.json["content"]))
    for said in (
        "Игра Спортлото-Вариант",
        "Фонд 70 % суммы ставок пула",
        "Выигрыш не меньше 3,00 BYN",
        "Выигрыш не больше 40,00 BYN",
        "Ставка 2,50 BYN",
        "двенадцать недель",
    ):
        assert said in page, (said, page)


def test_the_sheet_and_the_register_tell_what_a_bet_brought(office: Office) -> None:
    pool = announced(office)
    sold(office, "1112222222")
    assert office.decide(pool, "1").status_code == 201
    sheet = office.accountant.get("/documents/pool-sheets/P1")
    assert sheet.status_code == 200
    text = " ".join(pages_of(sheet.data))
    for said in ("Цена ставки 2,50 BYN", "Выигрыш на ставку 5,8333", "Выигрышный фонд 70 %"):
        assert said in text, (said, text)
    (row,) = office.accountant.get("/reports/pool-sheets").json["items"]
    assert (row["win_per_bet_display"], row["coefficient_display"]) == ("5.8333", None)


def test_a_bet_cancelled_before_the_settlement_was_never_made(office: Office) -> None:
    """Nine bets are left: 22.50, fund 15.75; two winners get 7.87 each, 0.01 is left (D-18)."""
    pool = announced(office)
    (first, *_) = sold(office, "1112222222")
    told_why = {"reason": "under_age", "explanation": "проба"}
    cancelled = office.organizer.post(f"/tickets/{first['number']}/cancellation", told_why)
    assert cancelled.status_code == 201, cancelled.json
    assert figures(office.decide(pool, "1").json) == ("22.50", "6.75", "15.75", "15.74", "0.01", "0.00")
    assert office.wrongs() == []
