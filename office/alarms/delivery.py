"""Delivering one alarm through one channel: at least once, tried again for hours, then put aside where it is seen."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db.instants import Instant
from db.session import Sessions, transaction
from office.alarms.channels import Channel, Channels
from office.alarms.deliveries import AlarmDelivery
from office.alarms.message import message_of
from office.alarms.webhook import SendingError
from office.significant.kinds import CHANNEL_FAILED, CHANNEL_RECOVERED
from office.significant.log import SignificantEvent
from office.significant.watch import Watch, note_turn

ATTEMPTS = 16
"""Attempts before a delivery is put aside: with the pauses below, over seven hours."""
FIRST_PAUSE = timedelta(seconds=10)
LONGEST_PAUSE = timedelta(hours=1)
CHANNEL = Watch(bad=CHANNEL_FAILED, well=CHANNEL_RECOVERED)


class UndeliveredError(Exception):
    """An attempt failed and is on record; ``retry_at`` is when the next one is due, none after the last."""

    def __init__(self, reason: str, retry_at: datetime | None) -> None:
        super().__init__(reason)
        self.retry_at = retry_at


def deliver(sessions: Sessions, channels: Channels, delivery_id: int) -> bool:
    """Make the next attempt of a delivery; whether it arrived now.

    The row stays locked while the message is sent, so that of two workers one sends it. A crash before the commit
    leaves it undelivered, and it goes out once more under the same key: twice rather than never.

    Raises:
        UndeliveredError: the channel did not take it.
    """
    with transaction(sessions) as session:
        delivery = _waiting(session, delivery_id)
        channel = channels.get(delivery.channel) if delivery else None
        if delivery is None or channel is None:
            return False
        failure = _send(channel, session.get_one(SignificantEvent, delivery.event_id), delivery)
        _record(session, delivery, failure)
    if failure is not None:
        raise UndeliveredError(failure, None if delivery.abandoned_at else delivery.next_attempt_at)
    return True


def pause_after(attempts: int) -> timedelta:
    """How long to wait after so many failed attempts: twice as long each time, up to an hour."""
    return min(FIRST_PAUSE * (1 << min(attempts - 1, 20)), LONGEST_PAUSE)


def _waiting(session: Session, delivery_id: int) -> AlarmDelivery | None:
    """The delivery, locked, if it still waits and nobody else is at it."""
    return session.scalar(
        select(AlarmDelivery)
        .where(
            AlarmDelivery.id == delivery_id, AlarmDelivery.delivered_at.is_(None), AlarmDelivery.abandoned_at.is_(None)
        )
        .with_for_update(skip_locked=True)
    )


def _send(channel: Channel, event: SignificantEvent, delivery: AlarmDelivery) -> str | None:
    """Why it did not arrive, or none."""
    try:
        channel.send(message_of(event, delivery))
    except SendingError as error:
        return str(error)
    except Exception as error:
        # Whatever went wrong, the attempt is counted; the error's own text may hold an address or a path.
        return type(error).__name__
    return None


def _record(session: Session, delivery: AlarmDelivery, failure: str | None) -> None:
    at = session.scalars(select(func.clock_timestamp(type_=Instant))).one()
    delivery.attempts += 1
    delivery.last_error = failure
    if failure is None:
        delivery.delivered_at = at
        note_turn(session, CHANNEL, f"alarm_channel:{delivery.channel}", bad=False)
        return
    delivery.next_attempt_at = at + pause_after(delivery.attempts)
    if delivery.attempts >= ATTEMPTS:
        delivery.abandoned_at = at
        # One event for a channel that broke, not one for each letter: what it says goes out by the other channels.
        note_turn(session, CHANNEL, f"alarm_channel:{delivery.channel}", bad=True, error=failure)
