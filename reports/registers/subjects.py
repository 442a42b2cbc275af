"""Whose an account is, as the accountant reads it: the ledger's subjects are codes made for programs."""

from __future__ import annotations

from ledger.accounts import OPERATOR
from tote.games.register import FAMILIES

WHOSE = {"desk": "касса", "pool": "пул", "player": "игрок №"}
"""What stands before the desk's or the pool's code, or the player's number."""
ALONE = {OPERATOR: "организатор", **FAMILIES}
"""The operator's own accounts, and a jackpot by the family of its games."""


def whose(subject: str) -> str:
    """The subject of an account in words: ``касса K-1``, ``пул P1``, ``игрок № 12``, ``организатор``."""
    sort, _, code = subject.partition(":")
    return f"{WHOSE[sort]} {code}" if sort in WHOSE else ALONE.get(subject, subject)
