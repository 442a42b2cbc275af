"""Events, the results entered for them, and the protocols that make a result official."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ARRAY, CheckConstraint, ForeignKey, ForeignKeyConstraint, Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Fact


class Event(Fact):
    """A sporting or other event bets are taken on: two sides, a venue's zone, a start as announced."""

    __tablename__ = "events"

    code: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str]
    sport: Mapped[str]
    home: Mapped[str]
    away: Mapped[str]
    venue_zone: Mapped[str]
    starts_at: Mapped[datetime]
    entered_by: Mapped[int] = mapped_column(ForeignKey("users.id"))


class Result(Fact):
    """A result as somebody entered it. It moves nothing until another login confirms it by a protocol."""

    __tablename__ = "results"
    __table_args__ = (
        CheckConstraint("cardinality(outcomes) > 0", name="names_an_outcome"),
        UniqueConstraint("id", "event_id", "entered_by"),
        Index("ix_results_event_id_id", "event_id", "id"),
    )

    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    score: Mapped[str | None]
    outcomes: Mapped[list[str]] = mapped_column(ARRAY(Text))
    source: Mapped[str]
    entered_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    entered_at: Mapped[datetime]


class Protocol(Fact):
    """The commission's protocol of an event's result (T-Rules 10, 30), numbered without gaps.

    What is fixed first stands (T-Rules 32): one protocol of version 1 an event. The login that confirms is not the
    one that entered; the composite key carries the enterer here so that the database itself compares the two.
    """

    __tablename__ = "protocols"
    __table_args__ = (
        UniqueConstraint("event_id", "version"),
        ForeignKeyConstraint(
            ["result_id", "event_id", "entered_by"], ["results.id", "results.event_id", "results.entered_by"]
        ),
        CheckConstraint("entered_by <> confirmed_by", name="two_persons"),
        CheckConstraint("cardinality(signatories) > 0", name="signed"),
    )

    number: Mapped[int] = mapped_column(unique=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    version: Mapped[int]
    result_id: Mapped[int] = mapped_column(unique=True)
    entered_by: Mapped[int]
    confirmed_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    signatories: Mapped[list[str]] = mapped_column(ARRAY(Text))
    drawn_up_at: Mapped[datetime]
