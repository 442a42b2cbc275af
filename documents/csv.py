"""Tables as CSV for spreadsheets: UTF-8 with its mark, ``;`` between cells, a decimal comma (DESIGN 5).

Rows are taken one by one and given on in pieces, so that a million of them need no more memory than a hundred.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from itertools import chain, islice

Cell = str | int | Decimal | date | datetime | bool | None
MARK = b"\xef\xbb\xbf"
"""The byte order mark: without it a spreadsheet reads Cyrillic letters as those of some code page."""
PIECE = 500
"""Rows written into memory before they are given on."""
FORMULA = frozenset("=+-@\t\r\n＝＋－＠")
"""What makes a spreadsheet take a text for a formula; the wide forms count as the narrow ones in some of them."""
WORDS = {True: "да", False: "нет"}


def csv_pieces(header: Sequence[str], rows: Iterable[Sequence[Cell]], decimal_mark: str = ",") -> Iterator[bytes]:
    """The table's bytes piece by piece, the header first; the same rows give the same bytes.

    Text that a spreadsheet would take for a formula gets an apostrophe in front; numbers are written as numbers, their
    minus included.
    """
    table = chain([header], rows)
    lines = (["" if cell is None else _text(cell, decimal_mark) for cell in row] for row in table)
    mark = MARK
    while piece := list(islice(lines, PIECE)):
        written = io.StringIO()
        csv.writer(written, delimiter=";", lineterminator="\r\n").writerows(piece)
        yield mark + written.getvalue().encode("utf-8")
        mark = b""


def _text(cell: str | int | Decimal | date | datetime, decimal_mark: str) -> str:
    if isinstance(cell, str):
        return _harmless(cell)
    if isinstance(cell, bool):
        return WORDS[cell]
    if isinstance(cell, Decimal):
        return f"{cell:f}".replace(".", decimal_mark)
    if isinstance(cell, (date, datetime)):
        return cell.isoformat()
    return str(cell)


def _harmless(text: str) -> str:
    return f"'{text}" if text[:1] in FORMULA else text
