"""The key persons are searched by: words and marks as digests that tell nothing without it.

It is derived from CODE_HMAC_KEY under a name of its own, so that equal texts of a ticket, a key and a person have
nothing in common. It is not rotated: see docs/decisions/0020.
"""

from __future__ import annotations

import hashlib
import hmac

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from office.persons.identities import Mark
from office.persons.words import Word


class Digests:
    """Makes the digests of words and marks."""

    def __init__(self, code_hmac: bytes) -> None:
        self._key = HKDF(SHA256(), 32, None, b"search persons").derive(code_hmac)

    def of_word(self, word: Word) -> bytes:
        """The digest of a word in its field: the same word in another field has another."""
        return self._of("word", *word)

    def of_mark(self, mark: Mark) -> bytes:
        """The digest of what makes two records one person."""
        return self._of("mark", mark.sort, mark.text)

    def _of(self, *parts: str) -> bytes:
        return hmac.new(self._key, "\0".join(parts).encode("utf-8"), hashlib.sha256).digest()
