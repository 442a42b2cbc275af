"""Logins: how a user of the office and a player are known alike, by a login and the hash of a password (DESIGN 4)."""

from __future__ import annotations

import unicodedata
from datetime import datetime
from typing import ClassVar

from sqlalchemy.orm import Mapped, mapped_column


class LoginHolder:
    """Whoever signs in with a login of their own; logins of the office and of players are spaces apart.

    ``password_until`` stands beside a one-time password: when it lapses. Whoever signs in with one may only change it.
    """

    sort: ClassVar[str]
    """``user`` or ``player``: how significant events name the holder, before the number."""

    id: Mapped[int] = mapped_column(primary_key=True)
    login: Mapped[str] = mapped_column(unique=True)
    password_hash: Mapped[str]
    password_until: Mapped[datetime | None]
    blocked_at: Mapped[datetime | None]

    @property
    def subject(self) -> str:
        """How a significant event names the holder."""
        return f"{self.sort}:{self.id}"


def normal_login(told: str) -> str:
    """A login as it is kept: one for every way of writing it (FIELD-FAULTS 125).

    Letter case, composed and decomposed letters (й, ё), full-width signs and stray spaces do not tell two logins apart.
    """
    folded = unicodedata.normalize("NFKC", told).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())
