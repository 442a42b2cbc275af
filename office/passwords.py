"""Passwords as they are kept: argon2id at a named cost, a few at a time, one reading for all ways of typing."""

from __future__ import annotations

import base64
import secrets
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
from argon2.low_level import Type

from ledger.refusals import Refusal

MEMORY = 64 * 1024
"""KiB a hash takes while it is made or checked."""
AT_ONCE = 2
"""Hashes under way in one process: forty who sign in at once take 128 MiB of it, not 2.5 GiB."""
PATIENCE = 5.0
"""Seconds somebody waits for a turn; then the house says that it is too busy, and its threads are free for bets."""

# The second choice of RFC 9106, section 4, for machines that do other work as well.
_hasher = PasswordHasher(time_cost=3, memory_cost=MEMORY, parallelism=4, hash_len=32, salt_len=16, type=Type.ID)
_turns = BoundedSemaphore(AT_ONCE)


def hash_password(password: str) -> str:
    """The argon2 hash of a password.

    Raises:
        Refusal: ``too_busy``.
    """
    with _turn():
        return _hasher.hash(_as_typed(password))


def password_matches(password_hash: str | None, password: str) -> bool:
    """Whether a password fits; without a hash it takes as long and never does (FIELD-FAULTS 111).

    Raises:
        Refusal: ``too_busy``.
    """
    with _turn():
        try:
            return _hasher.verify(password_hash or _nobodys(), _as_typed(password)) and password_hash is not None
        except VerifyMismatchError:
            return False


def is_outdated(password_hash: str) -> bool:
    """Whether a hash was made at another cost than today's: it is made anew when its password is next typed."""
    return _hasher.check_needs_rehash(password_hash)


def one_time_password() -> str:
    """A password to be told once and changed at once: 80 random bits, in groups a person can read out."""
    letters = base64.b32encode(secrets.token_bytes(10)).decode("ascii")
    return "-".join(letters[start : start + 4] for start in range(0, len(letters), 4))


def _as_typed(password: str) -> str:
    """One text for a password whatever keyboard or system composed its letters (NIST SP 800-63B, NFKC)."""
    return unicodedata.normalize("NFKC", password)


def _nobodys() -> str:
    """A hash at today's cost that no password has: checking against it takes as long as against anybody's."""
    salt, digest = (
        base64.b64encode(secrets.token_bytes(length)).decode("ascii").rstrip("=")
        for length in (_hasher.salt_len, _hasher.hash_len)
    )
    cost = f"m={_hasher.memory_cost},t={_hasher.time_cost},p={_hasher.parallelism}"
    return f"$argon2id$v=19${cost}${salt}${digest}"


@contextmanager
def _turn() -> Iterator[None]:
    if not _turns.acquire(timeout=PATIENCE):
        raise Refusal("too_busy", "Сейчас входит слишком много людей: повторите чуть позже.", retry_after=int(PATIENCE))
    try:
        yield
    finally:
        _turns.release()
