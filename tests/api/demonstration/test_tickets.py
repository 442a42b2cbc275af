"""What became of each ticket of the demonstration, by hand from the divisions in `test_pools`."""

from __future__ import annotations

import pytest

from api.commands.demonstration.bets import BETS
from api.commands.demonstration.sales import number_of
from tests.api.demonstration.staged import Stage, bet_named, tickets

# What each bet is due by the decision in force besides its stake given back; every other bet: nothing.
DUE = {
    "a4": ("40.00", "0.00"),
    "a5": ("80.00", "0.00"),
    "c1": ("17.14", "0.00"),
    "c2": ("17.14", "0.00"),
    "c3": ("25.71", "0.00"),
    # The tenth of the minus pool has lapsed, the stake has not (D-21).
    "d1": ("0.00", "30.00"),
    "d2": ("2.01", "20.05"),
    "e1": ("60.00", "0.00"),
    "e2": ("30.00", "0.00"),
    "e5": ("0.00", "57.00"),
    "f1": ("0.00", "25.00"),
    "f2": ("0.00", "10.00"),
    "f3": ("0.00", "15.00"),
}
# In cash: paid to whoever came, lapsed or returned where nobody did. From a game account: credited. All others lost.
STATUS = {
    "a4": "paid",
    "a5": "credited",
    "c1": "expired",
    "c2": "credited",
    "c3": "credited",
    "d1": "returned",
    "d2": "credited",
    "e1": "paid",
    "e2": "credited",
    "e5": "paid",
    "f1": "paid",
    "f2": "returned",
    "f3": "credited",
}
# Version by version: decision, win, stake back, received before; how it ended, what that moved; taken back, overpaid.
DECISIONS = {
    # 10 · 6001/3500 cut to 17.14, which nobody fetched: to the jackpot (T-Rules 38.2).
    "c1": [("won", "17.14", "0.00", "0.00", "expired", "17.14", "0.00", "0.00")],
    # 10 % of 30.00 lapse, the stake of the minus pool is owed on without an end (T-Prov 16, D-21).
    "d1": [
        ("won", "3.00", "30.00", "0.00", "expired", "3.00", "0.00", "0.00"),
        ("returned", "0.00", "30.00", "0.00", None, None, "0.00", "0.00"),
    ],
    # 20 · 6/5 = 24.00 paid; 20 · 3 = 60.00 by the right protocol: 36.00 more, paid the next day (D-14).
    "e1": [
        ("won", "24.00", "0.00", "0.00", "paid", "24.00", "0.00", "0.00"),
        ("won", "60.00", "0.00", "24.00", "paid", "36.00", "0.00", "0.00"),
    ],
    # 10 · 6/5 = 12.00 credited; 10 · 3 = 30.00: 18.00 more.
    "e2": [
        ("won", "12.00", "0.00", "0.00", "credited", "12.00", "0.00", "0.00"),
        ("won", "30.00", "0.00", "12.00", "credited", "18.00", "0.00", "0.00"),
    ],
    # 30 · 6/5 = 36.00 paid in cash for an outcome that is not true: it stays paid, the organizer bears it.
    "e3": [
        ("won", "36.00", "0.00", "0.00", "paid", "36.00", "0.00", "0.00"),
        ("lost", "0.00", "0.00", "36.00", None, None, "0.00", "36.00"),
    ],
    # 15 · 6/5 = 18.00 credited for it: taken back.
    "e4": [
        ("won", "18.00", "0.00", "0.00", "credited", "18.00", "0.00", "0.00"),
        ("lost", "0.00", "0.00", "18.00", None, None, "18.00", "0.00"),
    ],
    # Cancelled while the pool sold: the stake at once, and the settlements decide nothing about it (T-Rules 29).
    "e5": [("cancelled", "0.00", "57.00", "0.00", "paid", "57.00", "0.00", "0.00")],
    # The match broke off: the stake at the desk, or still there, or onto the game account (T-Rules 32).
    "f1": [("returned", "0.00", "25.00", "0.00", "paid", "25.00", "0.00", "0.00")],
    "f2": [("returned", "0.00", "10.00", "0.00", None, None, "0.00", "0.00")],
    "f3": [("returned", "0.00", "15.00", "0.00", "credited", "15.00", "0.00", "0.00")],
}
FIELDS = ("decision", "win", "stake_back", "received", "end", "amount", "taken_back", "overpaid")


def test_each_bet_is_due_what_it_won_and_no_other_is(played: Stage) -> None:
    due = {name: (ticket["win"], ticket["stake_back"]) for name, ticket in tickets(played.cast()).items()}

    assert due == {bet.name: DUE.get(bet.name, ("0.00", "0.00")) for bet in BETS}


def test_how_each_ticket_ended(played: Stage) -> None:
    status = {name: ticket["status"] for name, ticket in tickets(played.cast()).items()}

    assert status == {bet.name: STATUS.get(bet.name, "lost") for bet in BETS}


@pytest.mark.parametrize("name", DECISIONS)
def test_each_decision_and_its_end(played: Stage, name: str) -> None:
    cast = played.cast()

    decisions = cast.accountant.get(f"/tickets/{number_of(cast, bet_named(name))}/decisions")["items"]

    assert [tuple(decision[field] for field in FIELDS) for decision in decisions] == DECISIONS[name]


def test_a_win_lapses_at_midnight_behind_its_last_day(played: Stage) -> None:
    """Determined on 22 November: paid from 23 November to 23 February, and no more on the 24th (T-Rules 40, D-1)."""
    cast = played.cast()

    (lapsed,) = cast.accountant.get(f"/tickets/{number_of(cast, bet_named('c1'))}/decisions")["items"]

    assert lapsed["ended_at"] == "2023-02-23T21:00:00+00:00"
