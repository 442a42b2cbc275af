"""Alarms as lines of the log that whoever runs the machines already watches."""

from __future__ import annotations

import structlog

from office.alarms.message import Message

log = structlog.get_logger()


class LogLines:
    """The log of the process that delivers. A line tells what to look up, never the facts (D-16)."""

    def send(self, message: Message) -> None:
        """Write the line."""
        log.warning(
            "alarm",
            delivery=message.key,
            significant_event=message.event_id,
            kind=message.kind,
            severity=message.severity,
            subject=message.subject,
        )
