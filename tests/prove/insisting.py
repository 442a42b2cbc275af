"""Terminals that insist: whatever breaks, the same request goes out under the same key until it is answered.

`Acts` keeps what terminals did: between two sends the key is asked what it did, and the word of the key is kept, for
what it said before the repeat must be what the repeat is told. `Insisting` are buyers who bet without a pause; each
knows what came of every key.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from threading import Event, Lock
from types import TracebackType
from typing import Any, Self

import httpx

from tests.prove.workers import Line

REPLAYED = "Idempotency-Replayed"
PAUSE = 0.1
"""Seconds until the same is sent again; a terminal waits for the second that Retry-After tells."""
GIVEN_UP = 120.0
MADE, REFUSED, NOTHING = "made", "refused", "nothing"
LINE_BROKEN, LATER = "lines broken", "told to come again (503)"


def heard(send: Callable[[], httpx.Response]) -> httpx.Response | str:
    """Send once: the answer, or how it was lost, for the line broke or the house asked to come again.

    A fault of the house's own is never excused by whatever was killed.
    """
    try:
        answer = send()
    except httpx.TransportError:
        return LINE_BROKEN
    if answer.status_code == 503:
        assert (answer.json()["code"], answer.headers["Retry-After"]) == ("too_busy", "1"), answer.text
        return LATER
    assert answer.status_code < 500, answer.text
    return answer


@dataclass(frozen=True)
class Act:
    """A request with its final answer, and what its key said while the answer was lost, in the order it was asked."""

    line: Line
    path: str
    body: dict[str, Any] | None
    key: str
    answer: httpx.Response
    said: tuple[tuple[str, Any], ...]

    @property
    def done(self) -> bool:
        """Whether it was carried out, now or by the attempt whose answer was lost."""
        return self.answer.status_code == 201

    @property
    def replayed(self) -> bool:
        """Whether the answer is one given before."""
        return REPLAYED in self.answer.headers

    @property
    def became(self) -> str:
        """What had become of it when its answer was lost for the last time."""
        if not self.said:
            return "answered at once"
        word = self.said[-1][0]
        if word != NOTHING:
            return "found carried out" if word == MADE else "found refused"
        return "found not, done before the repeat came" if self.replayed else "found not, decided by the repeat"


class Acts:
    """All that terminals did, and what happened to them on the way."""

    def __init__(self) -> None:
        self.told: list[Act] = []
        self.done = self.lost = 0
        """Of those told, how many were carried out, and how many got their answer only when it was asked for again."""
        self.happened: Counter[str] = Counter()
        self.given_up = Event()
        self._writing = Lock()

    def count(self, what: str) -> None:
        """One more of something that happened."""
        with self._writing:
            self.happened[what] += 1

    def insist(self, line: Line, path: str, body: dict[str, Any] | None, key: str) -> Act:
        """Send until there is an answer; it agrees with whatever the key said before."""
        said: list[tuple[str, Any]] = []
        patient_until = time.monotonic() + GIVEN_UP
        while (answer := self.answered(lambda: line.post(path, body, key))) is None:
            assert time.monotonic() < patient_until, f"{path} is never answered: {said}"
            said.append(self._word(line, key))
        act = Act(line, path, body, key, answer, tuple(said))
        _agree(act)
        with self._writing:
            self.told.append(act)
            self.done += act.done
            self.lost += bool(act.said)
        return act

    def answered(self, send: Callable[[], httpx.Response]) -> httpx.Response | None:
        """Send once: the answer, or nothing where it was lost, which is counted."""
        assert not self.given_up.is_set(), "somebody else has given up"
        answer = heard(send)
        if not isinstance(answer, str):
            return answer
        self.count(answer)
        time.sleep(PAUSE)
        return None

    def insist_on(self, send: Callable[[], httpx.Response]) -> httpx.Response:
        """Send what may be sent twice until it is answered."""
        patient_until = time.monotonic() + GIVEN_UP
        while (answer := self.answered(send)) is None:
            assert time.monotonic() < patient_until, "the house does not come back"
        return answer

    def _word(self, line: Line, key: str) -> tuple[str, Any]:
        """What the key did, as it says itself: made, with a reference; refused, with a code; nothing."""
        answer = self.insist_on(lambda: line.get(f"/idempotency-keys/{key}"))
        if answer.status_code == 404:
            return NOTHING, None
        assert answer.status_code == 200, answer.text
        told = answer.json()
        return (MADE, told["reference"]) if told["outcome"] == MADE else (REFUSED, told["code"])


def _agree(act: Act) -> None:
    """A key that knew of the act told the truth: the repeat did nothing, and what was known stayed."""
    known = [word for word in act.said if word[0] != NOTHING]
    if not known:
        return
    assert len(set(known)) == 1 and act.said[-1] == known[0], act.said
    outcome, fact = known[0]
    assert act.replayed, (act.key, act.said, act.answer.text)
    assert act.done == (outcome == MADE), (act.key, act.said, act.answer.text)
    if outcome == REFUSED:
        assert act.answer.json()["code"] == fact, act.answer.text


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
    """Send a bet until its ticket is told, or ``once``; whether it was. Any other answer ends the buyer."""
    while isinstance(answer := heard(lambda: sale.buyer.bet("1", "1.00", sale.pool, sale.key)), str):
        # Nobody knows what became of it: come again with the same key.
        sale.lost += 1
        if once:
            return False
        time.sleep(PAUSE)
    assert answer.status_code == 201, answer.text
    sale.ticket, sale.told_at = int(answer.json()["number"]), time.monotonic()
    sale.carried_out = REPLAYED in answer.headers
    assert sale.lost or not sale.carried_out, "a key that was never sent is on record"
    return True
