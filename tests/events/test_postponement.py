"""By how many days an event was put off: local dates at the venue, summer time or not (D-15; FIELD-FAULTS 108)."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from events.starts.postponement import postponed_by_days

MINSK, QATAR, BERLIN, ST_JOHNS = map(ZoneInfo, ("Europe/Minsk", "Asia/Qatar", "Europe/Berlin", "America/St_Johns"))


@pytest.mark.parametrize(
    ("on_the_ticket", "moved_to", "venue", "days"),
    [
        # The same day, later or earlier.
        ("2022-11-22T13:00:00+03:00", "2022-11-22T23:59:59.999999+03:00", MINSK, 0),
        ("2022-11-22T13:00:00+03:00", "2022-11-22T00:00:00+03:00", MINSK, 0),
        # One microsecond before midnight is still the third day, midnight the fourth: B-Rules 24 parts them here.
        ("2022-11-22T13:00:00+03:00", "2022-11-25T23:59:59.999999+03:00", MINSK, 3),
        ("2022-11-22T13:00:00+03:00", "2022-11-26T00:00:00+03:00", MINSK, 4),
        # 71 hours and a minute can be three dates, 25 hours a single one; hours do not count.
        ("2022-11-22T23:59:00+03:00", "2022-11-25T23:00:00+03:00", MINSK, 3),
        ("2022-11-22T00:00:00+03:00", "2022-11-23T01:00:00+03:00", MINSK, 1),
        # 21:30 UTC is the next day in Minsk and in Qatar, and the same day in Berlin and in St. John's.
        ("2022-11-22T10:00:00+00:00", "2022-11-25T21:30:00+00:00", QATAR, 4),
        ("2022-11-22T10:00:00+00:00", "2022-11-25T21:30:00+00:00", BERLIN, 3),
        ("2022-11-22T10:00:00+00:00", "2022-11-25T21:30:00+00:00", ST_JOHNS, 3),
        # The night Berlin loses an hour: 29 March 2026 has 23, its midnights are 23:00 UTC and 22:00 UTC.
        ("2026-03-26T20:00:00+01:00", "2026-03-28T22:59:59.999999+00:00", BERLIN, 2),
        ("2026-03-26T20:00:00+01:00", "2026-03-28T23:00:00+00:00", BERLIN, 3),
        ("2026-03-26T20:00:00+01:00", "2026-03-29T02:30:00+02:00", BERLIN, 3),
        ("2026-03-26T20:00:00+01:00", "2026-03-29T21:59:59.999999+00:00", BERLIN, 3),
        ("2026-03-26T20:00:00+01:00", "2026-03-29T22:00:00+00:00", BERLIN, 4),
        # Brought forward, over the end of a month and of a leap February.
        ("2024-03-01T12:00:00+03:00", "2024-02-29T12:00:00+03:00", MINSK, -1),
    ],
)
def test_days_are_counted_by_dates_at_the_venue(on_the_ticket: str, moved_to: str, venue: ZoneInfo, days: int) -> None:
    assert postponed_by_days(datetime.fromisoformat(on_the_ticket), datetime.fromisoformat(moved_to), venue) == days
