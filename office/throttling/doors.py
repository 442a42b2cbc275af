"""The doors somebody could try to guess a way through, with how many attempts each allows."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from datetime import timedelta

from office.settings.kinds import Setting, WholeNumber
from office.significant.kinds import (
    ADDRESS_THROTTLED,
    CODES_GUESSED,
    GUESSING_FLOOD,
    LOGIN_THROTTLED,
    REGISTRY_PROBED,
    TERMINAL_THROTTLED,
    Kind,
)

KEPT = timedelta(hours=1)
"""How long a count lives after its last attempt; an attempt that comes later begins a new one."""
ATTEMPTS = WholeNumber(1, 1000)

LOGIN_ATTEMPTS = Setting("login_attempts", ATTEMPTS, 5, "Неудачных входов по одному логину, в минуту")
ADDRESS_ATTEMPTS = Setting("address_attempts", ATTEMPTS, 100, "Неудачных попыток с одного адреса, в минуту")
TERMINAL_ATTEMPTS = Setting("terminal_attempts", ATTEMPTS, 20, "Неудачных входов на одном терминале, в минуту")
CODE_ATTEMPTS = Setting("code_attempts", ATTEMPTS, 10, "Неизвестных кодов билетов на одном терминале, в минуту")
REGISTRY_ATTEMPTS = Setting("registry_attempts", ATTEMPTS, 20, "Неудачных запросов о людях от одного лица, в минуту")
EVENTS_OF_GUESSING = Setting("guessing_events", ATTEMPTS, 100, "Отметок о подборе в журнале событий, в час")


@dataclass(frozen=True)
class Door:
    """A place where guessing could pay: attempts in a period, and what is noted when it stays shut for somebody.

    At ``suspicious`` attempts without one success and without an hour's pause it is noted although no limit was hit:
    whoever guesses slowly is seen as well.
    """

    name: str
    attempts: Setting[int]
    noted_as: Kind
    period: timedelta = timedelta(minutes=1)
    suspicious: int | None = None

    def __post_init__(self) -> None:
        if self.period > KEPT:
            raise ValueError("a count is forgotten before its period is over")


USER_LOGIN = Door("user_login", LOGIN_ATTEMPTS, LOGIN_THROTTLED, suspicious=50)
PLAYER_LOGIN = Door("player_login", LOGIN_ATTEMPTS, LOGIN_THROTTLED, suspicious=50)
OWN_PASSWORD = Door("own_password", LOGIN_ATTEMPTS, LOGIN_THROTTLED, suspicious=50)
"""Guesses at the old password by whoever holds a session, a stolen one perhaps."""
ADDRESS = Door("address", ADDRESS_ATTEMPTS, ADDRESS_THROTTLED)
TERMINAL = Door("terminal", TERMINAL_ATTEMPTS, TERMINAL_THROTTLED)
TICKET_CODES = Door("ticket_codes", CODE_ATTEMPTS, CODES_GUESSED)
REGISTRY = Door("registry", REGISTRY_ATTEMPTS, REGISTRY_PROBED)
"""Whether a login is taken, whether a document or a name is known: what registrations tell about people."""
EVENTS = Door("events", EVENTS_OF_GUESSING, GUESSING_FLOOD, period=KEPT)
"""The journal's own door: an append-only, sealed table is no place for a flood."""


@dataclass(frozen=True)
class Knock:
    """Somebody at a door. ``subject`` is whom the attempts are counted for, and is never kept in clear (D-16).

    ``about`` is how a significant event may name the subject (``user:7``); without it a part of the digest stands
    there, by which attempts on one subject are seen to belong together.
    """

    door: Door
    subject: str
    about: str | None = None

    def digest(self, secret: bytes) -> bytes:
        """What the count is kept by: an HMAC, for a typed login may be a password in the wrong field."""
        named = f"throttling:{self.door.name}:{self.subject}"
        return hmac.new(secret, named.encode("utf-8"), hashlib.sha256).digest()
