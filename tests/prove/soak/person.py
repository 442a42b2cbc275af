"""Somebody who calls the house without a pause on a line of his own, and insists on whatever he began."""

from __future__ import annotations

import json
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from threading import Thread
from typing import Any

from tests.prove.insisting import REPLAYED
from tests.prove.kills.ground import Ground
from tests.prove.kills.reckoning import hundredths
from tests.prove.soak.tally import GoneHomeError, Tally
from tests.prove.soak.wire import Answer, LineBrokenError, Wire, request

API = "/api/v1"
LASTING = "LONG"
"""A pool that is open all through the run."""
PAUSE = 0.2
GIVEN_UP = 400.0
BY_DESIGN = {(503, "papers_busy")}
"""What the honest may be told at peace as well, to come again: of papers only so many are made at once."""
RECENT = 500
"""Tickets that are remembered to be looked at."""


@dataclass
class Town:
    """What all of them know: what is sold, what was won, and every ticket and payout they were told of.

    ``pool``, ``winners`` and ``sold`` are what `tests.prove.kills.days.Days` asks of a public.
    """

    ground: Ground
    tally: Tally
    pool: str | None = None
    winners: deque[str] = field(default_factory=deque)
    sold: deque[dict[str, Any]] = field(default_factory=deque)
    recent: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=RECENT))
    told: deque[tuple[int, int]] = field(default_factory=deque)
    """Number and stake of every bet that was acknowledged."""
    paid: deque[int] = field(default_factory=deque)
    """Numbers of every payout that was acknowledged."""

    @property
    def url(self) -> str:
        """Where the API is."""
        return self.ground.served.workers.url

    def complain(self) -> None:
        """Nothing: what went wrong with somebody is told when the run is over."""

    @property
    def failed(self) -> bool:
        """Whether so much has gone wrong that nobody calls any more."""
        return self.tally.over.is_set()

    def tell(self, ticket: dict[str, Any]) -> None:
        """A bet was acknowledged."""
        self.told.append((ticket["number"], hundredths(ticket["stake"])))
        self.recent.append(ticket)
        if ticket["pool"] == self.pool:
            self.sold.append(ticket)


class Person(ABC):
    """A caller with a token and chances of his own; ``acts`` are what he does, and how often beside one another."""

    reads_for = 0.0
    """Seconds, on the average, that he looks at an answer before he asks again."""

    def __init__(self, town: Town, name: str, token: str, chance: Random) -> None:
        self.town, self.name, self.token, self.chance = town, name, token, chance
        self.wire = Wire(town.url)
        self._keys = 0
        self._thread = Thread(target=self._call_on, name=name, daemon=True)

    @abstractmethod
    def acts(self) -> Sequence[tuple[float, Callable[[], object]]]:
        """What this person does."""

    def start(self) -> None:
        """Begin to call."""
        self._thread.start()

    def join(self) -> None:
        """Wait until the last act is over."""
        self._thread.join(GIVEN_UP)
        if self._thread.is_alive():
            self.town.tally.fail(f"{self.name} does not come home")

    def _call_on(self) -> None:
        shares, acts = zip(*self.acts(), strict=True)
        try:
            while True:
                self.chance.choices(acts, shares)[0]()
                if self.reads_for:
                    self.town.tally.over.wait(self.chance.uniform(0, 2 * self.reads_for))
        except GoneHomeError:
            self.wire.hang_up()
        except Exception as error:
            self.town.tally.fail(f"{self.name} gave up: {error!r}")

    def key(self) -> str:
        """A key that was never used."""
        self._keys += 1
        return f"soak-{self.name}-{self._keys:07}"

    def get(self, kind: str, path: str, refusals: frozenset[str] = frozenset()) -> Answer:
        """Read something."""
        return self.ask(kind, "GET", path, refusals=refusals)

    def post(
        self,
        kind: str,
        path: str,
        body: Any,
        refusals: frozenset[str] = frozenset(),
        *,
        key: str | None = None,
        token: str | None = None,
    ) -> Answer:
        """Do something under a key."""
        return self.ask(kind, "POST", path, body, key or self.key(), refusals, token)

    def sent(self, method: str, path: str, body: Any = None, key: str | None = None, token: str | None = None) -> bytes:
        """A request of this person's as it goes over the line."""
        headers = [("Authorization", f"Bearer {token or self.token}")]
        if body is not None:
            headers.append(("Content-Type", "application/json"))
        if key is not None:
            headers.append(("Idempotency-Key", key))
        return request(method, API + path, headers, b"" if body is None else json.dumps(body).encode())

    def ask(
        self,
        kind: str,
        method: str,
        path: str,
        body: Any = None,
        key: str | None = None,
        refusals: frozenset[str] = frozenset(),
        token: str | None = None,
    ) -> Answer:
        """Send until there is an answer, which is what was asked for or one of these refusals; else the run has failed.

        What is begun is brought to its end, also when the run is over.
        """
        self.town.tally.turn()
        sent, patient_until = self.sent(method, path, body, key, token), time.monotonic() + GIVEN_UP
        while (answer := self.heard(kind, sent, f"{method} {path}", method)) is None:
            assert time.monotonic() < patient_until, f"{kind}: {method} {path} is never answered"
            time.sleep(PAUSE)
        if answer.status not in (200, 201) and answer.code not in refusals:
            self.town.tally.fail(f"{kind}: {method} {path} {body}: {answer.status} {answer.text}")
        return answer

    def heard(self, kind: str, sent: bytes, what: str, method: str = "POST") -> Answer | None:
        """Send once: the answer, or nothing where it was lost or a fault of the house's."""
        since, began = self.wire.used_at, time.monotonic()
        try:
            answer = self.wire.send(sent, method)
        except LineBrokenError as broken:
            self.town.tally.lose(
                since, "line broken", f"{kind}: {what}: {broken} after {time.monotonic() - began:.2f} s"
            )
            return None
        self.town.tally.answered(kind, answer.status, answer.code, time.monotonic() - began)
        if answer.status < 500:
            return answer
        if (answer.status, answer.code) in BY_DESIGN and "retry-after" in answer.headers:
            self.town.tally.excuse(f"{answer.status} {answer.code}, by design")
            return None
        self.town.tally.lose(began, f"{answer.status} {answer.code}", f"{kind}: {what}: {answer.text}")
        return None

    def same(self, kind: str, first: Answer, method: str, path: str, body: Any, key: str) -> None:
        """Ask for what was done once more under its key: the answer is the same, and says that it is a repeat."""
        again = self.ask(kind, method, path, body, key, frozenset({first.code}))
        if (again.status, again.body) != (first.status, first.body) or again.headers.get(REPLAYED.lower()) != "true":
            self.town.tally.fail(f"{kind}: {key} was answered {first.text} and then {again.text}")
