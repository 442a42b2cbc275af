"""How long a player's page shows a bet: six months from the day it was made, whole days (T-Rules 35.3, D-1)."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from dateutil.relativedelta import relativedelta

from office.operator import Operator

SHOWN_FOR = relativedelta(months=6)
DAY = timedelta(days=1)


def last_day_shown(placed_on: date) -> date:
    """The last day on which the page shows a bet of this day; from the next midnight on it is in the archive alone."""
    return placed_on + SHOWN_FOR


def first_day_shown(today: date) -> date:
    """The earliest day whose bets the page shows today.

    Six months back, and where that month has no such day, forward to the first day whose six months reach today.
    """
    first = today - SHOWN_FOR
    while last_day_shown(first) < today:
        first += DAY
    return first


def shown_since(operator: Operator, now: datetime) -> datetime:
    """The instant from which on bets are on the page now: a midnight of the operator's calendar."""
    first = first_day_shown(operator.day_of(now))
    return datetime.combine(first, time.min, operator.zone_on(first)).astimezone(UTC)
