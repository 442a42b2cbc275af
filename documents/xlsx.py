"""Tables as XLSX with typed cells: what is text stays text, and is neither a formula nor a link (DESIGN 5).

Rows go to the disk as they come, so that a million of them need no more memory than a thousand.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, BinaryIO

import xlsxwriter
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from documents.csv import WORDS, Cell
from documents.spool import read_out
from documents.table import EMPTY, Kind, Sums, Table

MOST_ROWS = 1_048_576
"""What a sheet can hold, the heading and the totals included."""
LONGEST = 32_767
"""What a cell can hold."""
EXACT = 10**15
"""From here on a spreadsheet's number loses digits: such a figure is written as text."""
FORMS = {Kind.MONEY: "#,##0.00", Kind.NUMBER: "0", Kind.DATE: "dd.mm.yyyy", Kind.INSTANT: "dd.mm.yyyy hh:mm:ss"}
WIDE = 7
PLAIN = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}


def xlsx_pieces(table: Table) -> Iterator[bytes]:
    """The file piece by piece; it is whole on the disk before the first one, so a refusal comes before all of them.

    Raises:
        TooManyRowsError: a sheet cannot hold them.
    """
    return read_out(xlsx_file(table))


def xlsx_file(table: Table) -> BinaryIO:
    """The file, nameless and open at its beginning; it is gone when it is closed."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 - given on open, closed by whoever reads it
    try:
        with tempfile.TemporaryDirectory() as folder:
            _write(table, file, Path(folder))
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


def _write(table: Table, file: BinaryIO, folder: Path) -> None:
    made = table.heading.made_at.replace(tzinfo=None)
    book = xlsxwriter.Workbook(file, {"constant_memory": True, "tmpdir": str(folder), **PLAIN})
    book.set_properties({"title": table.heading.title, "company": table.heading.operator, "created": made})
    try:
        _fill(table, book, book.add_worksheet("Отчёт"))
    finally:
        book.close()


def _fill(table: Table, book: Any, sheet: Worksheet) -> None:
    bold = book.add_format({"bold": True})
    named = book.add_format({"bold": True, "text_wrap": True, "valign": "top", "bottom": 1})
    forms = [_form(book, column.kind) for column in table.columns]
    bold_forms = [_form(book, column.kind, bold=True) for column in table.columns]
    for place, column in enumerate(table.columns):
        sheet.set_column(place, place, WIDE * column.share)
    line = _head(table, sheet, bold)
    for place, title in enumerate(table.titles):
        _text(sheet, line, place, title, named)
    line += 1
    sheet.freeze_panes(line, 0)
    sums = Sums(table.columns)
    for row in sums.over(table.rows, MOST_ROWS - line - 1):
        for place, cell in enumerate(row):
            _cell(sheet, line, place, cell, forms[place])
        line += 1
    _foot(table, sheet, sums, line, bold, bold_forms)


def _head(table: Table, sheet: Worksheet, bold: Format) -> int:
    """The heading; the number of the line behind it."""
    _text(sheet, 0, 0, table.heading.title, bold)
    lines = table.heading.lines()
    for line, (name, value) in enumerate(lines, start=1):
        _text(sheet, line, 0, f"{name}: {value}", None)
    return len(lines) + 2


def _foot(table: Table, sheet: Worksheet, sums: Sums, line: int, bold: Format, forms: list[Format]) -> None:
    if not sums.rows:
        _text(sheet, line, 0, EMPTY, None)
    elif sums.any:
        for place, form in enumerate(forms):
            total = sums.cell(place)
            if total is not None:
                _cell(sheet, line, place, total, form)
            elif place == 0:
                _text(sheet, line, place, "Итого", bold)


def _form(book: Any, kind: Kind, *, bold: bool = False) -> Format:
    form: Format = book.add_format({"num_format": FORMS.get(kind, "@"), "bold": bold})
    return form


def _cell(sheet: Worksheet, line: int, place: int, cell: Cell, form: Format) -> None:
    if cell is None:
        return
    if isinstance(cell, bool):
        _text(sheet, line, place, WORDS[cell], form)
    elif isinstance(cell, (int, Decimal)):
        if -EXACT < cell < EXACT:
            sheet.write_number(line, place, cell, form)
        else:
            _text(sheet, line, place, f"{cell:f}" if isinstance(cell, Decimal) else str(cell), form)
    elif isinstance(cell, datetime):
        # A sheet knows no zones: the heading tells which one these are of.
        sheet.write_datetime(line, place, cell.replace(tzinfo=None), form)
    elif isinstance(cell, date):
        sheet.write_datetime(line, place, cell, form)
    else:
        _text(sheet, line, place, cell, form)


def _text(sheet: Worksheet, line: int, place: int, text: str, form: Format | None) -> None:
    sheet.write_string(line, place, text if len(text) <= LONGEST else text[: LONGEST - 1] + "…", form)
