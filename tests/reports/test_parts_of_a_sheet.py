"""What stands on a sheet adds up: one rounding for each figure, the last part derived (FIELD-FAULTS 042)."""

from __future__ import annotations

import pytest

from ledger.money import currency, parse_amount
from tests.office import Office


def minor(amount: str) -> int:
    """An amount in kopecks."""
    return parse_amount(amount, currency("BYN"))


def test_a_win_is_rounded_once_not_by_its_shown_coefficient(office: Office) -> None:
    """3.01 of 10.01 on the truth: fund 601 (600.6 up), coefficient 601/301, win 3.01 x 601/301 = 6.01 exactly.

    Rounded first to the 1.9966 that is shown, the win would be 6.0097 and so 6.00, and a kopeck lost.
    """
    pool = office.pool()
    ticket = office.bet(office.cashier, "1", "3.01").json
    office.bet(office.cashier, "2", "7.00")
    sheet = office.decide(pool, "1").json

    assert (sheet["pool"], sheet["withdrawal"], sheet["fund"]) == ("10.01", "4.00", "6.01")
    assert (sheet["coefficient"], sheet["coefficient_display"]) == ("601/301", "1.9966")
    assert (sheet["wins"], sheet["to_jackpot"]) == ("6.01", "0.00")
    shown = office.cashier.get(f"/tickets/{ticket['number']}").json
    assert (shown["win"], shown["stake_back"]) == ("6.01", "0.00")


@pytest.mark.parametrize("stakes", [("1.01", "1.02", "1.03"), ("3.33", "1.00", "7.77"), ("1.00", "1.00", "1.01")])
def test_the_parts_are_the_whole_to_the_kopeck(office: Office, stakes: tuple[str, str, str]) -> None:
    """Two tickets on the truth, one beside it: withdrawal and fund are the pool, wins and jackpot the fund."""
    pool = office.pool()
    tickets = [office.bet(office.cashier, "1", stake).json["number"] for stake in stakes[:2]]
    office.bet(office.cashier, "2", stakes[2])
    sheet = {name: minor(value) for name, value in office.decide(pool, "1").json.items() if _is_amount(value)}

    assert sheet["pool"] == sum(map(minor, stakes))
    assert sheet["withdrawal"] + sheet["fund"] == sheet["pool"]
    shown = [office.cashier.get(f"/tickets/{number}").json for number in tickets]
    paid = sum(minor(ticket["win"]) + minor(ticket["stake_back"]) for ticket in shown)
    assert sheet["wins"] == paid > 0
    assert sheet["wins"] + sheet["to_jackpot"] == sheet["fund"] + sheet["from_organizer"]


def _is_amount(value: object) -> bool:
    return isinstance(value, str) and value.replace(".", "").isdigit() and value[-3:-2] == "."
