"""What went out through which channel, and how far each channel's alarms are planned."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Identity, Index, UniqueConstraint, Uuid, func, text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from db.instants import Instant

NAMES = ("log", "file", "webhook")
"""The channels there are."""
KNOWN = "channel IN ('file', 'log', 'webhook')"


class AlarmDelivery(Base):
    """One event's way out through one channel: there is one for each, whoever plans it.

    ``key`` stands in every attempt, so that a receiver can discard what it has already got. ``last_error`` is the
    class of what went wrong or the receiver's status, never a body or an address. A delivery ends ``delivered`` or,
    after the last attempt, ``abandoned``: a dead letter, until somebody gives it another try.
    """

    __tablename__ = "alarm_deliveries"
    __table_args__ = (
        UniqueConstraint("event_id", "channel"),
        CheckConstraint(KNOWN, name="channel_known"),
        CheckConstraint("delivered_at IS NULL OR abandoned_at IS NULL", name="one_end"),
        Index("ix_alarm_deliveries_undelivered", "id", postgresql_where=text("delivered_at IS NULL")),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("significant_events.id"))
    channel: Mapped[str]
    key: Mapped[UUID] = mapped_column(Uuid, server_default=func.gen_random_uuid())
    planned_at: Mapped[datetime] = mapped_column(Instant, server_default=func.clock_timestamp())
    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    next_attempt_at: Mapped[datetime] = mapped_column(Instant, server_default=func.clock_timestamp())
    delivered_at: Mapped[datetime | None]
    abandoned_at: Mapped[datetime | None]
    last_error: Mapped[str | None]


class AlarmChannel(Base):
    """A channel that was set at least once. All its alarms with an id under ``planned_below`` are planned.

    The mark only spares a look at what is long past; it never goes beyond what the seals know to be final.
    """

    __tablename__ = "alarm_channels"
    __table_args__ = (CheckConstraint(KNOWN, name="channel_known"),)

    channel: Mapped[str] = mapped_column(primary_key=True)
    planned_below: Mapped[int]
    first_set_at: Mapped[datetime] = mapped_column(Instant, server_default=func.clock_timestamp())
