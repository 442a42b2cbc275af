"""The rows of a ticket that were uploaded one by one, told again: their text, and the word by which it is checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import count

from sqlalchemy import select
from sqlalchemy.orm import Session

from db.session import Sessions
from ledger.refusals import Refusal
from tote.models import Pool, UploadedRows
from tote.positions import Position, positions_of
from tote.uploads import Part, unpacked


def text_of_rows(session: Session, ticket_id: int, pool: Pool) -> Iterator[str]:
    """The rows of a ticket, a line each that ends with a line feed, codes divided by commas; some thousands at a time.

    However they were uploaded, alike rows are the same text.
    """
    return _each(lambda number: _part(session, ticket_id, number), positions_of(pool))


def text_by_parts(sessions: Sessions, ticket_id: int, pool: Pool) -> Iterator[str]:
    """The same, each piece read in a transaction of its own: rows never change, and nobody holds a connection between.

    For whoever sends it on, however slowly it is taken.
    """

    def read(number: int) -> Part | None:
        with sessions() as session:
            return _part(session, ticket_id, number)

    return _each(read, positions_of(pool))


def check_word(text: Iterable[str]) -> str:
    """The SHA-256 of a text, as hexadecimal digits: what a paper says of rows too many to be printed."""
    digest = sha256()
    for piece in text:
        digest.update(piece.encode())
    return digest.hexdigest()


def rows_not_uploaded() -> Refusal:
    """What is said of a ticket that tells its bets otherwise."""
    said = "Ставки этого билета не загружались по одной: он сам называет исход или отметки в позициях."
    return Refusal("rows_not_uploaded", said)


def _each(read: Callable[[int], Part | None], positions: Sequence[Position]) -> Iterator[str]:
    for number in count():
        part = read(number)
        if part is None:
            return
        yield "".join(f"{line}\n" for line in unpacked([part], positions))


def _part(session: Session, ticket_id: int, number: int) -> Part | None:
    told = select(UploadedRows.rows, UploadedRows.places)
    found = session.execute(told.where(UploadedRows.ticket_id == ticket_id, UploadedRows.part == number)).first()
    return None if found is None else Part(*found)
