"""The register of settings: everything an operator may set, with what holds until somebody does."""

from __future__ import annotations

from typing import Any

from office.approvals.limits import LIMITS
from office.password_changes import ONE_TIME_HOURS
from office.password_rules import OFFICE_LENGTH, PLAYER_LENGTH
from office.persons.settings import JOURNAL_YEARS, SELF_EXCLUSION_DAYS, UNMASKED_ROLES
from office.settings.kinds import Setting
from office.settings.of_the_operator import OPERATOR_NAME, OPERATOR_TIME_ZONE
from office.significant import thresholds
from office.throttling.doors import (
    ADDRESS_ATTEMPTS,
    CODE_ATTEMPTS,
    EVENTS_OF_GUESSING,
    LOGIN_ATTEMPTS,
    REGISTRY_ATTEMPTS,
    TERMINAL_ATTEMPTS,
)
from office.tokens import CASHIER_HOURS, OFFICE_HOURS, PLAYER_HOURS

REGISTER: dict[str, Setting[Any]] = {}
"""Every setting by its name."""


def _register(*settings: Setting[Any]) -> None:
    for setting in settings:
        if setting.name in REGISTER:
            raise ValueError(f"two settings are called {setting.name}")
        REGISTER[setting.name] = setting


_register(OFFICE_LENGTH, PLAYER_LENGTH, ONE_TIME_HOURS)
_register(CASHIER_HOURS, OFFICE_HOURS, PLAYER_HOURS)
_register(LOGIN_ATTEMPTS, ADDRESS_ATTEMPTS, TERMINAL_ATTEMPTS, CODE_ATTEMPTS, REGISTRY_ATTEMPTS, EVENTS_OF_GUESSING)
_register(*LIMITS)
_register(OPERATOR_NAME, OPERATOR_TIME_ZONE)
_register(
    thresholds.LARGE_BET_FROM,
    thresholds.LARGE_WIN_FROM,
    thresholds.SHIFT_DIFFERENCE_FROM,
    thresholds.CLOCK_TOLERANCE,
    thresholds.AUDIT_HOUR,
    thresholds.ALARM_ON_WARNINGS,
)
_register(UNMASKED_ROLES, JOURNAL_YEARS, SELF_EXCLUSION_DAYS)
