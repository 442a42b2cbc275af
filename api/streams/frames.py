"""The text of server-sent events: what stands on a line of ``text/event-stream``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MEDIA = "text/event-stream"
RETRY = 3_000
"""Milliseconds after which a client whose stream broke off comes again."""
RETRY_WHEN_OVER = 60_000
"""The same, when there is nothing more to tell: who comes again all the same does not do it every moment."""
BEGINNING = f"retry: {RETRY}\n\n"
HEARTBEAT = ": \n\n"
"""A comment: it says that the line is up, and finds out whether somebody is there."""
ENDING = f"retry: {RETRY_WHEN_OVER}\n\n"


@dataclass(frozen=True)
class Told:
    """A board as it is told: its mark names the state, whichever process tells it."""

    code: str
    data: str
    mark: str
    final: bool

    @classmethod
    def of(cls, board: Mapping[str, Any]) -> Told:
        """The text of a board as the API shows it; JSON has no line feeds, so that it is one line of an event."""
        data = json.dumps(board, ensure_ascii=False, separators=(",", ":"))
        mark = hashlib.sha256(data.encode("utf-8")).hexdigest()
        return cls(str(board["code"]), data, mark, not board["provisional"])

    def frame(self, event_id: str) -> str:
        """The event: ``totals`` as long as anything may change, then ``settled``."""
        return f"event: {'settled' if self.final else 'totals'}\nid: {event_id}\ndata: {self.data}\n\n"


def event_id(marks: Mapping[str, str]) -> str:
    """What names all that a stream has told: two processes that told the same give the same id."""
    told = "".join(f"{code} {marks[code]}\n" for code in sorted(marks))
    return hashlib.sha256(told.encode("utf-8")).hexdigest()[:32]
