"""The operator this database belongs to (D-26): its name, and the zone its clocks decide rights in (D-1)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from db.instants import local_date


@dataclass(frozen=True)
class Operator:
    """The name tickets print, the zone of its calendar, and the money of its desks (T-Rules 9.1)."""

    name: str
    zone: ZoneInfo
    currency: str = "BYN"

    def day_of(self, instant: datetime) -> date:
        """The accountant's day an instant is booked on."""
        return local_date(instant, self.zone)


def operator_from_environment() -> Operator:
    """OPERATOR_NAME and OPERATOR_TIME_ZONE, or a nameless operator in Minsk."""
    return Operator(
        name=os.environ.get("OPERATOR_NAME", "Тотализатор"),
        zone=ZoneInfo(os.environ.get("OPERATOR_TIME_ZONE", "Europe/Minsk")),
    )
