"""The operator this database belongs to (D-26): its name, and the zone its clocks decide rights in (D-1)."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from db.errors import SetupError
from db.instants import local_date
from office.settings.book import Settings
from office.settings.kinds import JSON, Setting, WrongValueError
from office.settings.of_the_operator import OPERATOR_NAME, OPERATOR_TIME_ZONE

Value = TypeVar("Value")


@dataclass(frozen=True)
class Operator:
    """The name tickets print, the zone of its calendar, and the money of its desks (T-Rules 9.1).

    Name and zone are settings: each instant has those that hold at it, whatever is set later. ``unset_name`` and
    ``unset_zone`` hold before the first version.
    """

    unset_name: str
    unset_zone: ZoneInfo
    currency: str = "BYN"
    settings: Settings = field(default_factory=Settings)

    def name_at(self, instant: datetime) -> str:
        """The name tickets of this instant carry."""
        return self.settings.value_or(OPERATOR_NAME, instant, self.unset_name)

    def zone_at(self, instant: datetime) -> ZoneInfo:
        """The zone that decides which day this instant belongs to, and the terms that are counted from it."""
        return self.settings.value_or(OPERATOR_TIME_ZONE, instant, self.unset_zone)

    def local(self, instant: datetime) -> datetime:
        """The instant as the operator's clocks showed it, for papers."""
        return instant.astimezone(self.zone_at(instant))

    def zone_on(self, day: date) -> ZoneInfo:
        """The zone that holds on a day of the calendar, by its noon: when such a day begins and ends."""
        return self.zone_at(datetime.combine(day, time(12), UTC))

    def day_of(self, instant: datetime) -> date:
        """The accountant's day an instant is booked on."""
        return local_date(instant, self.zone_at(instant))

    def begins(self, day: date) -> datetime:
        """The instant a day of the operator's calendar begins (D-1); the first one where a change of clocks has two."""
        return datetime.combine(day, time.min, self.zone_on(day)).astimezone(UTC)

    def unset(self, setting: Setting[Any]) -> JSON:
        """What holds while nobody has set a setting, as JSON: the environment's word for these two."""
        given = {OPERATOR_NAME.name: self.unset_name, OPERATOR_TIME_ZONE.name: self.unset_zone}
        return setting.kind.write(given.get(setting.name, setting.default))


def operator_from_environment() -> Operator:
    """OPERATOR_NAME and OPERATOR_TIME_ZONE hold until the settings are made; else a nameless operator in Minsk.

    Raises:
        SetupError: a variable holds what its setting cannot be.
    """
    return Operator(name_of_environment(), zone_of_environment())


def name_of_environment() -> str:
    """The name of OPERATOR_NAME.

    Raises:
        SetupError: no name can be so.
    """
    return _told("OPERATOR_NAME", OPERATOR_NAME)


def zone_of_environment() -> ZoneInfo:
    """The zone of OPERATOR_TIME_ZONE.

    Raises:
        SetupError: it is none.
    """
    return _told("OPERATOR_TIME_ZONE", OPERATOR_TIME_ZONE)


def _told(variable: str, setting: Setting[Value]) -> Value:
    told = os.environ.get(variable)
    try:
        return setting.default if told is None else setting.kind.read(told)
    except WrongValueError as wrong:
        raise SetupError(f"{variable}: {wrong}") from wrong
