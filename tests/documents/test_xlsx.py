"""XLSX as spreadsheets read it: numbers are numbers, instants instants, and text is never run (FIELD-FAULTS 123)."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from openpyxl import load_workbook

from documents import xlsx
from documents.csv import Cell
from documents.table import Column, Kind, Table, TooManyRowsError
from documents.version import SOFTWARE
from documents.xlsx import xlsx_pieces
from tests.documents.tables import HEADING, long_table, row, table

FIRST = 8
"""The line of the first row: title, five lines of the heading, an empty one, the titles."""


def sheet(made: Table) -> Any:
    """The file's only sheet, as it is read back."""
    book = load_workbook(io.BytesIO(b"".join(xlsx_pieces(made))))
    assert len(book.sheetnames) == 1
    return book.active


def values(made: Table) -> list[tuple[Any, ...]]:
    """The cells behind the titles."""
    return list(sheet(made).iter_rows(min_row=FIRST + 1, values_only=True))


def test_the_heading_says_what_it_is_whose_of_what_when_and_by_what() -> None:
    read = sheet(table(row(1)))
    assert [read.cell(line, 1).value for line in range(1, 7)] == [
        "Журнал",
        "Организатор: ООО «Проба»",
        "Охват: по состоянию на 22.11.2022",
        "Отбор: касса K-1",
        "Сформировано: 22.11.2022 16:00:00, часовой пояс Europe/Minsk (UTC+03:00)",
        f"Программа: {SOFTWARE}",
    ]
    assert [cell.value for cell in read[FIRST]] == ["№", "Кому", "Сумма", "День", "Момент"]
    assert read.freeze_panes == f"A{FIRST + 1}"


def test_every_cell_has_its_type_and_money_is_added_up() -> None:
    read = sheet(table(row(7, amount="1234.50"), row(8, amount="0.05")))
    cells = read[FIRST + 1]
    assert [cell.data_type for cell in cells] == ["n", "s", "n", "d", "d"]
    assert [cell.value for cell in cells] == [
        7,
        "Петров Пётр",
        1234.5,
        datetime.fromisoformat("2022-11-22T00:00:00"),
        datetime.fromisoformat("2022-11-22T12:01:44"),
    ]
    assert (cells[2].number_format, cells[4].number_format) == ("#,##0.00", "dd.mm.yyyy hh:mm:ss")
    # 1234.50 and 0.05
    assert [cell.value for cell in read[FIRST + 3]] == ["Итого", None, 1234.55, None, None]


@pytest.mark.parametrize("text", ["=1+1", "+7 29", "-5", "@a", "https://evil.example/x", "007", "{=A1}", "mailto:a@b"])
def test_text_is_neither_formula_nor_link_nor_number(text: str) -> None:
    made = b"".join(xlsx_pieces(table(row(1, name=text))))
    cell = load_workbook(io.BytesIO(made)).active.cell(FIRST + 1, 2)
    assert (cell.value, cell.data_type, cell.hyperlink) == (text, "s", None)
    with zipfile.ZipFile(io.BytesIO(made)) as parts:
        assert b"<f>" not in parts.read("xl/worksheets/sheet1.xml")


def test_a_figure_a_spreadsheet_would_round_stays_exact_as_text() -> None:
    columns = (Column("Сумма", Kind.MONEY), Column("Номер", Kind.NUMBER), Column("Да", Kind.TEXT))
    cells: tuple[Cell, ...] = (Decimal("12345678901234567.89"), 2**63 - 1, True)
    assert values(Table(HEADING, columns, [cells])) == [("12345678901234567.89", "9223372036854775807", "да")]


def test_an_empty_table_says_so_and_a_longest_text_is_cut() -> None:
    assert values(table()) == [("Нет операций", None, None, None, None)]
    assert values(table(row(1, name="Ы" * 40_000)))[0][1] == "Ы" * 32_766 + "…"


def test_rows_a_sheet_cannot_hold_are_refused_before_anything_is_given_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A heading of eight lines, five rows and the totals are fourteen lines; a sixth row would be a fifteenth."""
    assert xlsx.MOST_ROWS == 1_048_576
    monkeypatch.setattr(xlsx, "MOST_ROWS", 14)
    assert len(values(long_table(5))) == 6
    with pytest.raises(TooManyRowsError):
        xlsx_pieces(long_table(6))


@pytest.mark.parametrize(("filters", "said"), [((), "Отбор: без отбора"), (("a", "b"), "Отбор: a; b")])
def test_it_says_what_was_left_out(filters: tuple[str, ...], said: str) -> None:
    assert sheet(Table(replace(HEADING, filters=filters), (Column("№"),), ())).cell(4, 1).value == said


def test_where_nothing_could_be_left_out_nothing_is_said_of_it() -> None:
    names = [name for name, _ in replace(HEADING, filters=None).lines()]
    assert names == ["Организатор", "Охват", "Сформировано", "Программа"]
