"""Pools that come to their end one after another: closed by somebody or by the sweep, settled, credited, lapsed."""

from __future__ import annotations

from collections import deque
from datetime import datetime, timedelta
from threading import Event, Thread
from types import TracebackType
from typing import Any, Protocol, Self

import httpx

from db.session import transaction
from tests.office import EVENT, POOL
from tests.prove.insisting import Act, Acts
from tests.prove.kills.ground import Ground
from tests.prove.served import sized
from tote.pools import pool_by_code
from tote.settlement import start

FIRST_DAY = datetime.fromisoformat("2022-11-22T00:00:00+03:00")
APART = timedelta(days=50)
"""From one match to the next. A term of three months is over with the second one behind it."""
BETS = sized(25, 60)
OF_THREE = 3
PATIENCE = sized(120, 900)
"""Seconds until a pool has sold its bets."""
CLOSED = "SELECT count(*) FROM pool_closings JOIN pools ON pools.id = pool_id WHERE code = %s"
CREDITED = """
    SELECT count(*) FROM settlement_creditings JOIN settlement_runs AS run ON run.id = run_id
    JOIN pools ON pools.id = run.subject_id AND run.trade = 'tote' WHERE pools.code = %s
"""


class Public(Protocol):
    """Whoever bets on what is sold, and fetches what was won."""

    pool: str | None
    winners: deque[str]
    sold: deque[dict[str, Any]]

    @property
    def failed(self) -> bool:
        """Whether they have ended early."""

    def complain(self) -> None:
        """Raise what ended one of them."""


class Days:
    """Match after match until told to end; the one under way is brought to its end.

    Of three pools one is closed and settled by the organizer, one is closed by the sweep, and of one the settlement is
    only begun, as by somebody who broke off: the sweep finishes it.
    """

    def __init__(self, ground: Ground, customers: Public, acts: Acts, run: str, first: int, bets: int = BETS) -> None:
        self.number, self.bets = first, bets
        self.failed: list[BaseException] = []
        self._ground, self._customers, self._acts, self._run = ground, customers, acts, run
        served = ground.served
        self._organizer, self._second = served.organizer, served.line(served.office.second_organizer)
        self._to_fetch: list[str] = []
        self._enough = Event()
        self._thread = Thread(target=self._go_on, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._enough.set()
        if error is not None:
            self._acts.given_up.set()
        self._thread.join()
        if error is None:
            self.complain()

    def complain(self) -> None:
        """Raise what stopped the days."""
        if self.failed:
            raise self.failed[0]

    def come_to_rest(self) -> int:
        """Let the term of every win end; the number of the next day of play."""
        following = self.number + 3
        self._ground.clock(_at(FIRST_DAY + following * APART, 1))
        return following

    def _go_on(self) -> None:
        try:
            while not self._enough.is_set():
                self._play(self.number)
                self.number += 1
        except BaseException as failure:
            self.failed.append(failure)

    def _play(self, number: int) -> None:
        day, code = FIRST_DAY + number * APART, f"DAY-{number}"
        self._ground.clock(_at(day, 8))
        self._customers.winners.extend(self._to_fetch)
        event = self._announce(day, code)
        self._sell(code)
        turn = number % OF_THREE
        if turn == 1:
            self._ground.clock(_at(day, 12, 55))
            self._ground.until(lambda: self._ground.one(CLOSED, code) == 1, f"{code} closed by the sweep")
        else:
            assert self._insist(f"/pools/{code}/closing", "closing").done
        self._customers.pool = None
        self._ground.clock(_at(day, 16))
        self._decide(event)
        if turn == 0:
            self._ground.patiently(lambda: self._begin(code))
        else:
            assert self._insist(f"/pools/{code}/settlement", "settlement").done
        self._ground.until(lambda: self._ground.one(CREDITED, code) == 1, f"{code} credited")
        self._to_fetch = self._won()

    def _announce(self, day: datetime, code: str) -> int:
        self._made("/events", {**EVENT, "code": f"E-{code}", "starts_at": _at(day, 13)})
        event = self._ground.one("SELECT id FROM events WHERE code = %s", f"E-{code}")
        window = {"opens_at": _at(day, 8), "closes_at": _at(day, 12, 55)}
        self._made("/pools", {**POOL, "code": code, "event_id": event, **window})
        return int(event)

    def _sell(self, code: str) -> None:
        self._customers.sold.clear()
        self._customers.pool = code
        self._ground.until(
            lambda: len(self._customers.sold) >= self.bets or self._stopped(), f"bets on {code}", PATIENCE
        )
        self._customers.complain()

    def _stopped(self) -> bool:
        return self._customers.failed or self._acts.given_up.is_set()

    def _decide(self, event: int) -> None:
        """A result by one organizer, a protocol by another; a result whose answer was lost is entered once more."""
        path = f"/events/{event}"
        told = {"standing": "held", "outcomes": ["1"], "source": "протокол матча"}
        entered = self._acts.insist_on(lambda: self._organizer.post(path + "/results", told))
        assert entered.status_code == 201, entered.text
        protocol = {"result_id": entered.json()["id"], "signatories": ["Первый член", "Второй член"]}
        confirmed = self._acts.insist_on(lambda: self._second.post(path + "/protocols", protocol))
        _made_or(confirmed, "result_already_fixed")

    def _begin(self, code: str) -> None:
        with transaction(self._ground.served.office.house.sessions) as session:
            start(session, pool_by_code(session, code))

    def _won(self) -> list[str]:
        """Of the desks' winning tickets every other one is fetched, from the next day on; the others lapse."""
        sold = list(self._customers.sold)
        won = [ticket["code"] for ticket in sold if ticket["desk"] and ticket["outcome"] == "1"]
        return won[::2]

    def _made(self, path: str, body: dict[str, Any]) -> None:
        _made_or(self._acts.insist_on(lambda: self._organizer.post(path, body)), "code_taken")

    def _insist(self, path: str, what: str) -> Act:
        return self._acts.insist(self._organizer, path, None, f"kills-{self._run}-{what}-{self.number:04}")


def _at(day: datetime, hour: int, minute: int = 0) -> str:
    return (day + timedelta(hours=hour, minutes=minute)).isoformat()


def _made_or(answer: httpx.Response, code: str) -> None:
    """Made now, or by an attempt whose answer was lost, as the refusal of its repeat says."""
    assert answer.status_code == 201 or answer.json()["code"] == code, answer.text
