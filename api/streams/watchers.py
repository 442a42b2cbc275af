"""Somebody who follows a stream: which pools, on whose session, what was told already."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping

from api.streams.frames import Told, event_id
from api.streams.lines import Line
from tote.models import Pool


class Watcher:
    """A stream's client. ``ended``: nothing more is told, for whatever reason."""

    def __init__(self, pools: Iterable[Pool], token_id: int, line: Line, last_event_id: str | None = None) -> None:
        self.pools = {pool.code: pool for pool in pools}
        self.token_id = token_id
        self.line = line
        self.ended = False
        self._marks: dict[str, str] = {}
        self._last_event_id = last_event_id
        self._writes_since: float | None = None

    def news(self, boards: Mapping[str, Told]) -> list[Told]:
        """What of these boards was not told yet; after a broken line nothing, if they are as they were told there."""
        mine = [boards[code] for code in self.pools if code in boards]
        if self._last_event_id is not None and len(mine) == len(self.pools):
            marks = {board.code: board.mark for board in mine}
            if event_id(marks) == self._last_event_id:
                self._marks = marks
            self._last_event_id = None
        return [board for board in mine if self._marks.get(board.code) != board.mark]

    def frames(self, news: Iterable[Told]) -> str:
        """The events that tell the news, each with the id of all that is told by then."""
        return "".join(self._framed(news))

    def knows_the_end(self, boards: Mapping[str, Told]) -> bool:
        """Whether every pool is settled and was told so."""
        return all(
            code in boards and boards[code].final and self._marks.get(code) == boards[code].mark for code in self.pools
        )

    def write(self, text: str) -> Iterator[bytes]:
        """Give a text to the server; until it asks on, it is writing."""
        self._writes_since = time.monotonic()
        yield text.encode("utf-8")
        self._writes_since = None

    def is_behind(self, patience: float) -> bool:
        """Whether it has been taking in what was written for longer than so many seconds."""
        return self._writes_since is not None and time.monotonic() - self._writes_since > patience

    def _framed(self, news: Iterable[Told]) -> Iterator[str]:
        for board in news:
            self._marks[board.code] = board.mark
            yield board.frame(event_id(self._marks))
