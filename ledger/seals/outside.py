"""Digests of seals kept outside the database: only they tell that a chain was cut off or rebuilt (DESIGN 3.5).

The file holds a line a seal, ``<number> <hash in hexadecimal>``. It belongs on a medium the database's owner cannot
write to, or on paper.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, select

from ledger.seals.findings import Fault, Finding
from ledger.seals.models import Seal


class DigestFileError(ValueError):
    """A line of the file of digests is not a seal's number and hash."""


def digest_line(number: int, digest: bytes) -> str:
    """The line that is kept of a seal."""
    return f"{number} {digest.hex()}\n"


def keep_digests(connection: Connection, path: Path) -> int:
    """Append the lines of the seals behind the last one in the file; returns how many.

    A line that a crash prevented is made up for. What is in the file already is never judged here: verifying does.

    Raises:
        DigestFileError: a line is not one of ours.
    """
    last = max((number for number, _ in read_digests(path)), default=0) if path.exists() else 0
    found = connection.execute(select(Seal.id, Seal.hash).where(Seal.id > last).order_by(Seal.id))
    lines = [digest_line(number, digest) for number, digest in found]
    if lines:
        with path.open("a", encoding="ascii") as file:
            file.write("".join(lines))
            file.flush()
            os.fsync(file.fileno())
    return len(lines)


def read_digests(path: Path) -> Iterator[tuple[int, bytes]]:
    """The numbers and hashes in a file.

    Raises:
        DigestFileError: a line is not one of ours.
    """
    with path.open(encoding="ascii") as file:
        for line in file:
            try:
                number, digest = line.split()
                yield int(number), bytes.fromhex(digest)
            except ValueError:
                raise DigestFileError(f"{path}: not a seal's number and hash: {line.strip()!r}") from None


def compare_digests(connection: Connection, path: Path) -> Iterator[Finding]:
    """Every seal that the file knows and the chain lacks or has otherwise."""
    for number, digest in read_digests(path):
        found = connection.scalar(select(Seal.hash).where(Seal.id == number))
        if found is None:
            yield Finding(Fault.CUT_OFF, Seal.__tablename__, number, number)
        elif found != digest:
            yield Finding(Fault.REBUILT, Seal.__tablename__, number, number)
