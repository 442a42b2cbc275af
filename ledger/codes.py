"""Codes of tickets: what is payable is the code, never the running number (DESIGN 3.9, INDUSTRY: ticket)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Protocol

from cryptography.fernet import InvalidToken, MultiFernet

from db import envelopes
from db.envelopes import SealBrokenError

CODE_BYTES = 10
"""80 random bits: independent of the running number, written as 16 letters and digits."""
TICKET_CODES = "ticket_codes"
"""The purpose of the data keys that codes are sealed under."""
FORM = b"\x01"
ID_BYTES = 8


@dataclass(frozen=True)
class TicketCode:
    """A code as the ticket shows it, and the two forms in which the database keeps it."""

    text: str
    digest: bytes
    sealed: bytes


class CodeKeys(Protocol):
    """Data keys by their numbers, the newest to seal under; see `db.key_ring.KeyRing`."""

    def newest(self) -> tuple[int, bytes]: ...
    def key(self, key_id: int) -> bytes: ...
    def direct(self) -> MultiFernet: ...


class Codes:
    """Makes and finds ticket codes: an HMAC to find one by, a ciphertext to print it again from.

    The ciphertext is one byte of form, the number of its data key, and an envelope that is bound to the HMAC beside it.
    A ticket is a fact, so it keeps this for ever; the data key is what a rotation wraps anew.
    """

    def __init__(self, hmac_key: bytes, keys: CodeKeys) -> None:
        self._hmac_key = hmac_key
        self._keys = keys

    def new(self) -> TicketCode:
        """A fresh code; the chance of meeting an old one is left to the unique key."""
        text = base64.b32encode(secrets.token_bytes(CODE_BYTES)).decode("ascii")
        digest = self.digest(text)
        key_id, key = self._keys.newest()
        sealed = envelopes.seal(key, text.encode("ascii"), _ticket(digest))
        return TicketCode(text, digest, FORM + key_id.to_bytes(ID_BYTES, "big") + sealed)

    def digest(self, text: str) -> bytes:
        """What a typed or scanned code is looked up by; case and separators do not matter to a cashier."""
        plain = text.upper().replace("-", "").replace(" ", "")
        return hmac.new(self._hmac_key, plain.encode("utf-8"), hashlib.sha256).digest()

    def open(self, sealed: bytes, digest: bytes) -> str:
        """The code itself, for the answer that issued it and for a reprint.

        Raises:
            SealBrokenError: the ciphertext is not that of the ticket with this digest.
        """
        if not sealed.startswith(FORM):
            return self._opened_directly(sealed, digest)
        key_id, envelope = sealed[1 : 1 + ID_BYTES], sealed[1 + ID_BYTES :]
        return envelopes.opened(self._keys.key(int.from_bytes(key_id, "big")), envelope, _ticket(digest)).decode(
            "ascii"
        )

    def _opened_directly(self, sealed: bytes, digest: bytes) -> str:
        """The code of a ticket from before there were data keys; its HMAC tells that the two belong together."""
        try:
            text = self._keys.direct().decrypt(sealed).decode("ascii")
        except InvalidToken:
            raise SealBrokenError("a ticket's code opens under no known master key") from None
        if not hmac.compare_digest(self.digest(text), digest):
            raise SealBrokenError("a ticket's code is another ticket's")
        return text


def masked(text: str) -> str:
    """What lists and logs may show of a code: its last four signs."""
    return "…" + text[-4:]


def _ticket(digest: bytes) -> bytes:
    return b"tickets " + digest.hex().encode("ascii")
