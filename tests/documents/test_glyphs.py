"""The signs we say can be printed: each of them is, upright and bold, by the fonts of the installation alone."""

from __future__ import annotations

import io
import json
import re
import unicodedata
from typing import Any

import pytest
import typst
from pypdf import PdfReader

from documents.glyphs import HIDDEN, MAY_BREAK, SHOWN, printable
from documents.typesetting import TEMPLATES, fonts

SIGNS = [
    chr(point)
    for first, last in SHOWN
    for point in range(first, last + 1)
    if unicodedata.category(chr(point)) not in (*HIDDEN, "Cn", "Mn", "Zs")
    and unicodedata.normalize("NFC", chr(point)) == chr(point)
]
ALL = b"""
#import "base.typ": *
#show: letters
#set text(weight: sys.inputs.weight)
#for (number, sign) in told.signs.enumerate() [#number:#sign: \\ ]
"""


@pytest.mark.parametrize("weight", ["regular", "bold"])
def test_every_sign_that_is_said_to_be_shown_is(weight: str, tmp_path: Any) -> None:
    place = tmp_path / "all.typ"
    place.write_bytes(ALL)
    (tmp_path / "base.typ").write_bytes((TEMPLATES / "base.typ").read_bytes())
    inputs = {"paper": json.dumps({"signs": SIGNS}), "weight": weight}
    made = typst.compile(place, root=tmp_path, font_paths=fonts(), sys_inputs=inputs)
    text = "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(made)).pages)
    printed = dict(re.findall(r"(?m)^(\d+):(.):\s*$", text))
    assert len(SIGNS) > 1_200
    assert [sign for number, sign in enumerate(SIGNS) if printed.get(str(number)) != sign] == []


def test_letters_are_composed_and_what_shows_nothing_is_left_out() -> None:
    assert printable("и\u0306ож\u00adик\u200b") == "йожик"
    assert printable("один\tдва\r\nтри\x00") == "один два три"


def test_a_sign_without_a_glyph_is_one_sign_still() -> None:
    assert printable("а😀б漢") == "а�б�"


def test_a_long_word_may_be_broken_and_says_the_same() -> None:
    word = "Ы" * 200
    assert printable("слово " + word[:24]) == "слово " + word[:24]
    broken = printable(word)
    assert broken.replace(MAY_BREAK, "") == word
    assert max(map(len, broken.split(MAY_BREAK))) <= 24
    hyphened = "Константинопольская-Задунайская"
    assert printable(hyphened) == hyphened, "a line ends behind the hyphen"
