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
UNRECORDED = "Unrecorded"
"""What is said of a delivery of whose attempts no end is on record."""
CHANNEL = Watch(bad=CHANNEL_FAILED, well=CHANNEL_RECOVERED)


class UndeliveredError(Exception):
    """An attempt failed and is on record; ``retry_at`` is when the next one is due, none after the last."""

    def __init__(self, reason: str, retry_at: datetime | None) -> None:
        super().__init__(reason)
        self.retry_at = retry_at


def deliver(sessions: Sessions, channels: Channels, delivery_id: int) -> bool:
    """Make the next attempt of a delivery; whether it arrived now.

    The attempt is counted, and the next one's time set, before anything is sent: whatever becomes of this one, it is
    not made again at once, nor for ever. So of two workers one sends it, and no transaction waits for a receiver. A
    crash before the record leaves it undelivered, and it goes out once more under the same key when its pause is over:
    twice rather than never.

    Raises:
        UndeliveredError: the channel did not take it, or all its attempts were begun and none is on record.
    """
    with transaction(sessions) as session:
        delivery = _due(session, delivery_id)
        channel = channels.get(delivery.channel) if delivery else None
        if delivery is None or channel is None:
            return False
        begun = _begin(session, delivery)
        event = session.get_one(SignificantEvent, delivery.event_id)
    if not begun:
        raise UndeliveredError(UNRECORDED, None)
    failure = _send(channel, event, delivery)
    with transaction(sessions) as session:
        retry_at = _record(session, delivery_id, failure)
    if failure is not None:
        raise UndeliveredError(failure, retry_at)
    return True


def pause_after(attempts: int) -> timedelta:
    """How long to wait after so many failed attempts: twice as long each time, up to an hour."""
    return min(FIRST_PAUSE * (1 << min(attempts - 1, 20)), LONGEST_PAUSE)


def _due(session: Session, delivery_id: int) -> AlarmDelivery | None:
    """The delivery, locked, if it waits, its time has come and nobody else is at it."""
    return session.scalar(
        select(AlarmDelivery)
        .where(
            AlarmDelivery.id == delivery_id,
            AlarmDelivery.delivered_at.is_(None),
            AlarmDelivery.abandoned_at.is_(None),
            AlarmDelivery.next_attempt_at <= func.clock_timestamp(),
        )
        .with_for_update(skip_locked=True)
    )


def _begin(session: Session, delivery: AlarmDelivery) -> bool:
    """Count an attempt before it is made; whether one is left. Where none is, the delivery is put aside."""
    at = _now(session)
    if delivery.attempts >= ATTEMPTS:
        _put_aside(session, delivery, delivery.last_error or UNRECORDED, at)
        return False
    delivery.attempts += 1
    delivery.next_attempt_at = at + pause_after(delivery.attempts)
    return True


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


def _record(session: Session, delivery_id: int, failure: str | None) -> datetime | None:
    """Write down what became of an attempt; when the next one is due, if one is."""
    delivery = session.get_one(AlarmDelivery, delivery_id, with_for_update=True)
    if delivery.delivered_at is not None:
        return None
    at = _now(session)
    delivery.last_error = failure
    if failure is None:
        # It has arrived, even where somebody put it aside meanwhile.
        delivery.delivered_at, delivery.abandoned_at = at, None
        note_turn(session, CHANNEL, f"alarm_channel:{delivery.channel}", bad=False)
        return None
    if delivery.attempts >= ATTEMPTS:
        _put_aside(session, delivery, failure, at)
        return None
    delivery.next_attempt_at = at + pause_after(delivery.attempts)
    return delivery.next_attempt_at


def _put_aside(session: Session, delivery: AlarmDelivery, failure: str, at: datetime) -> None:
    delivery.last_error, delivery.abandoned_at = failure, at
    # One event for a channel that broke, not one for each letter: what it says goes out by the other channels.
    note_turn(session, CHANNEL, f"alarm_channel:{delivery.channel}", bad=True, error=failure)


def _now(session: Session) -> datetime:
    return session.scalars(select(func.clock_timestamp(type_=Instant))).one()
