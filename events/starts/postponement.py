"""By how many days an event was put off, as a bettor counts them: by dates at the venue (D-15; B-Rules 24)."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo


def postponed_by_days(on_the_ticket: datetime, moved_to: datetime, venue: ZoneInfo) -> int:
    """How many calendar days lie between the date on a ticket and the one an event was officially moved to.

    Both are dates of the venue, so that neither the hour nor a change of summer time counts; negative if it was moved
    to an earlier day. Only what was officially moved is a postponement: a corrected announcement is none (B-Rules 22).
    The tote returns nothing for it (T-Rules know no such rule); the bookmaker returns what was moved by more than
    three days.
    """
    return (moved_to.astimezone(venue).date() - on_the_ticket.astimezone(venue).date()).days
