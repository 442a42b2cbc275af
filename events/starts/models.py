"""What was learnt of an event's start after it was announced; the announcement itself is never edited."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Fact


class StartTurn(StrEnum):
    """What a change of a start says. Only what was officially moved counts as a postponement (D-15).

    ``corrected``: it was announced wrongly; ``moved``: it was officially moved, later or earlier; ``started`` and
    ``ended``: it really began or ended; ``not_started``: that it began was recorded by mistake.
    """

    CORRECTED = "corrected"
    MOVED = "moved"
    STARTED = "started"
    ENDED = "ended"
    NOT_STARTED = "not_started"


class StartChange(Fact):
    """A later word on an event's start: what, by which source, why, who said so and when.

    ``was`` is the start that was in force till then. ``entered_at`` is an instant of the house's gate: bets placed
    before it were sold by ``was``, those after it know this row. ``stop_id`` is the stop of sales that it threw.
    """

    __tablename__ = "start_changes"
    __table_args__ = (
        CheckConstraint("turn IN ('corrected', 'moved', 'started', 'ended', 'not_started')", name="turn_known"),
        CheckConstraint("(turn = 'not_started') = (instant IS NULL)", name="names_an_instant"),
        Index("ix_start_changes_event_id_id", "event_id", "id"),
    )

    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    turn: Mapped[str]
    instant: Mapped[datetime | None]
    was: Mapped[datetime]
    source: Mapped[str]
    reason: Mapped[str]
    stop_id: Mapped[int | None] = mapped_column(ForeignKey("sales_stops.id"))
    entered_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    entered_at: Mapped[datetime]
