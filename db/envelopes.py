"""Envelopes: a text sealed under a data key and bound to the place it lies in (DESIGN 3.9).

AES-256-GCM of the kept library. What a text is bound to (its table, its row) is authenticated with it and not stored,
so that a ciphertext that somebody moved to another row opens as little as one that was changed.
"""

from __future__ import annotations

import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_BYTES = 32
NONCE_BYTES = 12


class SealBrokenError(Exception):
    """A ciphertext does not open: it was changed, moved to another row, or sealed under another key."""


def new_key() -> bytes:
    """A fresh data key."""
    return AESGCM.generate_key(KEY_BYTES * 8)


def seal(key: bytes, text: bytes, bound: bytes) -> bytes:
    """The text under a key, for the one place that ``bound`` names."""
    nonce = secrets.token_bytes(NONCE_BYTES)
    return nonce + AESGCM(key).encrypt(nonce, text, bound)


def opened(key: bytes, sealed: bytes, bound: bytes) -> bytes:
    """The text of an envelope found in this place.

    Raises:
        SealBrokenError: it is not what was sealed here.
    """
    try:
        return AESGCM(key).decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], bound)
    except (InvalidTag, ValueError):
        raise SealBrokenError(f"a ciphertext does not open in {bound.decode(errors='replace')}") from None
