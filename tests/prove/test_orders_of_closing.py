"""A bet and a close that meet: every order the locks allow, arranged one by one (DESIGN 3.4).

A bet enters the pool's gate, then the shift's, takes the money, writes its key last. A close takes the gate alone.
"""

from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from sqlalchemy import func, insert, select, text

from api.idempotency import IdempotencyKey
from desk.shifts import close_shift
from office.callers import Caller, Role
from tests.office import POOL
from tests.prove.locks import held, holding_balance
from tests.prove.served import Served
from tests.prove.workers import Line
from tote.closing import POOL_GATE, close
from tote.orders import Order
from tote.pools import pool_by_code
from tote.sales import place

pytestmark = pytest.mark.prove
BET = {"outcome": "1", "stake": "1.00"}


def told(answer: "Future[httpx.Response]") -> tuple[int, str | None]:
    """Status and code of an answer that was waited for."""
    got = answer.result(timeout=30)
    return got.status_code, got.json().get("code") if got.status_code >= 400 else None


class Scene:
    """A pool, and requests that are sent off without waiting for their answers."""

    def __init__(self, served: Served, threads: ThreadPoolExecutor) -> None:
        self.served = served
        self.pool = served.pool()["code"]
        self._threads = threads
        self._waiting = 0

    def bet(self, buyer: Line, key: str | None = None) -> "Future[httpx.Response]":
        """Send a bet of 5.00; it gets as far as the lock it has to wait for."""
        return self.sent(buyer.bet, "1", "5.00", self.pool, key)

    def closing(self) -> "Future[httpx.Response]":
        """Send the close; it waits for the bets in the gate."""
        return self.sent(self.served.organizer.post, f"/pools/{self.pool}/closing")

    def sent(self, *call: Any) -> "Future[Any]":
        """Make a call; return when it waits for a lock."""
        answer: Future[Any] = self._threads.submit(*call)
        self._waiting += 1
        self.served.wait_for(self._waiting)
        return answer

    def closed_over(self) -> tuple[int, int]:
        """What the closing counted; the pool's bets say the same."""
        with self.served.office.owner() as session:
            pool = pool_by_code(session, self.pool)
            query = "SELECT bets, stakes FROM pool_closings WHERE pool_id = :pool"
            counted = session.execute(text(query), {"pool": pool.id}).one()
        assert tuple(counted) == self.served.bets_of(self.pool)
        return counted.bets, counted.stakes


@pytest.fixture
def scene(served: Served) -> Any:
    """A fresh pool in the served house."""
    with ThreadPoolExecutor(8) as threads:
        yield Scene(served, threads)


def test_a_bet_that_waited_for_the_close_is_refused(served: Served, scene: Scene) -> None:
    """The close holds the gate; bets of desk and player stand before it; the close commits."""
    player, operator = served.player("5.00"), served.office.house.operator
    with held(served) as session:
        close(session, operator, pool_by_code(session, scene.pool), None)
        bets = [scene.bet(served.cashier), scene.bet(player)]
        session.commit()
        assert [told(bet) for bet in bets] == [(409, "pool_closed")] * 2
    assert scene.closed_over() == (0, 0)
    assert player.get("/players/me").json()["balance"] == "5.00"


def test_a_bet_that_waited_for_a_close_that_failed_is_taken(served: Served, scene: Scene) -> None:
    operator = served.office.house.operator
    with held(served) as session:
        close(session, operator, pool_by_code(session, scene.pool), None)
        bet = scene.bet(served.cashier)
        session.rollback()
        assert told(bet) == (201, None)
    assert served.bets_of(scene.pool) == (1, 5_00)


def test_a_bet_that_waited_while_the_window_ended_is_refused(served: Served, scene: Scene) -> None:
    """Nobody closed the pool; but by the time the bet is through the gate, it is past the announced end."""
    operator = served.office.house.operator
    with held(served) as session:
        close(session, operator, pool_by_code(session, scene.pool), None)
        bet = scene.bet(served.cashier)
        served.office.clock("2022-11-22T12:55:00+03:00")
        session.rollback()
        assert told(bet) == (409, "pool_closed")
    assert served.bets_of(scene.pool) == (0, 0)


def test_a_bet_in_the_gate_is_counted_by_the_close_behind_it(served: Served, scene: Scene) -> None:
    """The bet waits for its balance, the close for the bet."""
    player = served.player("5.00")
    with holding_balance(served, player):
        bet, closing = scene.bet(player), scene.closing()
    assert told(bet) == (201, None)
    assert told(closing) == (201, None)
    assert scene.closed_over() == (1, 5_00)


def test_a_bet_in_the_gate_that_is_refused_is_not_counted(served: Served, scene: Scene) -> None:
    """While the bet waits for its balance, the money goes elsewhere; the close counts nothing."""
    player = served.player("5.00")
    elsewhere = Order(served.pool()["code"], "1", 5_00)
    with held(served) as session:
        place(session, served.office.house.counter, elsewhere, Caller(Role.PLAYER, player_id=served.id_of(player)))
        bet, closing = scene.bet(player), scene.closing()
        session.commit()
        assert told(bet) == (409, "insufficient_funds")
        assert told(closing) == (201, None)
    assert scene.closed_over() == (0, 0)


def test_a_bet_behind_a_waiting_close_is_refused_and_the_one_before_it_counted(served: Served, scene: Scene) -> None:
    """First bet in the gate, close waiting for it, second bet behind the close: the queue is kept."""
    first = served.player("5.00")
    with holding_balance(served, first):
        before, closing, behind = scene.bet(first), scene.closing(), scene.bet(served.cashier)
    assert [told(before), told(closing), told(behind)] == [(201, None), (201, None), (409, "pool_closed")]
    assert scene.closed_over() == (1, 5_00)


def test_two_closes_at_once_close_once(served: Served, scene: Scene) -> None:
    player = served.player("5.00")
    with holding_balance(served, player):
        bet, closings = scene.bet(player), [scene.closing(), scene.closing()]
    assert told(bet) == (201, None)
    assert sorted(map(told, closings), key=str) == [(201, None), (409, "pool_already_closed")]
    assert scene.closed_over() == (1, 5_00)


def test_a_bet_that_waits_for_its_key_gives_way_to_the_close(served: Served, scene: Scene) -> None:
    """The bet is written and waits for another request under its key; that one wins, the close counts nothing."""
    player = served.player("5.00")
    key = f"key-of-another-{scene.pool}"
    with held(served) as session:
        session.execute(insert(IdempotencyKey).values(**_of_another_request(served.id_of(player), key)))
        bet, closing = scene.bet(player, key), scene.closing()
        session.commit()
        assert told(bet) == (422, "idempotency_key_reused")
        assert told(closing) == (201, None)
    assert scene.closed_over() == (0, 0)
    assert player.get("/players/me").json()["balance"] == "5.00"


def test_a_bet_whose_shift_ends_while_the_pool_closes_is_refused(served: Served, scene: Scene) -> None:
    """The bet is through the pool's gate and waits at the shift's; shift and pool both close."""
    cashier, operator = served.another_desk(), served.office.house.operator
    with held(served) as session:
        shift_id = served.fact("SELECT max(id) FROM shifts")
        close_shift(session, operator, shift_id, 1, counted=0)
        bet, closing = scene.bet(cashier), scene.closing()
        session.commit()
        assert told(bet) == (409, "no_open_shift")
        assert told(closing) == (201, None)
    assert scene.closed_over() == (0, 0)


def test_a_bet_that_waited_for_a_shift_that_stays_open_is_counted(served: Served, scene: Scene) -> None:
    cashier, operator = served.another_desk(), served.office.house.operator
    with held(served) as session:
        shift_id = served.fact("SELECT max(id) FROM shifts")
        close_shift(session, operator, shift_id, 1, counted=0)
        bet, closing = scene.bet(cashier), scene.closing()
        session.rollback()
        assert told(bet) == (201, None)
        assert told(closing) == (201, None)
    assert scene.closed_over() == (1, 5_00)


def test_a_batch_and_the_end_of_an_event_enter_pools_in_one_order(served: Served, scene: Scene) -> None:
    """The end of an event waits at the gate of its first pool; behind it comes a batch that names the second first."""
    first = served.pool()
    second = {**POOL, "code": f"{first['code']}-2", "event_id": first["event_id"]}
    assert served.organizer.post("/pools", second).status_code == 201
    bets = [{"key": f"in-one-order-{code}", "pool": code, **BET} for code in (second["code"], first["code"])]
    called_off = served.office.enter(first)
    with held(served) as session:
        session.execute(select(func.shut_gate(POOL_GATE, pool_by_code(session, first["code"]).id)))
        end = scene.sent(served.office.confirm, first, called_off)
        batch = scene.sent(served.cashier.post, "/pool-bet-batches", {"lines": bets})
        session.rollback()
        assert end.result(timeout=30).status_code == 201
        lines = batch.result(timeout=30).json()["lines"]
    assert [line["problem"]["code"] for line in lines] == ["pool_closed"] * 2
    assert [served.bets_of(pool["code"]) for pool in (first, second)] == [(0, 0)] * 2


def _of_another_request(player_id: int, key: str) -> dict[str, Any]:
    """A key that another request of the player was refused under."""
    refusal = {"code": "unknown_pool", "detail": "Пула с таким шифром нет."}
    return {
        "scope": f"player:{player_id}",
        "key": key,
        "fingerprint": b"another meaning",
        "route": "POST /api/v1/pool-bets",
        "refusal": refusal,
    }
