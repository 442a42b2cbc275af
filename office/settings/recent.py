"""Settings as a process read them a moment ago, for acts that must not ask the database once more each time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy.orm import Session

from office.settings.kinds import Setting
from office.settings.versions import value_of

Value = TypeVar("Value")
LIFE = 10.0
"""Seconds a value is trusted: so late a change reaches every process."""


class Recent:
    """One process's memory of settings. It suits what is only watched; what decides a right asks :func:`value_of`."""

    def __init__(self, life: float = LIFE, clock: Callable[[], float] = time.monotonic) -> None:
        self._life = life
        self._clock = clock
        self._read: dict[str, tuple[float, Any]] = {}

    def value_of(self, session: Session, setting: Setting[Value]) -> Value:
        """What the setting was at most ``life`` seconds ago."""
        read_at, value = self._read.get(setting.name, (None, setting.default))
        now = self._clock()
        if read_at is None or now - read_at >= self._life:
            value = value_of(session, setting)
            self._read[setting.name] = (now, value)
        found: Value = value
        return found
