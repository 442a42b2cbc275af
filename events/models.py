"""Events, the results entered for them, the protocols that make a result official, and what was annulled later."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ARRAY, CheckConstraint, ForeignKey, ForeignKeyConstraint, Index, Text, UniqueConstraint
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column, relationship

from db.base import Fact


class Event(Fact):
    """A sporting or other event bets are taken on: two sides, a venue's zone, a start as announced.

    ``starts_at`` is what was announced and stays so; what is in force tells :mod:`events.starts`. ``sport`` is a code
    of :mod:`events.sports`, in rows from before there was a register any word.
    """

    __tablename__ = "events"

    code: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str]
    sport: Mapped[str]
    home: Mapped[str]
    away: Mapped[str]
    venue: Mapped[str | None]
    venue_zone: Mapped[str]
    starts_at: Mapped[datetime]
    entered_by: Mapped[int] = mapped_column(ForeignKey("users.id"))


class CorrectionReason(StrEnum):
    """Why a protocol may be corrected (D-14). That a sports body annulled a result is no reason (T-Rules 32)."""

    CLERICAL_ERROR = "clerical_error"
    SOURCE_MISREAD = "source_misread"
    WRONG_EVENT = "wrong_event"


class Standing(StrEnum):
    """Whether an event took place (T-Rules 32): one that was interrupted, for whatever cause, counts as not held."""

    HELD = "held"
    NOT_HELD = "not_held"
    INTERRUPTED = "interrupted"


class Result(Fact):
    """A result as somebody entered it. It moves nothing until another login confirms it by a protocol.

    An event that took place has true outcomes; one that did not has none, and its stakes are returned (T-Rules 32).
    ``positions`` tells by their codes what came true in parts of the event that pools of positions are on, and None of
    a part that was not held (D-22).

    It is put before the second person by a proposal of its own. ``corrects`` is the number of the protocol it is to
    correct, for ``reason``.
    """

    __tablename__ = "results"
    __table_args__ = (
        CheckConstraint("standing IN ('held', 'not_held', 'interrupted')", name="standing_known"),
        CheckConstraint(
            "(standing = 'held') = (cardinality(outcomes) > 0 OR positions IS NOT NULL)", name="held_names_an_outcome"
        ),
        CheckConstraint("(corrects IS NULL) = (reason IS NULL)", name="correction_has_a_reason"),
        CheckConstraint("reason IN ('clerical_error', 'source_misread', 'wrong_event')", name="reason_known"),
        UniqueConstraint("id", "event_id", "entered_by"),
        Index("ix_results_event_id_id", "event_id", "id"),
        UniqueConstraint("id", "corrects"),
        ForeignKeyConstraint(["corrects", "event_id"], ["protocols.number", "protocols.event_id"], use_alter=True),
        ForeignKeyConstraint(["proposal_id", "entered_by"], ["proposals.id", "proposals.proposed_by"]),
    )

    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    standing: Mapped[str] = mapped_column(default=Standing.HELD)
    score: Mapped[str | None]
    outcomes: Mapped[list[str]] = mapped_column(ARRAY(Text))
    positions: Mapped[dict[str, str | None] | None] = mapped_column(JSONB(none_as_null=True))
    source: Mapped[str]
    entered_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    entered_at: Mapped[datetime]
    proposal_id: Mapped[int | None] = mapped_column(unique=True)
    corrects: Mapped[int | None]
    reason: Mapped[str | None]
    scores: Mapped[list[ResultScore]] = relationship(order_by="ResultScore.id", lazy="selectin")

    @property
    def told(self) -> dict[str, Any]:
        """All that the result says, as it is proposed and approved."""
        held = self.standing in (None, Standing.HELD)
        return {
            # Said only where it is so: what was proposed before an event could be not held keeps its meaning.
            **({} if held else {"standing": self.standing}),
            "score": self.score,
            "outcomes": list(self.outcomes),
            "source": self.source,
            "corrects": self.corrects,
            "reason": self.reason,
            **({"positions": self.positions} if self.positions else {}),
            **({"scores": [score.told for score in self.scores]} if self.scores else {}),
        }


class ResultScore(Fact):
    """The score of one period, as a part of the result it stands with (D-24): what is confirmed is confirmed whole."""

    __tablename__ = "result_scores"
    __table_args__ = (
        UniqueConstraint("result_id", "period"),
        CheckConstraint("home >= 0 AND away >= 0", name="not_negative"),
    )

    result_id: Mapped[int] = mapped_column(ForeignKey("results.id"))
    period: Mapped[str]
    home: Mapped[int]
    away: Mapped[int]

    @property
    def told(self) -> dict[str, Any]:
        """The score, as it is proposed and approved with its result."""
        return {"period": self.period, "home": self.home, "away": self.away}


class Protocol(Fact):
    """The commission's protocol of an event's result (T-Rules 10, 30), numbered without gaps.

    What is fixed first stands (T-Rules 32), but for a correction: version n+1 names in ``corrects`` the number of the
    protocol before it (D-14). The login that confirms is not the one that entered; the composite keys carry the enterer
    and the corrected protocol here, so that the database itself compares them.
    """

    __tablename__ = "protocols"
    __table_args__ = (
        UniqueConstraint("event_id", "version"),
        UniqueConstraint("number", "event_id"),
        ForeignKeyConstraint(
            ["result_id", "event_id", "entered_by"], ["results.id", "results.event_id", "results.entered_by"]
        ),
        ForeignKeyConstraint(["result_id", "corrects"], ["results.id", "results.corrects"]),
        CheckConstraint("entered_by <> confirmed_by", name="two_persons"),
        CheckConstraint("cardinality(signatories) > 0", name="signed"),
        CheckConstraint("(version = 1) = (corrects IS NULL)", name="later_versions_correct"),
    )

    number: Mapped[int] = mapped_column(unique=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    version: Mapped[int]
    result_id: Mapped[int] = mapped_column(unique=True)
    entered_by: Mapped[int]
    confirmed_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    signatories: Mapped[list[str]] = mapped_column(ARRAY(Text))
    drawn_up_at: Mapped[datetime]
    place: Mapped[str | None]
    remarks: Mapped[str | None]
    corrects: Mapped[int | None] = mapped_column(unique=True)


class Annulment(Fact):
    """That a sports body annulled, later, the result of an event that took place: it changes nothing (T-Rules 32).

    What was fixed first stands and wins are paid by it; this row says by which document somebody said otherwise.
    """

    __tablename__ = "annulments"

    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"), index=True)
    protocol_number: Mapped[int] = mapped_column(ForeignKey("protocols.number"))
    annulled_by: Mapped[str]
    document: Mapped[str]
    document_date: Mapped[date]
    remarks: Mapped[str | None]
    entered_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    entered_at: Mapped[datetime]
