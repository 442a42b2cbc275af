"""What is staked on a pool and what it would bring, for everybody: provisional until the pool is settled."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.seals.sealing import seal
from tests.office import Member, Office
from tests.tote.test_sales import asked
from tote.checkpoints import keep_totals

STATEMENTS = 7
"""Who calls; the pool; its division; how it stands; how far totals are kept; the totals; the end of the transaction."""


def board(office: Office, member: Member | None = None, pool: str = "P1") -> dict[str, Any]:
    """The board as somebody sees it."""
    answer = (member or office.organizer).get(f"/pools/{pool}/totals")
    assert answer.status_code == 200, answer.json
    return dict(answer.json)


def coefficients(shown: dict[str, Any]) -> dict[str, tuple[str | None, str | None]]:
    """Each outcome's coefficient, exact and for the eye."""
    return {one["code"]: (one["coefficient"], one["coefficient_display"]) for one in shown["outcomes"]}


def sell(office: Office, **stakes: str) -> None:
    """A bet of the cashier on each outcome: ``on_1="400.00"``."""
    for outcome, stake in stakes.items():
        assert office.bet(office.cashier, outcome.removeprefix("on_"), stake).status_code == 201


def test_t_rules_36_1_before_the_game_is_summed_up_a_coefficient_is_provisional(office: Office) -> None:
    """Of 1 000.00 the fund is 600.00: 600/400 = 3/2, 600/500 = 6/5, 600/100 = 6. With 200.00 more on 2 of 1 200.00 the
    fund is 720.00: 720/400 = 9/5, 720/500 = 36/25, 720/300 = 12/5.
    """
    office.pool()
    sell(office, on_1="400.00", on_X="500.00", on_2="100.00")
    first = board(office)
    assert (first["pool"], first["provisional"], first["settled"], first["status"]) == ("1000.00", True, None, "open")
    assert coefficients(first) == {"1": ("3/2", "1.5000"), "X": ("6/5", "1.2000"), "2": ("6/1", "6.0000")}
    assert [one["stakes"] for one in first["outcomes"]] == ["400.00", "500.00", "100.00"]
    seal(office.house.sessions)
    assert keep_totals(office.house.sessions, longest_tail=1) == 3
    sell(office, on_2="200.00")
    assert coefficients(board(office)) == {"1": ("9/5", "1.8000"), "X": ("36/25", "1.4400"), "2": ("12/5", "2.4000")}


def test_t_rules_36_1_settled_it_shows_the_coefficient_that_is_paid(office: Office) -> None:
    """Of 300.00 the fund is 180.00, over 70.00 of stakes 18/7 = 2.571428…; cut off after four places."""
    pool = office.pool()
    sell(office, on_1="70.00", on_X="230.00")
    foretold = coefficients(board(office))["1"]
    assert foretold == ("18/7", "2.5714")
    assert office.decide(pool, "1").status_code == 201
    shown = board(office)
    assert coefficients(shown) == {"1": foretold, "X": (None, None), "2": (None, None)}
    assert [one["true"] for one in shown["outcomes"]] == [True, False, False]
    assert (shown["provisional"], shown["status"], shown["pool"]) == (False, "settled", "300.00")
    ended = {name: told for name, told in shown["settled"].items() if name != "settled_at"}
    assert ended == {
        "coefficient": "18/7",
        "coefficient_display": "2.5714",
        "win_per_bet": None,
        "minus_pool": False,
        "returned": False,
    }


def test_a_pool_nobody_has_bet_on_has_no_coefficients(office: Office) -> None:
    office.pool()
    shown = board(office)
    assert shown["pool"] == "0.00"
    assert set(coefficients(shown).values()) == {(None, None)}
    assert not any(one["minus_pool"] for one in shown["outcomes"])


def test_t_prov_16_all_on_one_outcome_is_marked_as_a_minus_pool_before_and_after(office: Office) -> None:
    pool = office.pool()
    sell(office, on_1="40.00")
    for true in (None, True):
        shown = board(office)
        assert coefficients(shown)["1"] == (None, None)
        assert [(one["code"], one["true"]) for one in shown["outcomes"] if one["minus_pool"]] == [("1", true)]
        if true is None:
            assert office.decide(pool, "1").status_code == 201
    assert (shown["settled"]["minus_pool"], shown["settled"]["coefficient"]) == (True, None)


def test_d_6_the_announced_minimum_is_shown_as_it_would_be_paid(office: Office) -> None:
    """600/900 = 2/3 is under the promised 1.05: 1.05 is shown and marked, and paid in the end: 945.00 of 900.00."""
    pool = office.pool(minimum_coefficient="1.05")
    sell(office, on_1="900.00", on_2="100.00")
    foretold = board(office)["outcomes"]
    assert [(one["coefficient"], one["raised"]) for one in foretold] == [("21/20", True), (None, False), ("6/1", False)]
    sheet = office.decide(pool, "1").json
    assert sheet["wins"] == "945.00"
    settled = board(office)
    assert (settled["outcomes"][0]["raised"], settled["settled"]["coefficient"]) == (True, "21/20")


def test_d_22_several_true_outcomes_share_one_coefficient(office: Office) -> None:
    """Of 300.00 the fund is 180.00, over the 150.00 on 1 and X together 6/5."""
    pool = office.pool()
    sell(office, on_1="100.00", on_X="50.00", on_2="150.00")
    assert office.decide(pool, "1", "X").status_code == 201
    assert coefficients(board(office)) == {"1": ("6/5", "1.2000"), "X": ("6/5", "1.2000"), "2": (None, None)}


def test_everybody_sees_the_same_and_nobody_how_many_bets_there_are(office: Office) -> None:
    office.pool()
    player = office.player("ivan", "10.00")
    sell(office, on_1="40.00")
    seen = [board(office, member) for member in (player, office.cashier, office.accountant, office.trader)]
    assert all(one == seen[0] for one in seen)
    assert "bets" not in str(seen[0])


def test_an_unknown_pool_is_named(office: Office) -> None:
    answer = office.organizer.get("/pools/P9/totals")
    assert (answer.status_code, answer.json["code"]) == (404, "unknown_pool")


@pytest.mark.parametrize("bets", [0, 3])
def test_however_much_was_sold_the_database_is_asked_as_often(office: Office, bets: int) -> None:
    office.pool()
    for _ in range(bets):
        sell(office, on_1="40.00")
    assert office.organizer
    with asked(office) as heard:
        board(office)
    assert len(heard) <= STATEMENTS
