"""Codes of tickets: what is payable is the code, never the running number (DESIGN 3.9, INDUSTRY: ticket)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass

from cryptography.fernet import Fernet, MultiFernet

CODE_BYTES = 10
"""80 random bits: independent of the running number, written as 16 letters and digits."""


@dataclass(frozen=True)
class TicketCode:
    """A code as the ticket shows it, and the two forms in which the database keeps it."""

    text: str
    digest: bytes
    sealed: bytes


class Codes:
    """Makes and finds ticket codes: an HMAC to find one by, a ciphertext to print it again from."""

    def __init__(self, hmac_key: bytes, data_keys: tuple[bytes, ...]) -> None:
        self._hmac_key = hmac_key
        self._cipher = MultiFernet([Fernet(key) for key in data_keys])

    def new(self) -> TicketCode:
        """A fresh code; the chance of meeting an old one is left to the unique key."""
        text = base64.b32encode(secrets.token_bytes(CODE_BYTES)).decode("ascii")
        return TicketCode(text, self.digest(text), self._cipher.encrypt(text.encode("ascii")))

    def digest(self, text: str) -> bytes:
        """What a typed or scanned code is looked up by; case and separators do not matter to a cashier."""
        plain = text.upper().replace("-", "").replace(" ", "")
        return hmac.new(self._hmac_key, plain.encode("utf-8"), hashlib.sha256).digest()

    def open(self, sealed: bytes) -> str:
        """The code itself, for the answer that issued it and for a reprint."""
        return self._cipher.decrypt(sealed).decode("ascii")


def masked(text: str) -> str:
    """What lists and logs may show of a code: its last four signs."""
    return "…" + text[-4:]
