"""QR codes: the same squares on paper, on a screen, and as dots of a printer."""

from __future__ import annotations

import io

import segno


def qr_svg(text: str) -> str:
    """The code as a drawing of any size; a fifth of it may be unreadable (level Q)."""
    written = io.BytesIO()
    _qr(text).save(written, kind="svg", border=4, xmldecl=False, svgns=True)
    return written.getvalue().decode("utf-8")


def qr_dots(text: str) -> list[list[bool]]:
    """The code as rows of dark and light squares, its quiet zone included."""
    return [[bool(dark) for dark in row] for row in _qr(text).matrix_iter(border=4)]


def _qr(text: str) -> segno.QRCode:
    return segno.make(text, error="q", boost_error=False, micro=False)
