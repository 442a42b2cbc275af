"""Cancelled before a correction or after it: nobody is paid twice, the word on the bet stands (T-Rules 29; D-14)."""

from __future__ import annotations

from typing import Any

from tests.approvals.people import code_of
from tests.office import Office
from tests.tote.cancelling.bets import (
    NEXT_DAY,
    account_of,
    cancel,
    cancelled_by_two,
    money_of,
    stand_of,
)

DOCUMENT = {"kind": "протокол", "number": "1", "issued_on": "2022-11-22", "issued_by": "Федерация"}


def test_cash_that_was_paid_by_the_wrong_protocol_counts_against_the_stake(office: Office) -> None:
    """10.00 on 1 and 20.00 on 2, a fund of 18.00 paid for 1; 2 is right: 8.00 is lost.

    The organizer's 1000.00 bear both, and no more: the 18.00 of the correction are undone.
    """
    pool = office.pool()
    bet = office.bet(office.cashier, "1", "10.00").json
    office.bet(office.cashier, "2", "20.00")
    office.decide(pool, "1")
    office.clock(NEXT_DAY)
    assert office.pay(bet["code"]).json["amount"] == "18.00"
    office.settle_again(pool, "2")
    assert office.balance("organizer") == "982.00"
    assert code_of(cancel(office, bet["number"])) == (403, "second_person_needed")
    line = cancelled_by_two(office, bet["number"])
    assert money_of(line) == {"received": "18.00", "from_organizer": "10.00", "overpaid": "8.00"}
    assert office.balance("organizer") == "982.00"
    assert code_of(office.pay(bet["code"])) == (409, "already_paid")
    office.settle_again(pool, "1")
    assert office.wrongs() == []


def test_a_win_that_was_spent_is_claimed_less_the_stake(office: Office) -> None:
    """18.00 was credited and fetched; by 2 it is claimed; 10.00 of it is the stake."""
    pool, player = office.pool(), office.player("ivan", "10.00")
    bet = office.bet(player, "1", "10.00").json
    office.bet(office.cashier, "2", "20.00")
    office.decide(pool, "1")
    assert office.withdraw("ivan", "18.00").status_code == 201
    office.settle_again(pool, "2")
    assert office.balance("claims", "player:1") == "18.00"
    line = cancelled_by_two(office, bet["number"])
    assert money_of(line) == {"received": "18.00", "from_organizer": "10.00", "claimed": "8.00"}
    assert (office.balance("claims", "player:1"), account_of(player)) == ("8.00", "0.00")


def test_a_claim_on_a_paid_ticket_does_not_hold_what_moves_nothing(office: Office) -> None:
    """10.00 on 1, 20.00 on 2, 100.00 on X: 78.00 is paid for 1. By 1 and 2 it is 26.00: no more is due."""
    pool = office.pool()
    bet = office.bet(office.cashier, "1", "10.00").json
    for outcome, stake in (("2", "20.00"), ("X", "100.00")):
        office.bet(office.cashier, outcome, stake)
    office.decide(pool, "1")
    office.clock(NEXT_DAY)
    assert office.pay(bet["code"]).json["amount"] == "78.00"
    told: dict[str, Any] = {"pool": "P1", "ticket": bet["number"], "statement": "Счёт другой", "documents": [DOCUMENT]}
    assert office.supervisor.post("/claims", told).status_code == 201
    office.settle_again(pool, "1", "2")
    assert office.wrongs() == []
    assert office.organizer.get(f"/tickets/{bet['number']}").json["status"] == "paid"


def test_a_cancelled_bet_stays_cancelled_when_its_pool_is_settled_again(office: Office) -> None:
    """10.00 paid 15.00 in cash and then cancelled, 10.00 credited, 30.00 on 2. By 2 the fund of 30.00 is the 30.00's.

    The word on the cancelled bet stands, and its 15.00 of the first division is undone with it: the jackpot has none,
    the organizer bears the 15.00 in all, and the 15.00 that was credited comes back.
    """
    pool, player = office.pool(), office.player("ivan", "10.00")
    cash = office.bet(office.cashier, "1", "10.00").json
    assert office.bet(player, "1", "10.00").status_code == 201
    assert office.bet(office.cashier, "2", "30.00").status_code == 201
    office.decide(pool, "1")
    office.clock(NEXT_DAY)
    assert office.pay(cash["code"]).json["amount"] == "15.00"
    cancelled_by_two(office, cash["number"])
    assert (office.balance("jackpot", "totolot"), office.balance("organizer")) == ("15.00", "985.00")

    assert office.settle_again(pool, "2")["wins"] == "30.00"

    assert stand_of(office, cash["number"]) == ("paid", "10.00", "after_start")
    assert (office.balance("jackpot", "totolot"), office.balance("organizer")) == ("0.00", "985.00")
    assert account_of(player) == "0.00"
    assert office.balance("wins_payable", "pool:P1") == "30.00"
