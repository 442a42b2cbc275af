"""Sessions with which long work can be broken off between any two of its transactions."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from db.session import Sessions, sessions_on
from tests.prove.served import Served


class Interrupted(BaseException):
    """A settlement is broken off."""


def sessions_of(served: Served, before_begin: Callable[[int], None]) -> Sessions:
    """Sessions that tell the number of each transaction before it begins."""
    sessions, begun = sessions_on(served.office.house.engine), count(1)
    begin = sessions.begin

    def counted() -> Any:
        before_begin(next(begun))
        return begin()

    sessions.begin = counted
    return sessions
