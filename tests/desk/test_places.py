"""Nobody takes more from a till, the bank or the special account than lies there."""

from __future__ import annotations

from threading import Thread
from typing import Any

import pytest

from tests.office import Office

CARRIED = {"desk_float": ("/desk-floats", "accountant"), "collection": ("/collections", "supervisor")}


def moved(office: Office, act: str, amount: str, **named: Any) -> tuple[int, dict[str, Any]]:
    """Take money from where it lies: the operator's own places by a movement, a desk's cash by sending it."""
    if act in CARRIED:
        path, sender = CARRIED[act]
        answer = getattr(office, sender).post(path, {"amount": amount, **named})
    else:
        answer = office.accountant.post("/treasury-movements", {"act": act, "amount": amount})
    return answer.status_code, dict(answer.json)


@pytest.mark.parametrize("act", ["special_account_in", "desk_float"])
def test_an_empty_bank_gives_nothing(office: Office, act: str) -> None:
    status, told = moved(office, act, "0.01", desk_id=office.desk["id"])

    assert (status, told["code"], told["held"]) == (409, "not_enough_money", "0.00")


def test_each_place_gives_to_its_last_kopeck(office: Office) -> None:
    """1000.00 in the bank: 400.00 to the special account, 600.00 to the desk, and nothing is left."""
    desk = office.desk["id"]
    assert moved(office, "own_money_in", "1000.00")[0] == 201
    assert moved(office, "special_account_in", "400.00")[0] == 201
    assert moved(office, "desk_float", "600.01", desk_id=desk)[1]["held"] == "600.00"
    office.move("desk_float", "600.00", desk_id=desk)
    assert moved(office, "special_account_out", "400.01")[1]["held"] == "400.00"
    assert moved(office, "collection", "600.01", desk_id=desk)[1]["held"] == "600.00"
    assert moved(office, "collection", "600.00", desk_id=desk)[0] == 201


def test_a_win_larger_than_the_till_waits_for_a_float(office: Office) -> None:
    """Bets of 10.00 and 90.00 at an empty till, and the 100.00 collected: fund 60.00 is the one winner's.

    The till is empty, so the cashier is told what lies there; with a float of 60.00 the ticket is paid.
    """
    assert office.cashier
    pool = office.pool()
    desk = office.register_desk("K-2")
    cashier = office.cashier_at(desk, "T-2", "second")
    winner = office.bet(cashier, "2", "10.00").json
    office.bet(cashier, "1", "90.00")
    assert moved(office, "collection", "100.00", desk_id=desk["id"])[0] == 201
    assert office.decide(pool, "2").json["wins"] == "60.00"
    office.clock("2022-11-23T10:00:00+03:00")

    refused = office.pay(winner["code"], cashier)
    assert (refused.status_code, refused.json["code"], refused.json["held"]) == (409, "not_enough_money", "0.00")
    office.move("desk_float", "60.00", desk_id=desk["id"])
    assert office.pay(winner["code"], cashier).json["amount"] == "60.00"


def test_a_place_is_not_emptied_twice_at_once(office: Office) -> None:
    """Ten collections of 60.00 at once from a till of 100.00: one is taken, nine find 40.00."""
    assert office.cashier and office.supervisor
    before = office.balance("cash", "desk:K-1")
    answers: list[tuple[int, dict[str, Any]]] = []
    collecting = [
        Thread(target=lambda: answers.append(moved(office, "collection", "60.00", desk_id=office.desk["id"])))
        for _ in range(10)
    ]
    for one in collecting:
        one.start()
    for one in collecting:
        one.join()

    assert sorted(status for status, _ in answers) == [201] + [409] * 9
    assert {told["held"] for status, told in answers if status == 409} == {"40.00"}
    assert (before, office.balance("cash", "desk:K-1")) == ("100.00", "40.00")
