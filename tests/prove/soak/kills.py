"""What is killed in the last part of a run, each in a window that ends when its side is ready again."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from threading import Thread
from urllib.parse import urlsplit

import httpx

from tests.prove.kills.ground import Ground
from tests.prove.soak.tally import Tally
from tests.prove.workers import Workers

READY_TIMES = 6
"""Answers in a row that a side must give: by chance each of its processes has given one."""


class Killer:
    """Kills parts of the house in turn, the postmaster among them if it may, and starts what nobody else starts."""

    def __init__(self, ground: Ground, streams: Workers, tally: Tally, chance: Random, *, postmaster: bool) -> None:
        self._ground, self._streams, self._tally, self._chance = ground, streams, tally, chance
        kinds: list[Callable[[], None]] = [self._api_process, self._task_worker]
        if postmaster:
            kinds += [self._all_of_the_api, self._streams_process, self._postmaster]
        self._kinds = kinds

    def kill(self, turn: int) -> None:
        """Kill what it is the turn of."""
        self._kinds[turn % len(self._kinds)]()

    def _api_process(self) -> None:
        with self._window("one process of the API", self._ground.served.workers):
            os.kill(self._chance.choice(self._ground.served.workers.processes()), signal.SIGKILL)

    def _all_of_the_api(self) -> None:
        with self._window("all processes of the API", self._ground.served.workers):
            self._ground.served.workers.kill()

    def _streams_process(self) -> None:
        with self._window("the process of streams", self._streams):
            self._streams.kill()

    def _task_worker(self) -> None:
        with self._tally.window("the task worker"):
            self._ground.kill_task_worker()
            self._ground.until(self._ground.task_worker.ready, "a task worker at work")

    def _postmaster(self) -> None:
        with self._tally.window("the postmaster"):
            self._ground.crash_database()
            time.sleep(self._chance.uniform(0, 1))
            self._ground.start_database()
            for service in (self._ground.served.workers, self._streams):
                self._ready(service)

    @contextmanager
    def _window(self, what: str, service: Workers) -> Iterator[None]:
        before = set(service.processes())
        with self._tally.window(what):
            yield
            self._ground.until(
                lambda: len(service.processes()) == len(before) and set(service.processes()) != before,
                f"{what} started again",
            )
            self._ready(service)

    def _ready(self, service: Workers) -> None:
        """Wait until a service says so some times running, on a line of its own each time."""

        def ready() -> bool:
            try:
                return all(httpx.get(service.url + "/readyz", timeout=5).is_success for _ in range(READY_TIMES))
            except httpx.TransportError:
                return False

        self._ground.until(ready, f"{urlsplit(service.url).netloc} ready")


class Killing:
    """Kills one after the other, so many seconds apart, from a thread of its own until it is told to end."""

    def __init__(self, killer: Killer, tally: Tally, apart: float) -> None:
        self.kills = 0
        self._killer, self._tally, self._apart = killer, tally, apart
        self._thread = Thread(target=self._kill_on, daemon=True)

    def start(self) -> None:
        """Begin to kill."""
        self._thread.start()

    def join(self) -> None:
        """Wait until what was killed last is ready again."""
        self._thread.join()

    def _kill_on(self) -> None:
        try:
            while not self._tally.over.is_set():
                self._killer.kill(self.kills)
                self.kills += 1
                self._tally.over.wait(self._apart)
        except Exception as error:
            self._tally.fail(f"what was killed does not come back: {error!r}")
