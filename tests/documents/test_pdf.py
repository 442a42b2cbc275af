"""PDF tables: what is printed is what was told, on a machine without fonts, with pages numbered through."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from pypdf import PdfReader

from documents import long_tables, pdf
from documents.pdf import SettingFailedError, pdf_of, told_of
from documents.table import TooManyRowsError
from documents.version import SOFTWARE
from tests.documents.papers import fonts_of, pages_of, text_of
from tests.documents.tables import long_table, row, table


def test_a_page_says_what_it_is_and_what_was_told() -> None:
    made = table(row(7, amount="1234.50"), row(8, amount="-0.05"), closing=("Прошнуровано листов: {pages}.",))
    (page,) = pages_of(pdf_of(made))
    for told in (
        "Журнал",
        "Организатор ООО «Проба»",
        "Охват по состоянию на 22.11.2022",
        "Отбор касса K-1",
        "Сформировано 22.11.2022 16:00:00, часовой пояс Europe/Minsk (UTC+03:00)",
        f"Программа {SOFTWARE}",
        "№ Кому Сумма День Момент",
        "7 Петров Пётр 1 234,50 22.11.2022 22.11.2022 12:01:44",
        "8 Петров Пётр -0,05 22.11.2022 22.11.2022 12:01:44",
        "Итого 1 234,45",
        "Всего строк: 2",
        "Прошнуровано листов: 1.",
        "ООО «Проба» · Журнал Страница 1 из 1",
    ):
        assert told in page, (told, page)


def test_without_rows_it_says_that_there_was_no_activity() -> None:
    (page,) = pages_of(pdf_of(table()))
    assert "Нет операций" in page and "Всего строк: 0" in page and "Итого" not in page


@pytest.mark.parametrize(
    "name",
    [
        '#import "x"; #let a = [*b*] $x^2$ _c_ `d` <e> @f // g /* h */ \\ = i',
        'ООО "Рога", «Копыта» и „сын“ — 100 ₽ № 5 … €',
        "Ёжик Ўладзімір Іванавіч",
        "{pages} {0} %s ${HOME}",
    ],
)
def test_what_is_told_is_printed_as_it_is_and_is_never_markup(name: str) -> None:
    """FIELD-FAULTS 120."""
    assert name in text_of(pdf_of(table(row(1, name=name))))


def test_a_sign_without_a_glyph_is_replaced_and_spaces_stay_apart() -> None:
    """Emoji and Chinese, a no-break space, marks of direction that would turn a name round."""
    printed = text_of(pdf_of(table(row(1, name="Пётр\u00a0Первый 😀 漢 \u202eанеднаМ\u202c"))))
    assert "Пётр Первый � � анеднаМ" in printed


def test_the_fonts_are_in_the_file_upright_and_bold_and_none_is_the_machines() -> None:
    assert fonts_of(pdf_of(table(row(1)))) == {"LibertinusSerif-Regular", "LibertinusSerif-Bold"}


def test_a_name_of_two_hundred_letters_is_whole() -> None:
    name = "Константинопольский " * 9 + "Константинопольский"
    assert name in text_of(pdf_of(table(row(1, name=name))))
    assert text_of(pdf_of(table(row(1, name="Ы" * 200)))).count("Ы") == 200


def test_each_page_of_a_long_table_has_the_titles_and_its_number_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """600 rows are set in three parts; every row is there once, the sum below the last: 600 × 1.50."""
    monkeypatch.setattr(long_tables, "PART", 200)
    pages = pages_of(long_tables.set_in_parts(told_of(long_table(600))))
    for number, page in enumerate(pages, start=1):
        assert page.startswith("№ Кому Сумма День Момент" if number > 1 else "Журнал"), number
        assert page.endswith(f"Страница {number} из {len(pages)}"), number
    assert [int(found) for page in pages for found in re.findall(r"(\d+) Петров", page)] == list(range(1, 601))
    assert "Итого 900,00 Всего строк: 600" in pages[-1]
    assert sum("Итого" in page for page in pages) == 1


def test_a_part_ends_with_its_last_row_and_nothing_is_set_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_tables, "PART", 2)
    for count, parts in ((0, 1), (2, 1), (3, 2), (4, 2)):
        pages = pages_of(long_tables.set_in_parts(told_of(long_table(count))))
        assert len(pages) == parts
        assert [found for page in pages for found in re.findall(r"(\d) Петров", page)] == list("1234"[:count])


def test_the_file_has_its_title_and_the_instant_it_was_made_at() -> None:
    whole = PdfReader(io.BytesIO(pdf_of(long_table(1_001)))).metadata
    assert whole is not None and whole.title == "Журнал"


def test_more_rows_than_anybody_reads_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pdf.MOST_ROWS == 20_000
    monkeypatch.setattr(pdf, "MOST_ROWS", 3)
    assert len(told_of(long_table(3))["rows"]) == 3
    with pytest.raises(TooManyRowsError):
        pdf_of(long_table(4))


def test_a_process_that_breaks_off_is_a_fault_that_names_no_row(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(pdf, "ROOT", tmp_path)
    with pytest.raises(SettingFailedError) as failed:
        pdf_of(table(row(1, name="Петров")))
    assert "Петров" not in str(failed.value)
