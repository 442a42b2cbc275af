"""Instants: aware, UTC in storage. A clock reading without an offset is refused before it can decide a right."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import DateTime
from sqlalchemy.types import TypeDecorator


class NaiveInstantError(ValueError):
    """An instant without an offset was about to be stored or compared."""


class Instant(TypeDecorator[datetime]):
    """A ``timestamptz`` column that takes aware datetimes only and gives them back in UTC (D-1)."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Any) -> datetime | None:
        """Refuse a naive datetime; convert any other to UTC."""
        return None if value is None else as_utc(value)

    def process_result_value(self, value: datetime | None, dialect: Any) -> datetime | None:
        """Give the instant in UTC whatever the session's zone is."""
        return None if value is None else value.astimezone(UTC)


def as_utc(instant: datetime) -> datetime:
    """The same instant in UTC.

    Raises:
        NaiveInstantError: the datetime has no offset.
    """
    if instant.tzinfo is None or instant.utcoffset() is None:
        raise NaiveInstantError(f"{instant!r} has no offset: give the zone, for instance +03:00")
    return instant.astimezone(UTC)


def now() -> datetime:
    """The machine's clock, aware. Acts that decide rights take the database's clock instead."""
    return datetime.now(UTC)


def local_date(instant: datetime, zone: ZoneInfo) -> date:
    """The calendar date of an instant in the operator's zone (D-1)."""
    return as_utc(instant).astimezone(zone).date()
