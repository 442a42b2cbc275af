"""What a check of the seals can find."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Fault(StrEnum):
    """What is wrong with a row, a seal, a table or the chain."""

    CHANGED = "changed"
    """A sealed row is not what it was."""
    REMOVED = "removed"
    """A sealed row is not there."""
    INSERTED = "inserted"
    """A row stands where none could appear any more, or where the sequence has never been."""
    SEAL_CHANGED = "seal_changed"
    """A seal's hash is not that of its row."""
    LINK_BROKEN = "link_broken"
    """A seal's number or the hash it names does not follow from its predecessor."""
    CONTENTS_CHANGED = "contents_changed"
    """What a seal holds is not what was written with it."""
    MARKS_INCONSISTENT = "marks_inconsistent"
    """The rows are as they were, or nothing tells which is not: digest and marks of the contents contradict them."""
    UNREADABLE = "unreadable"
    """A sealed table or column is gone or has a type it cannot have been sealed in, or a table lost its sequence."""
    CHECKPOINT_WRONG = "checkpoint_wrong"
    """A balance at a seal is not the one before and the seal's transfers; ``id`` is the account."""
    CUT_OFF = "cut_off"
    """A seal whose digest was kept outside is not in the chain."""
    REBUILT = "rebuilt"
    """A seal's hash is not the one that was kept outside."""
    UNGUARDED = "unguarded"
    """The trigger that refuses changes is missing or disabled."""


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong: the table, the row's id where it is about a row, and the seal it was noticed at."""

    fault: Fault
    table: str
    id: int | None = None
    seal: int | None = None
