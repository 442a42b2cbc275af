"""Protocols corrected while desks pay and sweeps credit, by two at once, and by processes that die (D-14)."""

from __future__ import annotations

import subprocess
import sys
from functools import partial

import httpx
import pytest

from tests.prove.served import FULL, NEXT_DAY, Served, sized
from tests.prove.sold import Sold, outcome_of, sold_pool, states_of
from tests.prove.test_approval_races import PERSON, correction
from tests.prove.workers import ROOT, Line, at_once
from tote.settling import resume_settlements, settle_pool

pytestmark = [pytest.mark.prove, pytest.mark.long]
CHUNK = 2
PAID_TOO_MUCH = """
    SELECT coalesce(sum(amount), 0) FROM transfers AS moved JOIN pools AS pool
        ON pool.wins_account_id = moved.credit_account_id
    WHERE pool.code = :pool AND kind = :kind
        AND NOT EXISTS (SELECT FROM transfers AS undone WHERE undone.reverses_id = moved.id)
"""
LAST_PROTOCOL = """
    SELECT count(*) FROM protocols JOIN pools USING (event_id) WHERE pools.code = :pool
"""


def paid(desk: Line, code: str) -> httpx.Response:
    """A ticket is presented at a desk."""
    return desk.post("/payouts", {"code": code, "code_entry": "scanned", **PERSON})


@pytest.mark.parametrize("turn", range(sized(2, 30)))
def test_a_correction_while_desks_pay_and_the_sweep_credits(served: Served, turn: int) -> None:
    """Six cash tickets and four online ones of 10.00 on 1, 90.00 on 2: pool 190.00, fund 114.00, 11.40 each.

    By 2 all 114.00 are the last ticket's: every 11.40 that a desk paid is the organizer's loss, every one that was
    credited is taken back, and what neither had done is owed to nobody.
    """
    desks = [served.cashier, served.another_terminal()]
    players = [served.player("20.00") for _ in range(2)]
    sold = sold_pool(served, [*[served.cashier] * 3, *players], ["10.00", "10.00"])
    codes = sold.codes[:6]
    sessions, operator = served.office.house.sessions, served.office.house.operator
    assert served.organizer.post(f"/pools/{sold.pool}/settlement").status_code == 201
    served.office.clock(NEXT_DAY)
    confirm = correction(served, sold)

    pays = [partial(paid, desks[number % 2], code) for number, code in enumerate(codes)]
    sweep = partial(settle_pool, sessions, operator, sold.pool, CHUNK)
    *answers, corrected, _ = at_once([*pays, confirm, sweep])
    resume_settlements(sessions, operator)

    assert corrected.status_code == 201, corrected.text
    fetched = [answer for answer in answers if answer.status_code == 201]
    refused = {answer.json()["code"] for answer in answers if answer.status_code != 201}
    assert refused <= {"settlement_under_way", "ticket_lost"}
    assert served.fact(PAID_TOO_MUCH, pool=sold.pool, kind="overpaid") == 11_40 * len(fetched)
    assert states_of(served, sold) == ["lost"] * 10 + ["won"]
    assert {player.get("/players/me").json()["balance"] for player in players} == {"0.00"}
    served.books_hold()


@pytest.mark.parametrize("turn", range(sized(2, 30)))
def test_of_two_who_correct_at_once_one_does(served: Served, turn: int) -> None:
    """Two corrections of one protocol are confirmed at once: the second is told that it is superseded."""
    sold = sold_pool(served, [served.cashier, served.player("10.00")], ["10.00"])
    assert served.organizer.post(f"/pools/{sold.pool}/settlement").status_code == 201
    confirms = [correction(served, sold), correction(served, sold)]

    answers = at_once(confirms)

    assert sorted(answer.status_code for answer in answers) == [201, 409]
    (refused,) = [answer.json() for answer in answers if answer.status_code == 409]
    assert (refused["code"], refused["number"] > 0) == ("protocol_superseded", True)
    sweeps = [partial(resume_settlements, served.office.house.sessions, served.office.house.operator)] * 2
    at_once(sweeps)
    assert served.fact(LAST_PROTOCOL, pool=sold.pool) == 2
    assert states_of(served, sold) == ["lost", "lost", "won"]
    served.books_hold()


@pytest.mark.parametrize("killed_at", range(1, 18) if FULL else (4, 7, 8, 14))
def test_a_settlement_made_again_whose_process_was_killed_is_taken_up_by_the_next(
    served: Served, killed_at: int
) -> None:
    """At its n-th commit: deciding (3-6), completing (7), before crediting (8), crediting (9-12), taking back."""
    players = [served.player("900.00"), served.player("900.00")]
    sessions, operator = served.office.house.sessions, served.office.house.operator
    whole, pool = (corrected_pool(served, players) for _ in range(2))
    settle_pool(sessions, operator, whole.pool, CHUNK)

    command = (sys.executable, "-m", "tests.prove.dying_settlement", served.office.urls.app, pool.pool, str(killed_at))
    died = subprocess.run(command, cwd=ROOT, check=False, timeout=60)

    assert died.returncode == -9
    served.books_hold()
    assert resume_settlements(sessions, operator) == [pool.pool]
    assert outcome_of(served, pool) == outcome_of(served, whole)
    served.books_hold()


def test_a_win_is_taken_back_behind_a_bet_that_spends_it(served: Served) -> None:
    """Whichever comes first to the balance: what is spent cannot be taken back, what is taken back cannot be spent."""
    player = served.player("10.00")
    sold = sold_pool(served, [player], ["10.00"])
    assert served.organizer.post(f"/pools/{sold.pool}/settlement").status_code == 201
    assert correction(served, sold)().status_code == 201
    sessions, operator = served.office.house.sessions, served.office.house.operator
    served.office.clock("2022-11-22T09:00:00+03:00")
    third = served.pool()["code"]
    bet, _ = at_once([partial(player.bet, "1", "50.00", third), partial(settle_pool, sessions, operator, sold.pool)])

    # 60.00 were won and are undone: either the bet came first and 50.00 are claimed, or it found nothing.
    spent = 50_00 if bet.status_code == 201 else 0
    assert bet.status_code == 201 or bet.json()["code"] == "insufficient_funds"
    assert served.fact(PAID_TOO_MUCH, pool=sold.pool, kind="win_claimed") == spent
    assert served.fact(PAID_TOO_MUCH, pool=sold.pool, kind="win_taken_back") == 60_00 - spent
    assert player.get("/players/me").json()["balance"] == "0.00"
    served.books_hold()


def corrected_pool(served: Served, players: list[Line]) -> Sold:
    """A pool settled by 1, its protocol corrected to 2, and not settled again yet."""
    sold = sold_pool(served, players, ["10.00", "20.00"])
    assert served.organizer.post(f"/pools/{sold.pool}/settlement").status_code == 201
    assert correction(served, sold)().status_code == 201
    return sold
