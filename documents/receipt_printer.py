"""A roll as bytes for a receipt printer (ESC/POS): text in the code page of Cyrillic, pictures for what it lacks.

The printer is told, never asked: the bytes are what a terminal sends to it, whole.
"""

from __future__ import annotations

import io
import textwrap
from typing import TYPE_CHECKING

from PIL import Image

from documents.glyphs import MAY_BREAK, printable
from documents.qr import qr_dots
from documents.roll import Banner, Block, Code, Note, Pair, Roll, Rule, Title
from documents.typesetting import picture

if TYPE_CHECKING:
    from escpos.printer import Dummy

PROFILE = "TM-T20II"
"""Stands for all printers of 80 mm with 576 dots; nothing but widths is taken from it."""
CODE_PAGE = "CP866"
"""Russian letters and №; what a line needs beyond it (і, ₽) makes that line a picture."""
CODE_PAGE_NUMBER = 17
"""What nearly all printers of this kind call it."""
COLUMNS = 42
"""Letters in a line of 80 mm paper, which is the narrower of the two usual counts (42 and 48)."""
DOTS_PER_INCH = 203.2
"""Eight to the millimetre: 576 across the printed 72 mm."""
QR_DOTS = 8
"""Dots a side of a QR code's square: 42 mm for the code of a ticket, as on the PDF."""
PLAIN = str.maketrans(
    {
        "—": "-",
        "–": "-",
        "«": '"',
        "»": '"',
        "„": '"',
        "“": '"',
        "”": '"',
        "…": "...",
        "\u00a0": " ",
        "\u202f": " ",
        "’": "'",
    }
)
"""Typography that plain signs say as well."""


def printer_bytes(roll: Roll) -> bytes:
    """The roll, and a cut behind it; the same roll gives the same bytes."""
    # Imported here: on import it gives the root logger a handler, unless the house has set up its logs before.
    from escpos.printer import Dummy

    printer = Dummy(profile=PROFILE)
    printer.hw("INIT")
    printer._raw(b"\x1bt" + bytes([CODE_PAGE_NUMBER]))
    for block in roll.blocks:
        _print(printer, block)
    printer.cut()
    return bytes(printer.output)


def _print(printer: Dummy, block: Block) -> None:
    match block:
        case Title(text, loud):
            _lines(printer, text, align="center", bold=loud, double=loud)
        case Banner(text):
            _lines(printer, f" {text} ", align="center", bold=True, double=True, invert=True)
        case Pair(name, value, loud):
            if loud:
                _lines(printer, name)
                _lines(printer, value, bold=True, double=True)
            else:
                _lines(printer, f"{name}: {value}")
        case Code(text):
            printer.set(align="center")
            printer.image(_qr_picture(text), impl="bitImageRaster")
            _lines(printer, block.grouped, align="center", bold=True)
        case Note(text):
            _lines(printer, text)
        case Rule():
            _lines(printer, "-" * COLUMNS)


def _lines(
    printer: Dummy, text: str, *, align: str = "left", bold: bool = False, double: bool = False, invert: bool = False
) -> None:
    """Text in lines that fit; a line with a sign beyond the code page is drawn."""
    shown = printable(text).replace(MAY_BREAK, "").translate(PLAIN)
    printer.set(
        align=align, bold=bold, double_width=double, double_height=double, invert=invert, normal_textsize=not double
    )
    for line in textwrap.wrap(shown, COLUMNS // 2 if double else COLUMNS) or [""]:
        if _speakable(line):
            # Past the library's own choice of a code page, which would change it for each sign.
            printer._raw(line.encode(CODE_PAGE) + b"\n")
        else:
            printer.image(_drawn(line, align, bold or invert, double), impl="bitImageRaster")


def _speakable(line: str) -> bool:
    try:
        line.encode(CODE_PAGE)
    except UnicodeEncodeError:
        return False
    return True


def _drawn(line: str, align: str, bold: bool, large: bool) -> Image.Image:
    paper = {"text": line, "side": align, "bold": bold, "large": large}
    return Image.open(io.BytesIO(picture("line", paper, DOTS_PER_INCH))).convert("L").point(_dark).convert("1")


def _dark(shade: int) -> int:
    return 0 if shade < 128 else 255


def _qr_picture(text: str) -> Image.Image:
    rows = qr_dots(text)
    drawn = Image.new("1", (len(rows[0]), len(rows)), 1)
    for down, row in enumerate(rows):
        for across, dark in enumerate(row):
            if dark:
                drawn.putpixel((across, down), 0)
    return drawn.resize((drawn.width * QR_DOTS, drawn.height * QR_DOTS), Image.Resampling.NEAREST)
