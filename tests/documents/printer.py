"""A receipt printer as tests read it: what it would print of the bytes that are sent to it, by the ESC/POS reference.

Written from the manual's list of commands and not from the library that made the bytes. A byte it does not know fails.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from PIL import Image

WITH_ONE = {b"\x1bt", b"\x1b!", b"\x1bE", b"\x1ba", b"\x1dB", b"\x1dV", b"\x1bd", b"\x1b-", b"\x1bM", b"\x1d!"}
"""Commands with one byte behind them: code page, mode, bold, side, reverse, cut, feed, underline, font, size."""


@dataclass
class Printout:
    """What came out: text line by line, pictures in their order, the code page, how often it was cut."""

    text: str = ""
    pictures: list[Image.Image] = field(default_factory=list)
    code_page: int = 0
    cuts: int = 0


def printed(sent: bytes) -> Printout:
    """What a printer makes of these bytes."""
    out, line, at = Printout(), bytearray(), 0
    while at < len(sent):
        command = sent[at : at + 2]
        if sent[at] >= 0x20:
            line.append(sent[at])
            at += 1
        elif sent[at] == 0x0A:
            assert out.code_page == 17, "text before the code page was chosen"
            out.text += line.decode("cp866") + "\n"
            line.clear()
            at += 1
        elif command == b"\x1b@":
            at += 2
        elif sent[at : at + 4] == b"\x1dv0\x00":
            at = _raster(sent, at + 4, out)
        elif command in WITH_ONE:
            out.code_page = sent[at + 2] if command == b"\x1bt" else out.code_page
            out.cuts += command == b"\x1dV"
            at += 3
        else:
            raise AssertionError(f"unknown command {sent[at : at + 4]!r}")
    assert not line, "text without an end of line"
    return out


def _raster(sent: bytes, at: int, out: Printout) -> int:
    """A picture: its width in bytes and height in dots, two bytes each, then the dots, 1 for black."""
    across, down = int.from_bytes(sent[at : at + 2], "little"), int.from_bytes(sent[at + 2 : at + 4], "little")
    end = at + 4 + across * down
    dots = bytes(255 - each for each in sent[at + 4 : end])
    out.pictures.append(Image.frombytes("1", (across * 8, down), dots))
    return end
