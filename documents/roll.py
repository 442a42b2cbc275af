"""What is printed on a roll of paper, block by block from the top: once, for a PDF and for a receipt printer alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from documents.qr import qr_svg
from documents.typesetting import typeset


@dataclass(frozen=True)
class Title:
    """A line in the middle; a ``loud`` one is large."""

    text: str
    loud: bool = False


@dataclass(frozen=True)
class Banner:
    """A mark that nobody may overlook: white on black over the whole width."""

    text: str


@dataclass(frozen=True)
class Pair:
    """A name and its value; a ``loud`` value is large."""

    name: str
    value: str
    loud: bool = False


@dataclass(frozen=True)
class Code:
    """What is scanned, as QR, and below it the same in groups of letters for whoever must type it."""

    text: str
    group: int = 4

    @property
    def grouped(self) -> str:
        """The code in groups."""
        return " ".join(self.text[start : start + self.group] for start in range(0, len(self.text), self.group))


@dataclass(frozen=True)
class Note:
    """Small print."""

    text: str


@dataclass(frozen=True)
class Rule:
    """A line across."""


Block = Title | Banner | Pair | Code | Note | Rule


@dataclass(frozen=True)
class Roll:
    """A paper on a roll: its name, the instant its file carries, its blocks."""

    name: str
    made_at: datetime
    blocks: Sequence[Block]


def roll_pdf(roll: Roll) -> bytes:
    """The roll as PDF, 80 mm wide and as long as it is; the same roll gives the same bytes."""
    return typeset("roll", told_of(roll), roll.made_at)


def told_of(roll: Roll) -> dict[str, Any]:
    """What the template is told."""
    return {"name": roll.name, "blocks": [_told(block) for block in roll.blocks]}


def _told(block: Block) -> dict[str, Any]:
    told = {"kind": type(block).__name__.lower(), **vars(block)}
    return {**told, "text": block.grouped, "picture": qr_svg(block.text)} if isinstance(block, Code) else told
