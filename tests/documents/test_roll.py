"""A roll, as PDF and as bytes for a printer: both say the same, and a scanner reads the code on both."""

from __future__ import annotations

from datetime import datetime

import pytest
from PIL import Image

from documents.receipt_printer import printer_bytes
from documents.roll import Banner, Block, Code, Note, Pair, Roll, Rule, Title, roll_pdf
from tests.documents.papers import fonts_of, picture_of, scanned, text_of
from tests.documents.printer import Printout, printed
from tests.documents.tables import MINSK

CODE = "ABCDEFGHJKLMNP23"
MADE_AT = datetime(2022, 11, 22, 12, 1, 44, tzinfo=MINSK)
ALL: tuple[Block, ...] = (
    Title("ООО «Проба»"),
    Title("БИЛЕТ № 7", loud=True),
    Banner("ДУБЛИКАТ № 1"),
    Pair("Событие", "Аргентина — Саудовская Аравия"),
    Pair("Ставка", "10,00 BYN", loud=True),
    Rule(),
    Code(CODE),
    Note("Мелкий шрифт: номер 5."),
)


def roll(*blocks: Block) -> Roll:
    """A roll of these blocks."""
    return Roll("Билет № 7", MADE_AT, blocks)


def printout(*blocks: Block) -> Printout:
    """What a printer makes of these blocks."""
    return printed(printer_bytes(roll(*blocks)))


def test_the_pdf_says_it_all_and_its_code_is_scanned() -> None:
    made = roll_pdf(roll(*ALL))
    assert text_of(made) == (
        "ООО «Проба» БИЛЕТ № 7 ДУБЛИКАТ № 1 Событие Аргентина — Саудовская Аравия Ставка 10,00 BYN "
        "ABCD EFGH JKLM NP23 Мелкий шрифт: номер 5."
    )
    assert scanned(picture_of(made)) == [CODE]
    assert {"LibertinusSerif-Regular", "LibertinusSerif-Bold"} <= fonts_of(made)


def test_a_pdf_is_eighty_millimetres_wide_and_as_long_as_it_must_be() -> None:
    short, long = (picture_of(roll_pdf(roll(*[Note("строка")] * lines))) for lines in (1, 30))
    # 80 mm at 216 dots to the inch are 680.3 dots.
    assert short.width == long.width and 680 <= short.width <= 681
    assert long.height > 5 * short.height


def test_the_same_roll_has_the_same_bytes() -> None:
    assert roll_pdf(roll(*ALL)) == roll_pdf(roll(*ALL))
    assert printer_bytes(roll(*ALL)) == printer_bytes(roll(*ALL))


def test_a_printer_is_told_the_same_and_the_paper_is_cut() -> None:
    found = printout(*ALL)
    assert found.text.splitlines() == [
        'ООО "Проба"',
        "БИЛЕТ № 7",
        " ДУБЛИКАТ № 1",
        "Событие: Аргентина - Саудовская Аравия",
        "Ставка",
        "10,00 BYN",
        "-" * 42,
        "ABCD EFGH JKLM NP23",
        "Мелкий шрифт: номер 5.",
    ]
    assert found.code_page == 17, "CP866"
    assert found.cuts == 1
    assert [scanned(picture) for picture in found.pictures] == [[CODE]]


def test_what_the_code_page_lacks_is_drawn_line_by_line() -> None:
    """ў is in the code page, і and ₽ are not."""
    found = printout(Note("Ўладзімір"), Note("ўсё"), Title("100 ₽", loud=True))
    assert found.text.splitlines() == ["ўсё"]
    assert len(found.pictures) == 2
    assert all(picture.width <= 576 and is_written_on(picture) for picture in found.pictures)


def is_written_on(picture: Image.Image) -> bool:
    """Whether anything is black on white."""
    return picture.convert("L").getextrema() == (0, 255)


def test_a_long_line_is_broken_where_words_end_and_a_long_word_anywhere() -> None:
    assert printout(Note("слово " * 20)).text.splitlines() == ["слово " * 6 + "слово"] * 2 + ["слово " * 5 + "слово"]
    assert printout(Note("Ы" * 100)).text.splitlines() == ["Ы" * 42, "Ы" * 42, "Ы" * 16]


@pytest.mark.parametrize("text", ["\x1b@\x1dV\x00", "a\x10\x14b"])
def test_no_text_is_a_command(text: str) -> None:
    """A name with escape sequences in it neither cuts nor opens the drawer."""
    found = printout(Note(text))
    assert (found.cuts, len(found.text.splitlines())) == (1, 1)
    assert not {"\x1b", "\x1d", "\x10"} & set(found.text)
