"""A form of a page or two: its heading, what it states in pairs and small tables, and lines to be signed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from documents.csv import Cell
from documents.table import Column, Heading, text_of
from documents.typesetting import typeset


@dataclass(frozen=True)
class Section:
    """The title of what follows."""

    text: str


@dataclass(frozen=True)
class Pairs:
    """Names and their values, one below the other; an empty value is shown as a dash."""

    pairs: Sequence[tuple[str, Cell]]


@dataclass(frozen=True)
class Grid:
    """A small table; ``totals`` has a cell for each column."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    totals: Sequence[Cell] | None = None


@dataclass(frozen=True)
class Words:
    """A sentence or two."""

    text: str


@dataclass(frozen=True)
class Signatures:
    """Lines to be signed: as what, and by whom if that is known."""

    lines: Sequence[tuple[str, str]]


Part = Section | Pairs | Grid | Words | Signatures


@dataclass(frozen=True)
class Form:
    """A form: the heading of all documents, and its parts from the top."""

    heading: Heading
    parts: Sequence[Part]


def form_pdf(form: Form) -> bytes:
    """The form as PDF on A4; the same form gives the same bytes."""
    heading = form.heading
    paper = {
        "head": {"title": heading.title, "lines": heading.lines()},
        "foot": f"{heading.operator} · {heading.title}",
        "parts": [_told(part) for part in form.parts],
    }
    return typeset("form", paper, heading.made_at)


def _told(part: Part) -> dict[str, Any]:
    kind = type(part).__name__.lower()
    match part:
        case Pairs(pairs):
            return {"kind": kind, "pairs": [(name, text_of(value) or "—") for name, value in pairs]}
        case Grid(columns, rows, totals):
            return {
                "kind": kind,
                "columns": [column.told for column in columns],
                "rows": [[text_of(cell) for cell in row] for row in rows],
                "totals": None if totals is None else [text_of(cell) for cell in totals],
            }
        case Signatures(lines):
            return {"kind": kind, "lines": list(lines)}
        case _:
            return {"kind": kind, "text": part.text}
