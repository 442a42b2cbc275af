"""The closing report of a shift (B-Prov 15, 17): two sections by kind, final with all that the register printed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.desk.test_shifts import close
from tests.office import Member, Office

NIGHT = "2022-11-23T20:00:00+03:00"


def full_shift(office: Office) -> int:
    """One shift with every kind of movement built so far; the number of the payout.

    900.00 of change beside the 100.00 it opened on; bets 400.00 on 1 and 100.00 on 2, of which 2 wins the fund of
    300.00; a deposit of 300.00; 300.00 paid out; 400.00 collected: 100 + 900 + 500 + 300 - 300 - 400 = 1100.00.
    """
    pool, cashier = office.pool(), office.cashier
    office.move("own_money_in", "900.00")
    office.move("desk_float", "900.00", desk_id=office.desk["id"])
    office.bet(cashier, "1", "400.00")
    winner = office.bet(cashier, "2", "100.00").json["code"]
    office.player("ivan", "300.00")
    office.decide(pool, "2")
    office.clock("2022-11-23T10:00:00+03:00")
    number = int(office.pay(winner).json["number"])
    office.move("collection", "400.00", desk_id=office.desk["id"])
    office.clock(NIGHT)
    return number


def fiscal(member: Member, path: str, number: str, **told: str) -> tuple[int, dict[str, Any]]:
    """Enter what the register printed."""
    answer = member.post(path, {"number": number, **told})
    return answer.status_code, dict(answer.json)


def report(office: Office, member: Member | None = None) -> tuple[int, dict[str, Any]]:
    """Ask for the report of the first shift."""
    answer = (member or office.cashier).get(f"/shifts/{office.shift_id}/report")
    return answer.status_code, dict(answer.json)


def lines(section: dict[str, Any]) -> list[tuple[str, int, str]]:
    """A section as title, times, amount."""
    return [(line["title"], line["times"], line["amount"]) for line in section["lines"]]


def test_b_prov_17_the_report_is_final_with_every_receipt_and_the_fiscal_report(office: Office) -> None:
    """FIELD-FAULTS 103: 1100.00 expected, 1099.00 counted; the closing of the cash waits for no paper."""
    payout = full_shift(office)
    assert report(office)[1]["code"] == "shift_still_open"
    assert fiscal(office.cashier, f"/shifts/{office.shift_id}/fiscal-report", "517")[1]["code"] == "shift_still_open"
    assert close(office.cashier, office.shift_id, "1099.00")["expected_cash"] == "1100.00"

    status, told = report(office)
    assert (status, told["code"], told["payouts"]) == (409, "receipts_missing", [payout])
    assert fiscal(office.cashier, f"/payouts/{payout}/fiscal-receipt", "000124")[0] == 201
    assert report(office)[1]["code"] == "fiscal_report_missing"
    assert fiscal(office.cashier, f"/shifts/{office.shift_id}/fiscal-report", "517")[0] == 201

    status, told = report(office)
    assert status == 200
    assert lines(told["accepted"]) == [
        ("Ставки", 2, "500.00"),
        ("Внесено на игровые счета", 1, "300.00"),
        ("Подкрепление кассы", 1, "900.00"),
    ]
    assert lines(told["paid_out"]) == [("Выигрыши", 1, "300.00"), ("Инкассация", 1, "400.00")]
    assert (told["accepted"]["total"], told["paid_out"]["total"]) == ("1700.00", "700.00")
    head = ("operator", "desk", "cash_register", "opened_by", "closed_by", "fiscal_report", "fiscal_register")
    assert [told[name] for name in head] == ["ООО «Проба»", "K-1", "SN-1", "Cashier", "Cashier", "517", "SN-1"]
    counts = ("opening_expected", "opening_cash", "expected_cash", "counted_cash", "difference", "opening_difference")
    assert [told[name] for name in counts] == ["100.00", "100.00", "1100.00", "1099.00", "-1.00", "0.00"]


def test_t_prov_16_a_minus_pools_payout_is_a_stake_returned_and_a_win(office: Office) -> None:
    """10.00, the only bet, won: 10.00 come back and 1.00 is won; kept apart in the report, 11.00 together."""
    pool = office.pool()
    winner = office.bet(office.cashier, "1", "10.00").json["code"]
    office.decide(pool, "1")
    office.clock("2022-11-23T10:00:00+03:00")
    assert office.pay(winner).json["amount"] == "11.00"
    close(office.cashier, office.shift_id, "99.00")
    fiscal(office.cashier, "/payouts/1/fiscal-receipt", "1")
    fiscal(office.cashier, f"/shifts/{office.shift_id}/fiscal-report", "1")
    _, told = report(office, office.accountant)
    assert lines(told["paid_out"]) == [("Выигрыши", 1, "1.00"), ("Возвращённые ставки", 1, "10.00")]
    assert told["expected_cash"] == "99.00"


def test_a_receipt_is_corrected_by_a_later_row_and_the_first_stays_readable(office: Office) -> None:
    payout = full_shift(office)
    path = f"/payouts/{payout}/fiscal-receipt"
    assert fiscal(office.cashier, path, "000123", reason="опечатка")[1]["code"] == "nothing_to_correct"
    assert fiscal(office.cashier, path, "000123")[0] == 201
    assert fiscal(office.cashier, path, "000123")[0] == 201, "a repeated request"
    status, told = fiscal(office.cashier, path, "000124")
    assert (status, told["code"]) == (409, "fiscal_number_entered")

    status, told = fiscal(office.accountant, path, "000124", cash_register="SN-2", reason="опечатка")
    told_of_each = ("version", "number", "cash_register", "reason", "entered_by")
    entered = [tuple(one[name] for name in told_of_each) for one in told["fiscal_receipts"]]
    assert (status, entered) == (
        201,
        [(1, "000123", "SN-1", None, "Cashier"), (2, "000124", "SN-2", "опечатка", "Accountant")],
    )
    assert office.auditor.get(f"/payouts/{payout}").json == told
    (event,) = office.auditor.get("/significant-events", kind="fiscal_number_corrected").json["items"]
    assert event["facts"] == {"was": "000123", "is": "000124", "register": "SN-2", "reason": "опечатка"}


def test_a_registers_number_is_of_one_payout(office: Office) -> None:
    """Of 30.00 a fund of 18.00, two winners of 9.00. A number entered for the wrong one is free once corrected."""
    pool = office.pool()
    winners = [office.bet(office.cashier, "1", "10.00").json["code"] for _ in range(2)]
    office.bet(office.cashier, "2", "10.00")
    office.decide(pool, "1")
    office.clock("2022-11-23T10:00:00+03:00")
    first, second = (office.pay(code).json["number"] for code in winners)
    assert fiscal(office.cashier, f"/payouts/{first}/fiscal-receipt", "7")[0] == 201
    status, told = fiscal(office.cashier, f"/payouts/{second}/fiscal-receipt", "7")
    assert (status, told["code"]) == (409, "fiscal_number_taken")
    assert fiscal(office.cashier, f"/payouts/{second}/fiscal-receipt", "7", cash_register="SN-2")[0] == 201
    assert fiscal(office.cashier, f"/payouts/{first}/fiscal-receipt", "6", reason="перепутаны")[0] == 201
    moved = fiscal(office.cashier, f"/payouts/{second}/fiscal-receipt", "7", cash_register="SN-1", reason="перепутаны")
    assert moved[0] == 201


def test_a_supervisor_closes_a_colleagues_shift_and_says_why(office: Office) -> None:
    path, told = f"/shifts/{office.cashier and office.shift_id}/closing", {"counted": "100.00"}
    refused = office.supervisor.post(path, told)
    assert (refused.status_code, refused.json["code"]) == (422, "reason_needed")
    closed = office.supervisor.post(path, {**told, "reason": "кассир заболел"})
    assert (closed.status_code, closed.json["closing_reason"]) == (201, "кассир заболел")
    assert office.bet(office.cashier, "1", "1.00", pool=office.pool()["code"]).json["code"] == "no_open_shift"
    (event,) = office.auditor.get("/significant-events", kind="shift_closed_for_another").json["items"]
    assert (event["subject"], event["facts"]["reason"]) == (f"shift:{office.shift_id}", "кассир заболел")
    fiscal(office.supervisor, f"/shifts/{office.shift_id}/fiscal-report", "1")
    _, shown = report(office)
    assert (shown["opened_by"], shown["closed_by"], shown["closing_reason"]) == (
        "Cashier",
        "Supervisor",
        "кассир заболел",
    )


def test_a_terminal_with_unsent_bets_does_not_close_its_shift(office: Office) -> None:
    """FIELD-FAULTS 105: refused while three wait; sent late they are refused, and then fall into the next shift."""
    pool = office.pool()
    path, told = f"/shifts/{office.cashier and office.shift_id}/closing", {"counted": "100.00"}
    refused = office.cashier.post(path, {**told, "unsent": 3})
    assert (refused.status_code, refused.json["code"], refused.json["unsent"]) == (409, "unsent_bets", 3)
    assert office.cashier.get(f"/shifts/{office.shift_id}").json["closed_at"] is None

    sheet = close(office.cashier, office.shift_id, "100.00")
    late = {"lines": [{"pool": "P1", "outcome": "1", "stake": "1.00", "key": f"late-bet-{n}"} for n in range(3)]}
    codes = [line["problem"]["code"] for line in office.cashier.post("/pool-bet-batches", late).json["lines"]]
    assert codes == ["no_open_shift"] * 3
    following = office.cashier.post("/shifts", {"counted": "100.00"}).json["id"]
    again = {"lines": [{**bet, "key": f"{bet['key']}-again"} for bet in late["lines"]]}
    assert office.cashier.post("/pool-bet-batches", again).status_code == 200
    assert office.cashier.get(f"/shifts/{office.shift_id}").json == sheet
    assert office.cashier.get(f"/shifts/{following}").json["received"] == "3.00"
    assert office.organizer.get(f"/pools/{pool['code']}/sheet").json["bets"] == 3


@pytest.mark.parametrize(
    ("counted", "difference", "claims"), [("99.00", "-1.00", "1.00"), ("120.00", "20.00", "20.00")]
)
def test_an_opening_on_another_count_is_on_record_once_it_is_confirmed(
    office: Office, counted: str, difference: str, claims: str
) -> None:
    """100.00 were counted at the last closing. The next opening expects them, asks once, and keeps the difference."""
    cashier = office.cashier
    close(cashier, office.shift_id, "100.00")
    asked = cashier.post("/shifts", {"counted": counted})
    assert (asked.status_code, asked.json["code"], asked.json["expected"]) == (409, "counted_cash_differs", "100.00")
    opened = cashier.post("/shifts", {"counted": counted, "difference_confirmed": True}).json
    assert (opened["opening_cash"], opened["opening_difference"]) == (counted, difference)
    assert (office.balance("claims"), office.balance("cash", "desk:K-1")) == (claims, counted)
    noted = office.auditor.get("/significant-events", kind="opening_cash_differs").json["items"]
    # From 10.00 on a difference is worth an event.
    told = [{"difference": "20.00", "expected": "100.00", "counted": "120.00", "currency": "BYN"}]
    assert [event["facts"] for event in noted] == (told if counted == "120.00" else [])


def test_an_opening_repeated_under_its_key_is_one_shift(office: Office) -> None:
    close(office.cashier, office.shift_id, "100.00")
    answers = [office.cashier.post("/shifts", {"counted": "100.00"}, "opening-of-today") for _ in range(2)]
    assert [answer.json["id"] for answer in answers] == [answers[0].json["id"]] * 2
    assert answers[1].headers["Idempotency-Replayed"] == "true"
