"""Looking for secrets in what was written down, in every writing that a database, a log or a URL gives them."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator
from math import ceil
from urllib.parse import quote

SHORTEST = 5
"""Signs of a secret that is looked for: a shorter one stands in any text by chance."""


def found_in(text: bytes, secrets: Iterable[str]) -> list[tuple[str, str]]:
    """Which secrets the text holds, and in which writing; a dump and a log write each backslash twice."""
    texts = (text, text.replace(b"\\\\", b"\\"))
    return [
        (secret, kind) for secret in secrets for kind, form in writings(secret) if any(form in one for one in texts)
    ]


def writings(secret: str) -> Iterator[tuple[str, bytes]]:
    """Every writing of a secret with its name, in small and capital letters and with е for ё as well."""
    assert len(secret) >= SHORTEST, secret
    cases = (secret, secret.lower(), secret.upper(), secret.title())
    for said in sorted({*cases, *(case.replace("ё", "е").replace("Ё", "Е") for case in cases)}):
        yield from _encoded(said)


def _encoded(said: str) -> Iterator[tuple[str, bytes]]:
    for charset in ("utf-8", "cp1251", "utf-16-le", "utf-16-be"):
        raw = said.encode(charset, errors="replace")
        yield charset, raw
        yield f"{charset} as hex", raw.hex().encode()
        yield f"{charset} as HEX", raw.hex().upper().encode()
        yield f"{charset} escaped by octets", "".join(f"\\x{octet:02x}" for octet in raw).encode()
        yield f"{charset} escaped in octal", "".join(f"\\{octet:03o}" for octet in raw).encode()
        yield from ((f"{charset} as base64, {offset}", form) for offset, form in _base64(raw))
    yield "percent-encoded", quote(said, safe="").encode()
    yield "percent-encoded small", _small_escapes(said).encode()
    yield "JSON", json.dumps(said)[1:-1].encode()
    yield "JSON in capitals", "".join(_capital_escape(sign) for sign in said).encode()


def _base64(raw: bytes) -> Iterator[tuple[str, bytes]]:
    """Base64 of the octets wherever they stand in a longer text: the signs that depend on nothing around them."""
    for offset in range(3):
        first, behind = ceil(offset * 8 / 6), (offset + len(raw)) * 8 // 6
        for kind, encode in (("standard", base64.b64encode), ("url", base64.urlsafe_b64encode)):
            yield f"{kind} at {offset}", encode(b"\0" * offset + raw)[first:behind]


def _small_escapes(said: str) -> str:
    return "".join(sign if sign.isascii() and sign.isalnum() else quote(sign, safe="").lower() for sign in said)


def _capital_escape(sign: str) -> str:
    return sign if sign.isascii() else f"\\u{ord(sign):04X}"
