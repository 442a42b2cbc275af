"""Tickets of many rows through real workers: one key is one whole ticket, and a closing counts whole tickets only."""

from __future__ import annotations

from functools import partial
from typing import Any

import httpx
import pytest

from tests.prove.served import Served, sized
from tests.prove.workers import Line, at_once
from tests.tote.positions.announced import announced

pytestmark = pytest.mark.prove
ROWS = sized(30_000, 300_000)
TIMES = 8
CUT_SHORT = """
    SELECT count(*) FROM pool_bets AS bet WHERE bet.marks IS NULL AND bet.outcome = '*'
        AND bet.rows IS DISTINCT FROM (SELECT sum(rows) FROM uploaded_rows WHERE ticket_id = bet.ticket_id)
"""


@pytest.fixture
def pool(served: Served, request: pytest.FixtureRequest) -> dict[str, Any]:
    """A pool of four matches from 0.01 a bet, for each test its own."""
    return announced(served.office, f"U-{request.node.name[5:35]}", minimum_stake="0.01")


def ticket(pool: dict[str, Any], number: int = 0) -> dict[str, Any]:
    """So many rows at 0.01, no two tickets alike."""
    rows = ["1X21", "2222", "XXXX"][number % 3 :] * ROWS
    return {"pool": pool["code"], "uploaded": "\n".join(rows[:ROWS]), "stake": f"{ROWS // 100}.00"}


def test_one_key_is_one_whole_ticket(served: Served, pool: dict[str, Any]) -> None:
    body, key = ticket(pool), f"upload-{pool['code']}"
    answers = at_once([partial(served.cashier.post, "/pool-bets", body, key)] * TIMES)
    assert [answer.status_code for answer in answers] == [201] * TIMES
    assert len({answer.text for answer in answers}) == 1
    assert served.bets_of(pool["code"]) == (1, ROWS)
    assert served.fact(CUT_SHORT) == 0


def test_a_closing_counts_whole_tickets(served: Served, pool: dict[str, Any]) -> None:
    """Uploads and covers against the closing: whoever was in time is counted with every row, the others are refused."""
    cashiers = [served.cashier, *(served.another_desk() for _ in range(3))]

    def sell(number: int, by: Line) -> httpx.Response:
        cover = {"pool": pool["code"], "marks": [["1", "X", "2"]] * 4, "stake": "0.81"}
        return by.post("/pool-bets", cover if number % 2 else ticket(pool, number))

    close = partial(served.organizer.post, f"/pools/{pool['code']}/closing")
    sellers = [partial(sell, number, cashiers[number % 4]) for number in range(TIMES)]
    *sold, closed = at_once([*sellers, close])
    assert {answer.status_code for answer in sold} <= {201, 409}
    taken = [answer.json() for answer in sold if answer.status_code == 201]
    assert {answer.json()["code"] for answer in sold if answer.status_code == 409} <= {"pool_closed"}
    stakes = sum(one["rows"] for one in taken)
    assert (closed.json()["bets"], closed.json()["pool"]) == (len(taken), f"{stakes // 100}.{stakes % 100:02}")
    assert served.bets_of(pool["code"]) == (len(taken), stakes)
    assert served.fact(CUT_SHORT) == 0
