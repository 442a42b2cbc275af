"""What goes out about an event: the same bytes at every attempt, so that a repeat can be known as one."""

from __future__ import annotations

import json
from dataclasses import dataclass

from office.alarms.deliveries import AlarmDelivery
from office.significant.kinds import title_of
from office.significant.log import SignificantEvent


@dataclass(frozen=True)
class Message:
    """An event on its way: ``key`` tells repeats, ``body`` is one line of JSON.

    It holds what the event holds: numbers of logins, players and tickets, and never a person's data (D-16).
    """

    key: str
    event_id: int
    kind: str
    severity: str
    subject: str
    body: str


def message_of(event: SignificantEvent, delivery: AlarmDelivery) -> Message:
    """The message of a delivery."""
    told = {
        "id": str(delivery.key),
        "event": event.id,
        "kind": event.kind,
        "title": title_of(event.kind),
        "severity": event.severity,
        "subject": event.subject,
        "user_id": event.user_id,
        "player_id": event.player_id,
        "terminal_id": event.terminal_id,
        "facts": event.facts,
        "occurred_at": event.occurred_at.isoformat(),
    }
    body = json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return Message(str(delivery.key), event.id, event.kind, event.severity, event.subject, body)
