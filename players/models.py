"""Registered players (T-Rules 35.3), the ends of their registrations, and persons who excluded themselves."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, func
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Fact
from db.instants import Instant
from office.logins import LoginHolder


class Player(LoginHolder, Base):
    """A registration: a unique login and one game account. Who the person is lies encrypted elsewhere (D-16).

    ``excluded_until`` is the projection of the person's own exclusions: every placing statement reads it.
    """

    __tablename__ = "players"
    sort = "player"

    # None when the registration has ended and its data were erased: the person may then register anew.
    person_id: Mapped[int | None] = mapped_column(ForeignKey("persons.id"), unique=True)
    person_version_id: Mapped[int] = mapped_column(ForeignKey("person_versions.id"))
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), unique=True)
    registered_at: Mapped[datetime] = mapped_column(Instant, server_default=func.clock_timestamp())
    excluded_until: Mapped[datetime | None]


class RegistrationEnding(Fact):
    """The organizer ended a registration, with or without a reason (T-Rules 35.3). There is no way back."""

    __tablename__ = "registration_endings"

    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), unique=True)
    reason: Mapped[str | None]
    ended_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    ended_at: Mapped[datetime]


class SelfExclusion(Fact):
    """A person keeps themselves from betting until an instant; it is neither shortened nor lifted.

    Asked for by a player online, or at a desk by whoever shows a document, player or not. ``person_version_id`` is what
    was shown or registered. What counts is the latest ``ends_at`` of the person's rows.
    """

    __tablename__ = "self_exclusions"
    __table_args__ = (
        CheckConstraint("begins_at < ends_at", name="ends_later"),
        CheckConstraint("(player_id IS NULL) <> (taken_by IS NULL)", name="online_or_at_a_desk"),
        Index("ix_self_exclusions_person_id_id", "person_id", "id"),
        Index("ix_self_exclusions_person_version_id", "person_version_id"),
    )

    person_id: Mapped[int] = mapped_column(ForeignKey("persons.id"))
    person_version_id: Mapped[int] = mapped_column(ForeignKey("person_versions.id"))
    player_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"))
    taken_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    terminal_id: Mapped[int | None] = mapped_column(ForeignKey("terminals.id"))
    begins_at: Mapped[datetime]
    ends_at: Mapped[datetime]
