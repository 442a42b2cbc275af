"""The scheduled work run by several at once, as by workers on several machines: each thing is done once."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.prove.interruption import Interrupted, sessions_of
from tests.prove.served import Served, sized
from tests.prove.sold import outcome_of, sold_pool
from tests.prove.workers import at_once
from tote.closing import close_due
from tote.settling import resume_settlements, settle_pool

pytestmark = pytest.mark.prove
AT_ONCE = 4
CLOSINGS = "SELECT count(*) FROM pool_closings JOIN pools ON pools.id = pool_id WHERE pools.code = :pool"


@pytest.mark.parametrize("turn", range(sized(2, 10)))
def test_a_due_pool_is_closed_once_by_whoever_comes_first(served: Served, turn: int) -> None:
    """Of three pools over their window each is closed by one of the sweeps, and a later sweep finds nothing."""
    pools = [served.pool()["code"] for _ in range(3)]
    for pool in pools:
        assert served.cashier.bet("1", "10.00", pool).status_code == 201
    served.office.clock("2022-11-22T12:55:00+03:00")
    house = served.office.house

    closed = at_once([lambda: close_due(house.sessions, house.operator)] * AT_ONCE)

    assert Counter(code for codes in closed for code in codes if code in pools) == dict.fromkeys(pools, 1)
    assert [served.fact(CLOSINGS, pool=pool) for pool in pools] == [1, 1, 1]
    assert close_due(house.sessions, house.operator) == []


def test_a_settlement_that_broke_off_is_finished_once_by_all_who_sweep(served: Served) -> None:
    """12 tickets of 10.00 on 1 and 90.00 on 2: fund 126.00, each win 10.50; broken off while it decides."""
    players = [served.player("30.00") for _ in range(4)]
    pool = sold_pool(served, players, ["10.00", "10.00", "10.00"])
    house = served.office.house

    def stop(number: int) -> None:
        if number == 5:
            raise Interrupted

    with pytest.raises(Interrupted):
        settle_pool(sessions_of(served, stop), house.operator, pool.pool, 2)

    at_once([lambda: resume_settlements(house.sessions, house.operator)] * AT_ONCE)

    tickets, money = outcome_of(served, pool)
    assert tickets == [(10_00, "won", 10_50, 0, "credited", 10_50)] * 12 + [(90_00, "lost", 0, 0, "lost", None)]
    assert ("win_credited", 12, 126_00) in money and ("wins", 1, 126_00) in money
    assert {player.get("/players/me").json()["balance"] for player in players} == {"31.50"}
    assert resume_settlements(house.sessions, house.operator) == []
