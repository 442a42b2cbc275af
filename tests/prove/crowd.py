"""A crowd of placers who bet without a pause on whatever pool is shown, and remember what they were answered."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event, Lock
from types import TracebackType
from typing import Self

from tests.prove.workers import Line

STAKE = 1_00
EXPECTED_REFUSALS = frozenset({"pool_closed", "no_open_shift", "sales_stopped"})


@dataclass(frozen=True)
class Heard:
    """A bet as its buyer saw it: when it was sent off and answered, and why it was refused, if it was."""

    sent: float
    answered: float
    pool: str
    buyer: Line
    refusal: str | None


class Crowd:
    """Each buyer bets 1.00 on outcome 1 of the pool shown, from a thread of its own, until the block ends.

    ``taken`` counts the accepted bets of each pool, ``refused`` the refusals by their code. Whatever is neither
    accepted nor refused for a closed pool or shift, a stop, or a reason that was ``expected``, ends its placer, and the
    block raises it.
    """

    def __init__(self, buyers: Sequence[Line], pool: str, expected: Iterable[str] = ()) -> None:
        self.pool = pool
        self.taken: Counter[str] = Counter()
        self.taken_by: Counter[Line] = Counter()
        self.refused: Counter[str] = Counter()
        self.heard: list[Heard] = []
        self._buyers = buyers
        self._expected = EXPECTED_REFUSALS.union(expected)
        self._counting = Lock()
        self._going_home = Event()

    def __enter__(self) -> Self:
        self._threads = ThreadPoolExecutor(len(self._buyers))
        self._placers: list[Future[None]] = [self._threads.submit(self._place, buyer) for buyer in self._buyers]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._going_home.set()
        self._threads.shutdown()
        for placer in self._placers:
            placer.result()

    def show(self, pool: str, bets: int) -> None:
        """Let the crowd turn to a pool; returns when it has taken so many bets."""
        self.pool = pool
        while self.taken[pool] < bets:
            assert not any(placer.done() for placer in self._placers), "a placer has given up"
            time.sleep(0.002)

    def _place(self, buyer: Line) -> None:
        while not self._going_home.is_set():
            pool = self.pool
            sent = time.monotonic()
            answer = buyer.bet("1", "1.00", pool)
            answered = time.monotonic()
            refusal = None if answer.status_code == 201 else answer.json()["code"]
            assert refusal is None or refusal in self._expected, answer.text
            with self._counting:
                self.heard.append(Heard(sent, answered, pool, buyer, refusal))
                if refusal is None:
                    self.taken[pool] += 1
                    self.taken_by[buyer] += 1
                else:
                    self.refused[refusal] += 1
