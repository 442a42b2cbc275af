"""One look at the database a second for all who follow streams of this process, and what changed told to each.

A client has a thread of the server, which waits here; it holds no connection to the database. What is told is the
newest state and not each that was: a client that takes long skips what was in between, and one that takes in nothing
for too long is dropped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from threading import Condition, Thread

import structlog
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from api.boards.schemas import PoolBoard, shown
from api.streams.frames import BEGINNING, ENDING, HEARTBEAT, Told
from api.streams.watchers import Watcher
from api.watch.figures import STREAMS
from ledger.refusals import Refusal
from office.tokens import standing
from tote.boards import boards_of
from tote.models import Pool

log = structlog.get_logger()
EVERY = 1.0
"""Seconds between two looks."""
SILENCE = 15.0
"""Seconds after which a line on which nothing is told gets a comment."""
PATIENCE = 10.0
"""Seconds that a client may take to take in what was written."""
STREAMS_OF_A_SESSION = 6
"""So many a sign-in may follow in a process: with one more the oldest ends, so that nobody takes up all places."""


class Hub:
    """The followed pools of a process, their boards as they were seen last, and who follows them."""

    def __init__(self, sessions: Callable[[], Session], most: int) -> None:
        self._sessions = sessions
        self._most = most
        self._watchers: list[Watcher] = []
        self._boards: dict[str, Told] = {}
        self._turned = Condition()
        self._looker: Thread | None = None
        self._blind = False
        self.stopping: Callable[[], bool] = lambda: False
        """Asked at every look: whether the server wants to stop, so that all streams end."""

    def join(self, watcher: Watcher) -> None:
        """Follow the watcher's pools from now on.

        Raises:
            Refusal: ``streams_full``, as many follow as this process has places for.
        """
        with self._turned:
            mine = [other for other in self._watchers if other.token_id == watcher.token_id]
            if len(mine) >= STREAMS_OF_A_SESSION:
                self._end(mine[0])
            elif len(self._watchers) >= self._most:
                raise Refusal("streams_full", "Потоков слишком много: повторите через несколько секунд.", retry_after=5)
            self._watchers.append(watcher)
            STREAMS.inc()
            if self._looker is None:
                self._looker = Thread(target=self._keep_looking, name="streams", daemon=True)
                self._looker.start()

    def leave(self, watcher: Watcher) -> None:
        """The stream is over, whoever ended it."""
        with self._turned:
            self._end(watcher)

    def stream(self, watcher: Watcher) -> Iterator[bytes]:
        """What a client is told, until all its pools are settled or the stream is ended."""
        yield from watcher.write(BEGINNING)
        while (news := self._news(watcher)) is not None:
            yield from watcher.write(watcher.frames(news) or HEARTBEAT)
        if watcher.knows_the_end(self._boards):
            yield from watcher.write(ENDING)

    def look(self) -> None:
        """Look at the database once, tell those who wait what changed, and end the streams of whoever is gone."""
        with self._turned:
            pools = {code: pool for watcher in self._watchers for code, pool in watcher.pools.items()}
            tokens = {watcher.token_id for watcher in self._watchers}
        boards, admitted = self._seen(list(pools.values()), tokens) if pools else ({}, tokens)
        with self._turned:
            if boards is not None and boards != self._boards:
                self._boards = boards
                self._turned.notify_all()
            for watcher in list(self._watchers):
                if watcher.token_id in tokens - admitted or self.stopping() or watcher.line.is_gone():
                    self._end(watcher)
                elif watcher.is_behind(PATIENCE):
                    log.warning("stream_dropped", pools=len(watcher.pools))
                    watcher.line.cut()
                    self._end(watcher)

    def _news(self, watcher: Watcher) -> list[Told] | None:
        """Wait for what the watcher was not told; nothing after a silence, None when its stream is over."""
        until = time.monotonic() + SILENCE
        with self._turned:
            while not watcher.ended:
                news = watcher.news(self._boards)
                if news:
                    return news
                if watcher.knows_the_end(self._boards):
                    return None
                if (left := until - time.monotonic()) <= 0:
                    return []
                self._turned.wait(left)
        return None

    def _seen(self, pools: list[Pool], tokens: set[int]) -> tuple[dict[str, Told] | None, set[int]]:
        """Boards and the sessions that stand, in one snapshot; no boards and all sessions while nobody answers."""
        try:
            with self._sessions() as session:
                session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
                boards, admitted = boards_of(session, pools), standing(session, tokens)
        except SQLAlchemyError as error:
            if not self._blind:
                log.warning("streams_blind", error=type(error).__name__)
            self._blind = True
            return None, tokens
        self._blind = False
        told = PoolBoard()
        return {code: Told.of(told.dump(shown(board))) for code, board in boards.items()}, admitted

    def _keep_looking(self) -> None:
        while True:
            began = time.monotonic()
            try:
                self.look()
            except Exception as error:
                # Whatever it was, those who follow are better served by the next look than by none.
                log.error("stream_look_failed", exc_info=error)
            time.sleep(max(0.0, began + EVERY - time.monotonic()))

    def _end(self, watcher: Watcher) -> None:
        if watcher in self._watchers:
            self._watchers.remove(watcher)
            STREAMS.dec()
        watcher.ended = True
        self._turned.notify_all()
