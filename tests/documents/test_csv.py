"""CSV as spreadsheets take it: letters right, nothing run as a formula, no table held in memory (FIELD-FAULTS 119)."""

from __future__ import annotations

import csv
import io
import tracemalloc
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from documents.csv import Cell, csv_pieces


def whole(*rows: tuple[Cell, ...], header: tuple[str, ...] = ("Имя",), decimal_mark: str = ",") -> bytes:
    """The table's bytes."""
    return b"".join(csv_pieces(header, rows, decimal_mark))


def test_the_bytes_of_a_table() -> None:
    written = whole(("Ёлка; 1", 7), ('так "и" так', None), header=("Имя", "Число"))

    assert written == (
        b"\xef\xbb\xbf" + "Имя;Число\r\n".encode() + '"Ёлка; 1";7\r\n'.encode() + '"так ""и"" так";\r\n'.encode()
    )


def test_what_is_written_of_each_kind_of_cell() -> None:
    cells = (Decimal("-1234.50"), Decimal("1E+3"), -5, True, False, date(2022, 11, 22))
    moment = datetime(2022, 11, 22, 8, 0, 0, 250_000, tzinfo=UTC)

    written = whole((*cells, moment), header=("",) * 7).decode("utf-8-sig").splitlines()[1]

    assert written == "-1234,50;1000;-5;да;нет;2022-11-22;2022-11-22T08:00:00.250000+00:00"
    assert whole((Decimal("1.5"),), decimal_mark=".").endswith(b"1.5\r\n")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_text_that_would_be_a_formula_stays_text(start: str) -> None:
    text = start + "cmd|' /C calc'!A0"

    for written in (whole((text,)), whole(header=(text,))):
        rows = list(csv.reader(io.StringIO(written.decode("utf-8-sig"), newline=""), delimiter=";"))
        assert rows[-1] == ["'" + text]


def test_text_is_read_back_as_it_was() -> None:
    texts = ["Минск, пр. Победителей", "a;b", 'он сказал "да"', "две\r\nстроки", "", "і ў ё"]

    written = whole(*((text,) for text in texts))

    rows = list(csv.reader(io.StringIO(written.decode("utf-8-sig"), newline=""), delimiter=";"))
    assert [row[0] if row else "" for row in rows[1:]] == texts


def test_rows_are_given_on_while_they_come() -> None:
    """200,000 rows of 200 letters are 40 MB; 4 MB are never held, and the first come before the last are made."""
    made = 0

    def rows() -> Iterator[tuple[Cell, ...]]:
        nonlocal made
        for made in range(1, 200_001):
            yield (made, "x" * 200)

    tracemalloc.start()
    try:
        pieces = csv_pieces(("№", "Текст"), rows())
        assert next(pieces) and next(pieces)
        assert made <= 1_000
        length = sum(map(len, pieces))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert made == 200_000
    assert length > 40_000_000
    assert peak < 4_000_000
