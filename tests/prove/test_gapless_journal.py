"""The journal of cash payouts under parallel payouts, killed workers and cut lines: 1…n without a gap (T-Prov 24)."""

from __future__ import annotations

import json
import os
import signal
import socket
import struct
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from sqlalchemy import text

from tests.prove.served import NEXT_DAY, Served, sized
from tests.prove.workers import Line

pytestmark = pytest.mark.prove
DESKS = 10
EACH = sized(10, 200)
"""Winning tickets a desk: 200 payouts in CI, 2,000 when an issue asks."""
AT_A_DESK = 2
"""Payouts a desk sends at a time."""
TENTH = 10
PASSPORT = {"kind": "паспорт", "number": "MP7654321", "issued_on": "2015-03-01", "issued_by": "РУВД"}
LINES = text("""
    SELECT line.number, decided.ticket_id, line.amount FROM payouts AS line
    JOIN settlements AS decided ON decided.id = line.settlement_id ORDER BY line.number
""")


@dataclass(frozen=True)
class Winner:
    """A ticket to be paid at a desk, under the key its terminal made for it."""

    desk: Line
    number: int
    code: str

    @property
    def key(self) -> str:
        return f"payout-of-ticket-{self.number}"

    @property
    def body(self) -> dict[str, Any]:
        person = {"surname": "Петров", "name": "Пётр", "document": PASSPORT}
        return {"code": self.code, "code_entry": "scanned", **person}


class Terminals:
    """Cashiers who pay as terminals do: no answer, or none yet, means the same again under the same key.

    Every tenth payout is sent on a line that is cut at once, and whenever another tenth of all is paid a worker is
    killed in the middle of what it does.
    """

    def __init__(self, served: Served, winners: list[Winner]) -> None:
        self.answered: dict[int, dict[str, Any]] = {}
        self.happened: Counter[str] = Counter()
        self._served, self._winners, self._counting = served, winners, Lock()

    def pay_all(self) -> None:
        """Pay every ticket."""
        with ThreadPoolExecutor(DESKS * AT_A_DESK) as threads:
            list(threads.map(self._pay, enumerate(self._winners)))

    def _pay(self, numbered: tuple[int, Winner]) -> None:
        turn, winner = numbered
        if turn % TENTH == 0:
            _cut(self._served, winner)
            self._count("lines cut")
        answer = self._insist(winner)
        assert answer.status_code == 201, answer.text
        with self._counting:
            self.answered[winner.number] = answer.json()
            kill = len(self.answered) % (len(self._winners) // TENTH) == 0 and len(self.answered) < len(self._winners)
        if kill:
            os.kill(self._served.workers.processes()[0], signal.SIGKILL)
            self._count("workers killed")

    def _insist(self, winner: Winner) -> httpx.Response:
        while True:
            try:
                answer = winner.desk.post("/payouts", winner.body, winner.key)
            except httpx.TransportError:
                self._count("answers lost")
                time.sleep(0.05)
                continue
            if "Idempotency-Replayed" in answer.headers:
                self._count("answers given again")
            if answer.status_code != 503:
                return answer
            self._count("told to wait")
            time.sleep(1)

    def _count(self, what: str) -> None:
        with self._counting:
            self.happened[what] += 1


def test_t_prov_24_ten_desks_pay_at_once_while_workers_die_and_the_numbers_have_no_gap(served: Served) -> None:
    """At each desk as much is staked on 2 as on 1, 1.00 a ticket: fund 60 % of twice the stakes, 1.20 a winner."""
    winners = sold(served)
    terminals = Terminals(served, winners)
    began = time.monotonic()
    terminals.pay_all()
    seconds = time.monotonic() - began

    with served.office.owner() as session:
        lines = [tuple(line) for line in session.execute(LINES)]
    total = DESKS * EACH
    assert [number for number, _, _ in lines] == list(range(1, total + 1))
    assert sorted(ticket for _, ticket, _ in lines) == sorted(winner.number for winner in winners)
    assert {amount for _, _, amount in lines} == {1_20}
    told = {(line["number"], ticket, line["amount"]) for ticket, line in terminals.answered.items()}
    assert told == {(number, ticket, "1.20") for number, ticket, _ in lines}
    assert served.fact("SELECT last FROM counters WHERE series = 'payouts'") == total
    happened = ", ".join(f"{what}: {times}" for what, times in sorted(terminals.happened.items()))
    print(f"{total} payouts at {DESKS} desks in {seconds:.1f} s ({total / seconds:.0f}/s); {happened}")
    assert terminals.happened["lines cut"] == total // TENTH
    assert terminals.happened["workers killed"] == TENTH - 1


def sold(served: Served) -> list[Winner]:
    """Every desk sells its winners and as much on the other outcome; the pool is settled, and it is the next day."""
    _let_terminals_try(served)
    pool = served.pool()
    desks = [served.another_desk() for _ in range(DESKS)]
    winners = [winner for desk, line in enumerate(desks) for winner in _sell(line, desk, pool["code"])]
    assert served.organizer.post(f"/pools/{pool['code']}/closing").status_code == 201
    served.protocol(pool, "1")
    settled = served.organizer.post(f"/pools/{pool['code']}/settlement")
    assert (settled.status_code, settled.json()["coefficient"]) == (201, "6/5")
    served.office.clock(NEXT_DAY)
    # One desk after the other at each turn, so that all of them pay all the time.
    return [winners[desk * EACH + turn] for turn in range(EACH) for desk in range(DESKS)]


def _let_terminals_try(served: Served) -> None:
    """An attempt that dies with its worker stays counted for a minute (FIELD-FAULTS 113): here none waits for that."""
    told = {"value": 1000, "reason": "работники умирают"}
    changed = served.office.administrator.post("/settings/code_attempts/versions", told)
    assert changed.status_code == 201, changed.json


def _sell(desk: Line, number: int, pool: str) -> list[Winner]:
    bet = {"pool": pool, "outcome": "1", "stake": "1.00"}
    told = {"lines": [{**bet, "key": f"sale-of-desk-{number}-{turn:04}"} for turn in range(EACH)]}
    sold = desk.post("/pool-bet-batches", told)
    assert sold.status_code == 200, sold.text
    assert desk.bet("2", f"{EACH}.00", pool).status_code == 201
    tickets = [line["ticket"] for line in sold.json()["lines"]]
    return [Winner(desk, ticket["number"], ticket["code"]) for ticket in tickets]


def _cut(served: Served, winner: Winner) -> None:
    """Send the payout and reset the connection without waiting for an answer; whoever refuses it is dying just now."""
    body = json.dumps(winner.body)
    head = {
        **winner.desk.headers,
        "Idempotency-Key": winner.key,
        "Content-Type": "application/json",
        "Content-Length": len(body),
    }
    address = urlsplit(served.workers.url)
    lines = ["POST /api/v1/payouts HTTP/1.1", f"Host: {address.netloc}", *(f"{k}: {v}" for k, v in head.items())]
    with socket.create_connection((address.hostname, address.port)) as connection:
        connection.sendall("\r\n".join([*lines, "", body]).encode())
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
