"""Settlements begun twice, at once, or broken off; wins credited while their owners bet (D-17, DESIGN 3.7)."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.prove.crowd import Crowd
from tests.prove.interruption import Interrupted, sessions_of
from tests.prove.locks import holding_balance
from tests.prove.served import FULL, Served, sized
from tests.prove.sold import outcome_of, sold_pool, states_of
from tests.prove.workers import ROOT, at_once
from tote.settling import settle_pool

pytestmark = pytest.mark.prove
CHUNK = 2


def test_a_settlement_started_many_times_at_once_is_one(served: Served) -> None:
    """12 tickets of 10.00 on 1 and 90.00 on 2: fund 126.00, coefficient 126/120 = 1.05, each win 10.50."""
    players = [served.player("30.00") for _ in range(4)]
    pool = sold_pool(served, players, ["10.00", "10.00", "10.00"])

    answers = at_once([lambda: served.organizer.post(f"/pools/{pool.pool}/settlement")] * 6)

    assert [answer.status_code for answer in answers] == [201] * 6
    tickets, money = outcome_of(served, pool)
    assert tickets == [(10_00, "won", 10_50, 0, "credited", 10_50)] * 12 + [(90_00, "lost", 0, 0, "lost", None)]
    assert money == [
        ("prize_fund", 1, 126_00),
        ("stake", 13, 210_00),
        ("win_credited", 12, 126_00),
        ("wins", 1, 126_00),
        ("withdrawal", 1, 84_00),
    ]
    assert {player.get("/players/me").json()["balance"] for player in players} == {"31.50"}


def test_a_settlement_broken_off_anywhere_ends_like_one_that_was_not(served: Served) -> None:
    """Four tickets decided and credited two by two; broken off before each of its transactions in turn."""
    players = [served.player("900.00"), served.player("900.00")]
    operator = served.office.house.operator
    begun: list[int] = []
    whole = sold_pool(served, players, ["10.00", "20.00"])
    settle_pool(sessions_of(served, begun.append), operator, whole.pool, CHUNK)
    for stopped_at in begun:
        pool = sold_pool(served, players, ["10.00", "20.00"])

        def stop(number: int, at: int = stopped_at) -> None:
            if number == at:
                raise Interrupted

        with pytest.raises(Interrupted):
            settle_pool(sessions_of(served, stop), operator, pool.pool, CHUNK)
        served.books_hold()
        settle_pool(served.office.house.sessions, operator, pool.pool, CHUNK)
        assert outcome_of(served, pool) == outcome_of(served, whole)


@pytest.mark.parametrize("killed_at", range(1, 13) if FULL else (4, 9))
def test_a_settlement_whose_process_was_killed_is_taken_up_by_the_next(served: Served, killed_at: int) -> None:
    """The process dies with its transaction open: before it commits its n-th."""
    players = [served.player("900.00"), served.player("900.00")]
    operator = served.office.house.operator
    whole, pool = (sold_pool(served, players, ["10.00", "20.00"]) for _ in range(2))
    settle_pool(served.office.house.sessions, operator, whole.pool, CHUNK)

    command = (sys.executable, "-m", "tests.prove.dying_settlement", served.office.urls.app, pool.pool, str(killed_at))
    died = subprocess.run(command, cwd=ROOT, check=False, timeout=60)

    assert died.returncode == -9
    answer = served.organizer.post(f"/pools/{pool.pool}/settlement")
    assert answer.status_code == 201, answer.text
    assert outcome_of(served, pool) == outcome_of(served, whole)


@pytest.mark.parametrize("turn", range(sized(2, 20)))
def test_pools_credited_at_once_while_their_winners_bet_never_lock_one_another_out(served: Served, turn: int) -> None:
    """Two pools with the same winners, bought in opposite orders; the winners bet on a third all the while."""
    players = [served.player("200.00") for _ in range(8)]
    pools = [sold_pool(served, order, ["1.00", "2.00"]) for order in (players, players[::-1])]
    served.office.clock("2022-11-22T09:00:00+03:00")
    third = served.pool()["code"]
    with Crowd(players, third) as crowd:
        crowd.show(third, bets=8)
        answers = at_once([lambda pool=pool: served.organizer.post(f"/pools/{pool.pool}/settlement") for pool in pools])
        crowd.show(third, bets=crowd.taken[third] + 8)
    assert [answer.status_code for answer in answers] == [201, 201]
    for pool in pools:
        assert states_of(served, pool) == ["credited"] * 16 + ["lost"]


def test_two_runs_that_meet_on_a_winner_go_on_one_after_the_other(served: Served) -> None:
    """Both runs come to a balance somebody holds, from opposite ends of the winners if their order were their own."""
    players = [served.player("200.00") for _ in range(8)]
    pools = [sold_pool(served, order, ["1.00"]) for order in (players, players[::-1])]
    with ThreadPoolExecutor(2) as threads:
        with holding_balance(served, players[4]):
            settling = [threads.submit(served.organizer.post, f"/pools/{sold.pool}/settlement") for sold in pools]
            served.wait_for(2)
        assert [answer.result(timeout=30).status_code for answer in settling] == [201, 201]
    assert [states_of(served, sold) for sold in pools] == [["credited"] * 8 + ["lost"]] * 2
