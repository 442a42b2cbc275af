"""Pools and shifts closed while a crowd bets: what was counted is what was sold (DESIGN 3.4)."""

import time
from threading import Timer

import pytest

from office.callers import Caller, Role
from tests.prove.crowd import STAKE, Crowd
from tests.prove.locks import held
from tests.prove.served import Served, sized
from tests.prove.workers import Line
from tote.orders import Order
from tote.sales import place

pytestmark = pytest.mark.prove
LONGEST = 1.0
"""How long the longest open transaction stays open, and what a close may wait beyond it: seconds."""
OPEN_SHIFT = "SELECT max(id) FROM shifts WHERE desk_id = :desk"
EXPLAINED = """
    SELECT shift.counted + coalesce(sum(CASE WHEN moved.debit_account_id = desk.cash_account_id
        THEN moved.amount ELSE -moved.amount END), 0)
    FROM shifts AS shift JOIN desks AS desk ON desk.id = shift.desk_id
    LEFT JOIN transfers AS moved ON moved.shift_id = shift.id
        AND desk.cash_account_id IN (moved.debit_account_id, moved.credit_account_id)
    WHERE shift.id = :shift GROUP BY shift.id
"""


def buyers(served: Served, players: int, desks: int) -> list[Line]:
    """Players with money enough, and cashiers at desks of their own."""
    return [served.player("9000.00") for _ in range(players)] + [served.another_desk() for _ in range(desks)]


def test_every_close_counts_what_was_sold_and_nothing_is_sold_after_it(served: Served) -> None:
    pools = [served.pool()["code"] for _ in range(sized(20, 200))]
    counted = {}
    with Crowd(buyers(served, players=5, desks=3), pools[0]) as crowd:
        for pool in pools:
            crowd.show(pool, bets=15)
            sheet = served.organizer.post(f"/pools/{pool}/closing").json()
            counted[pool] = (sheet["bets"], int(sheet["pool"].replace(".", "")))
            assert served.bets_of(pool) == counted[pool]
    assert crowd.refused["pool_closed"] > 0
    assert {pool: served.bets_of(pool) for pool in pools} == counted
    assert {pool: (crowd.taken[pool], crowd.taken[pool] * STAKE) for pool in pools} == counted


def test_every_shift_is_closed_on_what_its_transfers_explain(served: Served) -> None:
    """Two terminals of one desk sell while a third party closes their shift and opens the next on a full till."""
    pool = served.pool()["code"]
    first, second, stranger = served.cashier, served.another_terminal(), served.another_desk()
    shift_id = served.fact(OPEN_SHIFT, desk=served.office.desk["id"])
    till, sold_before = _explained(served, shift_id), 0
    with Crowd([first, second, stranger], pool) as crowd:
        for turn in range(1, sized(6, 60) + 1):
            crowd.show(pool, bets=20 * turn)
            answer = second.post(f"/shifts/{shift_id}/closing", {"counted": "90000.00"})
            assert answer.status_code == 201, answer.text
            expected = served.fact("SELECT expected FROM shift_closings WHERE shift_id = :shift", shift=shift_id)
            assert expected == _explained(served, shift_id) == int(answer.json()["expected_cash"].replace(".", ""))
            opened = first.post("/shifts", {"counted": "90000.00"})
            assert opened.status_code == 201, opened.text
            sold_before += expected - till
            shift_id, till = opened.json()["id"], 90_000_00
    sold = sold_before + _explained(served, shift_id) - till
    assert crowd.refused["no_open_shift"] > 0
    assert sold == (crowd.taken_by[first] + crowd.taken_by[second]) * STAKE


def test_a_close_waits_under_a_second_beyond_the_longest_open_bet(served: Served) -> None:
    """Thirty-two placers who never pause; one bet more stays open for a second while the close comes."""
    pools = [served.pool()["code"] for _ in range(sized(5, 30))]
    crowd_of_32 = buyers(served, players=6, desks=2) * 4
    slow = served.player("9000.00")
    beyond = []
    with Crowd(crowd_of_32, pools[0]) as crowd:
        for pool in pools:
            crowd.show(pool, bets=32)
            with held(served) as session:
                buyer = Caller(Role.PLAYER, player_id=served.id_of(slow))
                place(session, served.office.house.counter, Order(pool, "2", STAKE), buyer)
                committing = Timer(LONGEST, session.commit)
                began = time.monotonic()
                committing.start()
                closed = served.organizer.post(f"/pools/{pool}/closing")
                waited = time.monotonic() - began
                committing.join()
            assert closed.status_code == 201, closed.text
            assert waited > LONGEST
            beyond.append(waited - LONGEST)
    print(f"a close waited beyond the longest open bet: {sorted(round(each, 3) for each in beyond)} s")
    assert max(beyond) < 1.0
    assert sum(served.bets_of(pool)[0] for pool in pools) == sum(crowd.taken.values()) + len(pools)


def _explained(served: Served, shift_id: int) -> int:
    return int(served.fact(EXPLAINED, shift=shift_id))
