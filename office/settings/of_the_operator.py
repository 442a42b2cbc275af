"""The operator's own settings: what it is called, and the zone of its clocks (D-1, D-26)."""

from __future__ import annotations

from datetime import timedelta
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
