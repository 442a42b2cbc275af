"""The register of settings: everything an operator may set, with what holds until somebody does."""

from __future__ import annotations

from typing import Any

from office.persons.settings import JOURNAL_YEARS, UNMASKED_ROLES
from office.settings.kinds import Setting

REGISTER: dict[str, Setting[Any]] = {}
"""Every setting by its name."""


def _register(*settings: Setting[Any]) -> None:
    for setting in settings:
        if setting.name in REGISTER:
            raise ValueError(f"two settings are called {setting.name}")
        REGISTER[setting.name] = setting


_register(UNMASKED_ROLES, JOURNAL_YEARS)
