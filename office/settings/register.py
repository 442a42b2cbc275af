"""The register of settings: everything an operator may set, with what holds until somebody does."""

from __future__ import annotations

from typing import Any

from office.settings.kinds import Setting
from office.significant import thresholds

REGISTER: dict[str, Setting[Any]] = {}
"""Every setting by its name."""


def _register(*settings: Setting[Any]) -> None:
    for setting in settings:
        if setting.name in REGISTER:
            raise ValueError(f"two settings are called {setting.name}")
        REGISTER[setting.name] = setting


_register(
    thresholds.LARGE_BET_FROM,
    thresholds.LARGE_WIN_FROM,
    thresholds.SHIFT_DIFFERENCE_FROM,
    thresholds.CLOCK_TOLERANCE,
    thresholds.AUDIT_HOUR,
    thresholds.ALARM_ON_WARNINGS,
)
