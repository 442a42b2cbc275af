"""Signing a webhook as the convention "Standard Webhooks" has it: HMAC-SHA256 over id, timestamp and body.

The receiver computes the same over ``<webhook-id>.<webhook-timestamp>.<body>`` with the shared secret, compares, and
refuses a timestamp that is minutes old: nobody who once read a message can send it again later.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from dataclasses import dataclass, field

from db.errors import SetupError

PREFIX = "whsec_"
LEAST = 24
"""Octets a secret has at least: 192 bits."""


@dataclass(frozen=True)
class Secrets:
    """The secrets in use, the newest first; while a receiver changes over, it may know either. Never shown."""

    octets: tuple[bytes, ...] = field(repr=False)

    def headers(self, key: str, timestamp: int, body: bytes) -> dict[str, str]:
        """What proves to the receiver who sent this, and when."""
        signed = b".".join((key.encode("ascii"), str(timestamp).encode("ascii"), body))
        signatures = (hmac.new(secret, signed, hashlib.sha256).digest() for secret in self.octets)
        return {
            "webhook-id": key,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": " ".join(f"v1,{base64.b64encode(made).decode('ascii')}" for made in signatures),
        }


def read_secrets(told: str) -> Secrets:
    """Secrets as the environment names them: base64 of 24 random bytes or more, by commas, the newest first.

    Raises:
        SetupError: there is none, or one is no such secret.
    """
    return Secrets(tuple(_octets(one.strip()) for one in told.split(",")))


def _octets(told: str) -> bytes:
    try:
        octets = base64.b64decode(told.removeprefix(PREFIX), validate=True)
    except (binascii.Error, ValueError):
        octets = b""
    if len(octets) < LEAST:
        raise SetupError(
            f"ALARM_WEBHOOK_SECRET must be base64 of {LEAST} random bytes or more (openssl rand -base64 32), with or "
            f"without {PREFIX} in front; while a receiver changes over, several by commas, the newest first."
        )
    return octets
