"""What is counted while all call at once: answers by kind, how long they took, what was lost, and when it might be."""

from __future__ import annotations

import time
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Lock

BUCKET = 5.0
"""Seconds whose latencies are kept together."""
MARGIN = 3.0
"""Seconds after a side is ready again in which it may still meet what the kill left: lines and connections gone."""
TOO_MANY = 200
"""Failures after which there is nothing more to learn from a run."""


@dataclass
class Window:
    """From a kill until its side is ready again and a little longer; its end is not known while it lasts."""

    what: str
    began: float
    ended: float = float("inf")


class GoneHomeError(Exception):
    """The run is over: nobody begins anything more."""


class Tally:
    """Requests as they are begun at their pace, and answers as they come, by all threads together."""

    def __init__(self, requests: int, seconds: float) -> None:
        self.began = time.monotonic()
        self.requests, self.sent = requests, 0
        self._apart = seconds / requests
        self.over = Event()
        self.answers: dict[str, Counter[tuple[int, str]]] = defaultdict(Counter)
        self.took: dict[str, dict[int, array[float]]] = defaultdict(lambda: defaultdict(lambda: array("f")))
        self.windows: list[Window] = []
        self.lost: Counter[str] = Counter()
        self.failures: list[str] = []
        self._writing = Lock()

    def now(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self.began

    def turn(self) -> None:
        """Begin a request when its turn has come. Raises: GoneHomeError."""
        if self.over.is_set():
            raise GoneHomeError
        with self._writing:
            self.sent += 1
            early = self.sent * self._apart - self.now()
        if early > 0 and self.over.wait(early):
            raise GoneHomeError

    def answered(self, kind: str, status: int, code: str, seconds: float) -> None:
        """An answer has come."""
        bucket = int(self.now() / BUCKET)
        with self._writing:
            self.answers[kind][status, code] += 1
            self.took[kind][bucket].append(seconds)

    def fail(self, what: str) -> None:
        """Something that must not happen has happened."""
        with self._writing:
            self.failures.append(f"{self.now():8.1f} s  {what}")
            if len(self.failures) >= TOO_MANY:
                self.over.set()

    def excuse(self, how: str) -> None:
        """An answer that asked to come again, as it is meant to."""
        with self._writing:
            self.lost[how] += 1

    def lose(self, since: float, how: str, what: str) -> None:
        """An answer was lost, to a request under way since an instant: something was killed just then, or it failed."""
        excused = self.excused(since, time.monotonic())
        with self._writing:
            self.lost[f"{how}, in a window of a kill" if excused else f"{how}, at peace"] += 1
        if not excused:
            self.fail(f"{how}: {what}")

    def excused(self, since: float, until: float) -> bool:
        """Whether something was killed, or not ready again, in a stretch of time as `time.monotonic` tells it."""
        with self._writing:
            return any(window.began <= until and since <= window.ended for window in self.windows)

    @contextmanager
    def window(self, what: str) -> Iterator[None]:
        """In the block something is killed, and made ready again; answers may be lost until a little later."""
        window = Window(what, time.monotonic())
        with self._writing:
            self.windows.append(window)
        yield
        window.ended = time.monotonic() + MARGIN

    def percentiles(self, kinds: tuple[str, ...], begin: float, end: float, *shares: float) -> tuple[float, ...] | None:
        """Of the answers of some kinds in a stretch of time: the latencies that such shares of them kept, in ms."""
        buckets = range(int(begin / BUCKET), max(int(end / BUCKET), int(begin / BUCKET) + 1))
        with self._writing:
            all_of_it = sorted(
                took
                for kind in kinds
                if kind in self.took
                for bucket in buckets
                for took in self.took[kind].get(bucket, ())
            )
        if not all_of_it:
            return None
        return tuple(1000 * all_of_it[min(int(share * len(all_of_it)), len(all_of_it) - 1)] for share in shares)

    def table(self) -> Iterator[str]:
        """Each kind with how often it came, p50, p99 and the longest in ms, and what it was answered."""
        yield f"{'kind':<38}{'count':>9}{'p50':>8}{'p99':>8}{'max':>8}  answers"
        for kind, told in sorted(self.answers.items()):
            p50, p99, longest = self.percentiles((kind,), 0, self.now() + BUCKET, 0.5, 0.99, 1.0) or (0.0, 0.0, 0.0)
            yield f"{kind:<38}{told.total():>9}{p50:>8.1f}{p99:>8.1f}{longest:>8.0f}  {told_as(told)}"


def told_as(answers: Mapping[tuple[int, str], int]) -> str:
    """Statuses with their codes, the most frequent first."""
    frequent = sorted(answers.items(), key=lambda one: -one[1])
    return ", ".join(f"{status}{f' {code}' if code else ''} x {times}" for (status, code), times in frequent)
