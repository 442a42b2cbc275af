"""The clock that decides rights: the database's, and for a demonstration or a test a shifted one.

A shift is a fact that only the owner of the schema can write. A database in which one was ever written is marked for
good, and production refuses to start on it.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection, Interval, func, insert, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from db.base import Fact
from db.instants import Instant, as_utc


class ClockShift(Fact):
    """From this row on the trade's clock runs ahead of (or behind) the machine's by ``shift``."""

    __tablename__ = "clock_shifts"

    shift: Mapped[timedelta] = mapped_column(Interval)
    reason: Mapped[str]


def trade_time(session: Session) -> datetime:
    """What time it is for the trade: the instant of this statement, by the database's clock and its last shift."""
    return session.scalars(select(func.trade_clock(type_=Instant))).one()


def set_clock(session: Session, instant: datetime, reason: str) -> None:
    """Let the trade's clock show this instant from now on; needs the owner's session."""
    shift = as_utc(instant) - session.scalars(select(func.clock_timestamp(type_=Instant))).one()
    session.execute(insert(ClockShift).values(shift=shift, reason=reason))


def was_shifted(session: Session | Connection) -> bool:
    """Whether the clock of this database was ever shifted: then it is a demonstration's or a test's."""
    return session.scalar(select(ClockShift.id).limit(1)) is not None
