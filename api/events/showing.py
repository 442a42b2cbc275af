"""How events are shown: as announced, with the start that is in force."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from api.house import session
from events.models import Event
from events.sports import sport_title
from events.starts.standing import starts_of

ANNOUNCED = ("id", "code", "name", "sport", "home", "away", "venue", "venue_zone", "starts_at")


def shown_event(event: Event) -> dict[str, Any]:
    """An event with its start in force."""
    (shown,) = shown_events([event])
    return shown


def shown_events(events: Sequence[Event]) -> list[dict[str, Any]]:
    """Events with their starts in force, in as many statements for a page as for one."""
    starts = starts_of(session(), [event.id for event in events])
    return [
        {
            **{name: getattr(event, name) for name in ANNOUNCED},
            "sport_title": sport_title(event.sport),
            "start_in_force": starts[event.id].in_force,
            "started_at": starts[event.id].actual,
            "ended_at": starts[event.id].ended,
        }
        for event in events
    ]
