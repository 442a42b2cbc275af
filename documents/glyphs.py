"""What the fonts we print with can show; a sign they lack is replaced, and never spoils a paper (FIELD-FAULTS 120).

Fonts are those inside the typesetter's package (Libertinus Serif, behind it DejaVu Sans Mono), so that a machine
without fonts of its own prints the same.
"""

from __future__ import annotations

import re
import unicodedata

LACKING = "\ufffd"
"""What stands for a sign that no font has."""
SHOWN = (
    (0x0020, 0x007E),
    (0x00A0, 0x024F),  # Western and Central European letters
    (0x0370, 0x03FF),
    (0x0400, 0x0487),  # Cyrillic, ў and і among it
    (0x048A, 0x04FF),
    (0x1E00, 0x1EFF),
    (0x2000, 0x200A),
    (0x2010, 0x2027),  # dashes, quotation marks, the ellipsis
    (0x202F, 0x2040),
    (0x2070, 0x209F),
    (0x20A0, 0x20BF),  # signs of currencies, the rouble's among them
    (0x2100, 0x211E),  # № among them
    (0x2190, 0x21FF),
    (0x2500, 0x25FF),
    (0xFFFD, 0xFFFD),
)
"""The ranges whose every letter, figure and sign has a glyph, upright and bold; a test prints them all."""
HIDDEN = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
"""Kinds of signs that show nothing: marks of direction among them, which could make a name read as another."""
LONG_WORD = re.compile(r"[^\s\-–—/]{25,}")
"""What has no place of its own for a line to end at."""
PIECE = 8
MAY_BREAK = "\u200b"
"""A place where a line may end, without width: a word of two hundred letters would run over the paper's edge."""
SPACES = re.compile(r"[\t\r\n\v\f\u2028\u2029]+")


def printable(text: str) -> str:
    """The text as it is printed: composed letters, no hidden signs, each sign without a glyph replaced by ``�``."""
    composed = unicodedata.normalize("NFC", SPACES.sub(" ", text))
    seen = (sign for sign in composed if unicodedata.category(sign) not in HIDDEN)
    return LONG_WORD.sub(_breakable, "".join(sign if _has_glyph(sign) else LACKING for sign in seen))


def _has_glyph(sign: str) -> bool:
    return unicodedata.category(sign) != "Cn" and any(first <= ord(sign) <= last for first, last in SHOWN)


def _breakable(word: re.Match[str]) -> str:
    letters = word[0]
    return MAY_BREAK.join(letters[start : start + PIECE] for start in range(0, len(letters), PIECE))
