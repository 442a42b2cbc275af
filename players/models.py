"""Registered players and their game accounts (T-Rules 35.3)."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, func
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from db.instants import Instant
from office.logins import LoginHolder


class Player(LoginHolder, Base):
    """A registration: a unique login and one game account. Who the person is lies encrypted elsewhere (D-16)."""

    __tablename__ = "players"
    sort = "player"

    # None when the registration has ended and its data were erased: the person may then register anew.
    person_id: Mapped[int | None] = mapped_column(ForeignKey("persons.id"), unique=True)
    person_version_id: Mapped[int] = mapped_column(ForeignKey("person_versions.id"))
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), unique=True)
    registered_at: Mapped[datetime] = mapped_column(Instant, server_default=func.clock_timestamp())
