"""What a ticket in a pool of positions tells of its bets: marks, or rows one by one, and what one of them costs.

A ticket tells its bets (T-Rules 25). Rows too many to be printed are an electronic record (T-Rules 9.11), and the paper
carries their number and the word by which anybody checks that the record is theirs still.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from sqlalchemy.orm import Session

from documents.roll import Block, Note, Pair
from reports.papers.words import amount_text, named
from tote.models import Pool
from tote.positions import positions_of
from tote.receipts import Receipt
from tote.rows_told import check_word, text_of_rows

MOST_PRINTED = 20
"""Rows that are printed one by one."""
GROUP = 8
"""Digits of the check word that stand together."""
UPLOADED = (
    "Ставки этого билета — электронная запись: строка на ставку, шифры исходов через запятую в порядке позиций. "
    "Контрольное слово SHA-256 вычислено по её тексту."
)


def marked_bets(session: Session, found: Receipt, pool: Pool) -> Iterator[Block]:
    """The bets of a ticket, how many they are, and the stake of one."""
    if found.marks is None:
        yield from _positions(pool)
        yield from _rows(session, found, pool)
    else:
        for position, codes in zip(positions_of(pool), found.marks, strict=True):
            yield Pair(named(position.name, position.code), ", ".join(codes))
    yield Pair("Ставок", str(found.rows), loud=True)
    one = amount_text(found.stake // found.rows, pool.currency)
    yield Pair("Одна ставка" if pool.price is None else "Цена ставки", one)


def _positions(pool: Pool) -> Iterator[Block]:
    """What the codes of a row stand for, one behind the other."""
    for position in positions_of(pool):
        yield Pair(f"Позиция {position.code}", position.name)


def _rows(session: Session, found: Receipt, pool: Pool) -> Iterator[Block]:
    text = text_of_rows(session, found.number, pool)
    if found.rows > MOST_PRINTED:
        word = check_word(text)
        yield Pair("SHA-256", " ".join(word[at : at + GROUP] for at in range(0, len(word), GROUP)))
        yield Note(UPLOADED)
        return
    for number, row in enumerate(chain.from_iterable(piece.splitlines() for piece in text), 1):
        yield Pair(f"Ставка {number}", row)
