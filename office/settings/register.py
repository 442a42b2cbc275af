"""The register of settings: everything an operator may set, with what holds until somebody does."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from office.settings.kinds import Line, Setting, Zone

OPERATOR_NAME = Setting("operator_name", Line(), "Тотализатор", "Наименование организатора на билетах и в отчётах")
"""Until it is set, what the environment says (`office.operator`). A ticket keeps the name of the day it was sold."""
OPERATOR_TIME_ZONE = Setting(
    "operator_time_zone",
    Zone(),
    ZoneInfo("Europe/Minsk"),
    "Часовой пояс, по которому считаются дни и сроки",
    notice=timedelta(hours=1),
)
"""Until it is set, what the environment says. An instant belongs to the day of the zone that holds at it (D-1)."""

REGISTER: dict[str, Setting[Any]] = {}
"""Every setting by its name."""


def _register(*settings: Setting[Any]) -> None:
    for setting in settings:
        if setting.name in REGISTER:
            raise ValueError(f"two settings are called {setting.name}")
        REGISTER[setting.name] = setting


_register(OPERATOR_NAME, OPERATOR_TIME_ZONE)
