"""What tests ask of a paper: its text, its pages, what a decoder reads in its picture."""

from __future__ import annotations

import io
from typing import Any

import pypdfium2
import zxingcpp
from PIL import Image
from pypdf import PdfReader

from documents.glyphs import MAY_BREAK


def pages_of(pdf: bytes) -> list[str]:
    """The text of each page, in one line: where a line of the paper ends is nobody's business."""
    return [told(page.extract_text()) for page in PdfReader(io.BytesIO(pdf)).pages]


def text_of(pdf: bytes) -> str:
    """The text of all pages."""
    return " ".join(pages_of(pdf))


def told(text: str) -> str:
    """A text without the ends of its lines."""
    return " ".join(text.replace(MAY_BREAK + "\n", "").replace(MAY_BREAK, "").split())


def fonts_of(pdf: bytes) -> set[str]:
    """The names of the fonts inside the file, each with its glyphs: a font that is only named is none."""
    found = set()
    for page in PdfReader(io.BytesIO(pdf)).pages:
        for font in page["/Resources"]["/Font"].values():
            inner = font.get_object()["/DescendantFonts"][0].get_object()
            described: dict[str, Any] = inner["/FontDescriptor"].get_object()
            assert "/FontFile2" in described or "/FontFile3" in described, "the font is not in the file"
            found.add(inner["/BaseFont"].partition("+")[2])
    return found


def picture_of(pdf: bytes, page: int = 0) -> Image.Image:
    """A page as one sees it, at 216 dots to the inch."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return document[page].render(scale=3).to_pil()
    finally:
        document.close()


def scanned(picture: Image.Image) -> list[str]:
    """What a scanner reads."""
    return [found.text for found in zxingcpp.read_barcodes(picture.convert("L"))]
