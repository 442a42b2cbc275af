"""Terminals that insist: whatever breaks, the same request goes out under the same key until it is answered.

Between two sends the key is asked what it did, and the word of the key is kept: what it said before the repeat must be
what the repeat is told.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Lock
from typing import Any

import httpx

from tests.prove.workers import Line

REPLAYED = "Idempotency-Replayed"
PAUSE = 0.1
GIVEN_UP = 120.0
MADE, REFUSED, NOTHING = "made", "refused", "nothing"


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
        return act

    def answered(self, send: Callable[[], httpx.Response]) -> httpx.Response | None:
        """Send once: the answer, or nothing where the line broke or the house asked to come again.

        A fault of the house's own is never excused by a crash.
        """
        assert not self.given_up.is_set(), "somebody else has given up"
        try:
            answer = send()
        except httpx.TransportError:
            self.count("lines broken")
            time.sleep(PAUSE)
            return None
        if answer.status_code == 503:
            assert (answer.json()["code"], answer.headers["Retry-After"]) == ("too_busy", "1"), answer.text
            self.count("told to come again (503)")
            time.sleep(PAUSE)
            return None
        assert answer.status_code < 500, answer.text
        return answer

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
