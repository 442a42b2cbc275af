"""Writing down a significant event: append-only and sealed, in the transaction of the act it tells of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, func, insert
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, Session, mapped_column

from db.base import Fact
from db.instants import Instant
from office.callers import Caller
from office.significant.kinds import KINDS, Kind


class SignificantEvent(Fact):
    """Something an owner, an auditor or a regulator wants to find again.

    ``subject`` names what it happened to as ``<sort>:<number>`` (``user:7``, ``ticket:1204``), ``facts`` hold what was
    and what became of it, money as strings. Never a person's data, a ticket's code, a token or a password (D-16).
    """

    __tablename__ = "significant_events"
    __table_args__ = (
        Index("ix_significant_events_kind_id", "kind", "id"),
        Index("ix_significant_events_subject_id", "subject", "id"),
        Index("ix_significant_events_severity_id", "severity", "id"),
        Index("ix_significant_events_user_id_id", "user_id", "id"),
        Index("ix_significant_events_occurred_at", "occurred_at"),
    )

    kind: Mapped[str]
    severity: Mapped[str]
    subject: Mapped[str]
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    player_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"))
    terminal_id: Mapped[int | None] = mapped_column(ForeignKey("terminals.id"))
    facts: Mapped[dict[str, Any]] = mapped_column(JSONB)
    occurred_at: Mapped[datetime] = mapped_column(Instant, server_default=func.trade_clock())


def note_all(session: Session, kind: Kind, events: Sequence[Mapping[str, Any]]) -> None:
    """Write down many events of a kind that nobody did, at once: each with ``subject``, ``facts`` and ``player_id``."""
    assert kind.code in KINDS, "kinds are made in the register"
    if events:
        alike = {"kind": kind.code, "severity": kind.severity.value}
        session.execute(insert(SignificantEvent), [{**alike, **event} for event in events])


def note(session: Session, kind: Kind, subject: str, by: Caller | None = None, **facts: object) -> None:
    """Write an event down, in the caller's transaction: it is on record exactly when the act is.

    ``by`` is who did it, nobody for what the house does by itself.
    """
    assert kind.code in KINDS, "kinds are made in the register"
    session.execute(
        insert(SignificantEvent).values(
            kind=kind.code,
            severity=kind.severity.value,
            subject=subject,
            user_id=by.user_id if by else None,
            player_id=by.player_id if by else None,
            terminal_id=by.terminal_id if by else None,
            facts=facts,
        )
    )
