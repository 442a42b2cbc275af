"""Buyers who bet under keys without a pause, and insist where the answer is lost; each knows what came of every key."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from threading import Event, Lock
from types import TracebackType
from typing import Self

import httpx

from tests.prove.workers import Line

PAUSE = 0.1
"""Seconds until the same is sent again; a terminal waits for the second that Retry-After tells."""


@dataclass
class Sale:
    """A bet under its key as its buyer knows it: the ticket once it is told, and how often no answer came before."""

    key: str
    buyer: Line
    pool: str
    sent_at: float
    lost: int = 0
    ticket: int | None = None
    told_at: float = 0.0
    carried_out: bool = False
    """The answer was lost, but the bet was there when it was asked for again."""


@dataclass
class Insisting:
    """A bet of 1.00 after the other from each buyer, from a thread each, until the block ends.

    Where no answer comes, or 503, half of the bets are sent again under their key until one does. The others are put
    aside with the first lost answer (``put_aside``): their buyers ask later what became of the key.
    Any other answer ends the buyer, and the block raises it.
    """

    buyers: Sequence[Line]
    pool: str
    name: str
    sales: list[Sale] = field(default_factory=list)
    put_aside: list[Sale] = field(default_factory=list)

    def __enter__(self) -> Self:
        self._writing, self._going_home = Lock(), Event()
        self._threads = ThreadPoolExecutor(len(self.buyers))
        self._buying: list[Future[None]] = [self._threads.submit(self._buy, *each) for each in enumerate(self.buyers)]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._going_home.set()
        self._threads.shutdown()
        for buyer in self._buying:
            buyer.result()

    def told_since(self, instant: float) -> list[float]:
        """When tickets were told since an instant, in order."""
        assert not any(buyer.done() for buyer in self._buying), "a buyer has given up"
        with self._writing:
            return sorted(sale.told_at for sale in self.sales if sale.told_at > instant)

    def wait_for(self, tickets: int, since: float, patience: float = 120.0) -> float:
        """Return when so many tickets were told since an instant; when the first one was."""
        patient_until = time.monotonic() + patience
        while len(told := self.told_since(since)) < tickets:
            assert time.monotonic() < patient_until, f"only {len(told)} tickets of {tickets}"
            time.sleep(0.01)
        return told[0]

    def _buy(self, buyer_number: int, buyer: Line) -> None:
        for number in self._until_home():
            sale = Sale(f"{self.name}-{buyer_number}-{number:06}", buyer, self.pool, time.monotonic())
            aside = not insist(sale, once=number % 2 == 1)
            with self._writing:
                (self.put_aside if aside else self.sales).append(sale)

    def _until_home(self) -> Iterator[int]:
        numbers = count(1)
        while not self._going_home.is_set():
            yield next(numbers)


def insist(sale: Sale, *, once: bool = False) -> bool:
    """Send a bet until its ticket is told, or ``once``; whether it was."""
    while True:
        answer = _send(sale)
        if answer is not None and answer.status_code == 201:
            sale.ticket, sale.told_at = int(answer.json()["number"]), time.monotonic()
            sale.carried_out = "Idempotency-Replayed" in answer.headers
            assert sale.lost or not sale.carried_out, "a key that was never sent is on record"
            return True
        # Whatever is no ticket says: nobody knows, come again with the same key.
        assert answer is None or (answer.status_code, answer.headers.get("Retry-After")) == (503, "1"), answer.text
        sale.lost += 1
        if once:
            return False
        time.sleep(PAUSE)


def _send(sale: Sale) -> httpx.Response | None:
    try:
        return sale.buyer.bet("1", "1.00", sale.pool, sale.key)
    except httpx.TransportError:
        return None
