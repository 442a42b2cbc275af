"""Each pool of the demonstration divided by hand (RULES 2; T-Prov 16, T-Rules 23, 29, 32, 36.1; D-3, D-5, D-14).

The stakes, as `bets.BETS` has them; Ivan and Anna bet from their game accounts, everybody else in cash:

    ARG-KSA   1: 40.00, 60.00, Anna 35.00   X: 20.00                            2: 15.00, Ivan 30.00     ended 1:2
    DEN-TUN   1: 50.00                                                          2: Anna 12.50            ended 0:0
    MEX-POL   1: 45.00                      X: 10.00, Anna 10.00, Ivan 15.00    2: 20.01                 ended 0:0
    FRA-AUS   1: 30.00, Ivan 20.05                                                                       ended 4:1
    BVE-SVI   H: 20.00, Anna 10.00          G: 30.00, Ivan 15.00                N: 75.00, 57.00 cancelled
              written down as 2:1 (H and G are true), corrected to 2:0 (H alone)
    PZV-NAR   1: 25.00                      X: 10.00                            2: Ivan 15.00            broke off

No expected number here is taken from a run.
"""

from __future__ import annotations

import pytest

from tests.api.demonstration.staged import Stage

SHEETS = {
    # 40 + 60 + 35 + 20 + 15 + 30 = 200.00; 60 % is 120.00, the rest 80.00.
    # 2 is true: 15 + 30 = 45.00 won, 120/45 = 8/3; 15 · 8/3 = 40.00, 30 · 8/3 = 80.00; nothing is left.
    "ARG-KSA": {
        "status": "expired",
        "bets": 6,
        "pool": "200.00",
        "withdrawal": "80.00",
        "fund": "120.00",
        "minus_pool": False,
        "returned": False,
        "winning_bets": 2,
        "winning_stake": "45.00",
        "coefficient": "8/3",
        "coefficient_display": "2.6666",
        "wins": "120.00",
        "to_jackpot": "0.00",
        "from_organizer": "0.00",
    },
    # 50 + 12.50 = 62.50; 60 % is 37.50, the rest 25.00. Nobody bet on the draw: all of the fund goes to the jackpot.
    "DEN-TUN": {
        "status": "expired",
        "bets": 2,
        "pool": "62.50",
        "withdrawal": "25.00",
        "fund": "37.50",
        "minus_pool": False,
        "returned": False,
        "winning_bets": 0,
        "winning_stake": "0.00",
        "coefficient": None,
        "coefficient_display": None,
        "wins": "0.00",
        "to_jackpot": "37.50",
        "from_organizer": "0.00",
    },
    # 45 + 10 + 10 + 15 + 20.01 = 100.01; 60 % is 60.006, rounded up 60.01, the rest 40.00 (D-3).
    # X is true: 10 + 10 + 15 = 35.00 won, 60.01/35 = 6001/3500 = 1.71457…
    # 10 · 6001/3500 = 17.1457…, cut to 17.14, twice; 15 · 6001/3500 = 25.7185…, cut to 25.71; together 59.99.
    # Left are 60.01 - 59.99 = 0.02.
    "MEX-POL": {
        "status": "expired",
        "bets": 5,
        "pool": "100.01",
        "withdrawal": "40.00",
        "fund": "60.01",
        "minus_pool": False,
        "returned": False,
        "winning_bets": 3,
        "winning_stake": "35.00",
        "coefficient": "6001/3500",
        "coefficient_display": "1.7145",
        "wins": "59.99",
        "to_jackpot": "0.02",
        "from_organizer": "0.00",
    },
    # 30 + 20.05 = 50.05; 60 % is 30.03, the rest 20.02. Everybody won: a minus pool (D-5).
    # 10 % of 30.00 is 3.00, of 20.05 is 2.005, rounded up 2.01: the organizer adds 5.01.
    # Due are 30 + 3 = 33.00 and 20.05 + 2.01 = 22.06, together 55.06 = 50.05 + 5.01.
    "FRA-AUS": {
        "status": "expired",
        "bets": 2,
        "pool": "50.05",
        "withdrawal": "20.02",
        "fund": "30.03",
        "minus_pool": True,
        "returned": False,
        "winning_bets": 2,
        "winning_stake": "50.05",
        "coefficient": None,
        "coefficient_display": None,
        "wins": "55.06",
        "to_jackpot": "0.00",
        "from_organizer": "5.01",
    },
    # Without the cancelled 57.00: 20 + 10 + 30 + 15 + 75 = 150.00; 60 % is 90.00, the rest 60.00.
    # H alone is true: 20 + 10 = 30.00 won, 90/30 = 3; 20 · 3 = 60.00, 10 · 3 = 30.00; nothing is left.
    # Settled anew on 23 November: paid until 24 February, when the other pools' term is over.
    "BVE-SVI": {
        "status": "payable",
        "bets": 5,
        "pool": "150.00",
        "cancelled_bets": 1,
        "cancelled_stakes": "57.00",
        "withdrawal": "60.00",
        "fund": "90.00",
        "minus_pool": False,
        "returned": False,
        "winning_bets": 2,
        "winning_stake": "30.00",
        "coefficient": "3/1",
        "coefficient_display": "3.0000",
        "wins": "90.00",
        "to_jackpot": "0.00",
        "from_organizer": "0.00",
    },
    # 25 + 10 + 15 = 50.00; at the closing 60 % were 30.00 and the rest 20.00. The match broke off: nobody wins, the
    # withdrawal goes back and all of 50.00 is returned.
    "PZV-NAR": {
        "status": "returned",
        "bets": 3,
        "pool": "50.00",
        "withdrawal": "20.00",
        "fund": "30.00",
        "minus_pool": False,
        "returned": True,
        "winning_bets": 0,
        "winning_stake": "0.00",
        "coefficient": None,
        "coefficient_display": None,
        "wins": "50.00",
        "to_jackpot": "0.00",
        "from_organizer": "0.00",
    },
}


@pytest.mark.parametrize("code", SHEETS)
def test_each_pool_is_divided_as_by_hand(played: Stage, code: str) -> None:
    sheet = played.cast().accountant.get(f"/pools/{code}/sheet")

    assert {name: sheet[name] for name in SHEETS[code]} == SHEETS[code]


def test_the_corrected_pool_shows_both_divisions(played: Stage) -> None:
    """By the wrong protocol 20 + 10 + 30 + 15 = 75.00 had won, and 90/75 was 6/5 (D-14)."""
    versions = played.cast().accountant.get("/pools/BVE-SVI/sheet")["versions"]

    told = [(one["true_outcomes"], one["coefficient"], one["wins"], one["reversed_at"] is None) for one in versions]
    assert told == [(["H", "G"], "6/5", "90.00", False), (["H"], "3/1", "90.00", True)]


def test_the_correction_names_what_it_corrects_and_takes_two_persons(played: Stage) -> None:
    """BVE-SVI's match ends fourth of six, so that its protocol is the fourth, and the correction the seventh (D-14)."""
    cast = played.cast()
    event_id = cast.records.event_id("BVE-SVI")

    right, wrong = cast.accountant.get(f"/events/{event_id}/protocols")["items"]

    assert (wrong["number"], wrong["corrects"], right["number"], right["corrects"]) == (4, None, 7, 4)
    assert right["entered_by"] != right["confirmed_by"]
