"""Something that goes on beside a test, in a thread of its own, until the block ends."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from types import TracebackType
from typing import Self


class Beside:
    """Do an act again and again, so many seconds apart; an error that the act lets out is the block's at its end."""

    def __init__(self, act: Callable[[], object], pause: float) -> None:
        self._act, self._pause, self._over = act, pause, Event()

    def __enter__(self) -> Self:
        self._thread = ThreadPoolExecutor(1)
        self._going: Future[None] = self._thread.submit(self._go_on)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.shutdown()
        if error is None:
            self._going.result()

    def _go_on(self) -> None:
        while not self._over.wait(self._pause):
            self._act()
