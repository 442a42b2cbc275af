"""The window and the limits of a pool to their very edges, and the sweep that closes what is over (T-Rules 24, 28)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from ledger.refusals import Refusal
from tests.office import Office
from tote.closing import close_due
from tote.models import Pool
from tote.sales import check_window

OPENS, CLOSES = datetime(2022, 11, 22, 5, tzinfo=UTC), datetime(2022, 11, 22, 9, 55, tzinfo=UTC)
INSTANT = timedelta(microseconds=1)


def refused(at: datetime, closed: bool = False) -> str | None:
    """Why a bet at this instant is refused, or nothing."""
    try:
        check_window(Pool(opens_at=OPENS, closes_at=CLOSES), at, closed)
    except Refusal as refusal:
        return refusal.code
    return None


def test_sold_from_the_opening_itself_until_before_the_closing() -> None:
    assert refused(OPENS - INSTANT) == "pool_not_open"
    assert refused(OPENS) is None
    assert refused(CLOSES - INSTANT) is None
    assert refused(CLOSES) == "pool_closed"
    assert refused(OPENS, closed=True) == "pool_closed"


@pytest.mark.parametrize(
    ("clock", "code"),
    [
        ("2022-11-22T08:59:30+03:00", "pool_not_open"),
        ("2022-11-22T09:00:00+03:00", None),
        ("2022-11-22T12:54:30+03:00", None),
        ("2022-11-22T12:55:00+03:00", "pool_closed"),
    ],
)
def test_the_trades_clock_decides_whatever_a_client_says(office: Office, clock: str, code: str | None) -> None:
    office.pool(opens_at="2022-11-22T09:00:00+03:00")
    player = office.player("ivan", "10.00")
    office.clock(clock)
    for member in (office.cashier, player):
        answer = office.bet(member, "1", "1.00")
        assert (answer.status_code, answer.json.get("code") if code else None) == (409 if code else 201, code)


def test_stakes_at_the_limits_and_a_kopeck_beyond(office: Office) -> None:
    office.pool(minimum_stake="1.00", maximum_stake="10.00")
    answers = [office.bet(office.cashier, "1", stake) for stake in ("0.99", "1.00", "10.00", "10.01")]
    assert [answer.status_code for answer in answers] == [422, 201, 201, 422]
    under, over = answers[0].json, answers[3].json
    assert (under["code"], under["minimum"]) == ("stake_under_minimum", "1.00")
    assert (over["code"], over["maximum"]) == ("stake_over_maximum", "10.00")
    assert office.balance("pool", "pool:P1") == "11.00"


def test_a_stake_of_all_the_money_and_a_kopeck_more(office: Office) -> None:
    office.pool()
    player = office.player("ivan", "10.00")
    refused = office.bet(player, "1", "10.01").json
    assert (refused["code"], refused["detail"].endswith("пополните счёт или уменьшите ставку.")) == (
        "insufficient_funds",
        True,
    )
    assert office.bet(player, "1", "10.00").status_code == 201
    assert office.bet(player, "1", "1.00").json["code"] == "insufficient_funds"
    assert player.get("/players/me").json["balance"] == "0.00"


def test_the_sweep_closes_what_is_over_and_nothing_else(office: Office) -> None:
    """After an outage: two are over, one is still sold; 60 % of 10.01 is 6.006, a fund of 6.01."""
    for code, closes in (("P1", "10:00:00"), ("P2", "11:00:00"), ("P3", "12:55:00")):
        office.pool(code, closes_at=f"2022-11-22T{closes}+03:00")
    office.bet(office.cashier, "1", "10.01")
    office.clock("2022-11-22T11:00:00+03:00")
    here = office.house
    assert close_due(here.sessions, here.operator) == ["P1", "P2"]
    assert close_due(here.sessions, here.operator) == []
    sheet = office.organizer.get("/pools/P1/sheet").json
    assert (sheet["pool"], sheet["withdrawal"], sheet["fund"]) == ("10.01", "4.00", "6.01")
    assert office.organizer.get("/pools/P3").json["status"] == "open"


def test_a_pool_closed_by_hand_sells_nothing_though_its_window_is_open(office: Office) -> None:
    office.pool()
    office.bet(office.cashier, "1", "10.00")
    closed = office.organizer.post("/pools/P1/closing").json
    assert (closed["bets"], closed["pool"], closed["withdrawal"], closed["fund"]) == (1, "10.00", "4.00", "6.00")
    assert office.bet(office.cashier, "1", "10.00").json["code"] == "pool_closed"
