"""Setting a paper with typst: a template of ours, and data that goes in as data and never as markup (FIELD-FAULTS 120).

Everything is found inside the installation: templates here, fonts in the typesetter's package, none of the machine's.
"""

from __future__ import annotations

import json
from datetime import datetime
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import typst

from documents.glyphs import printable

TEMPLATES = Path(__file__).parent / "templates"
REMEMBERED = 11
"""Papers set after one until the typesetter has forgotten it."""


def typeset(template: str, paper: dict[str, Any], made_at: datetime) -> bytes:
    """The paper as PDF; the same data and the same instant give the same bytes."""
    inputs = {"paper": json.dumps(_printable(paper), ensure_ascii=False)}
    place = TEMPLATES / f"{template}.typ"
    set_ = typst.compile(
        place, root=TEMPLATES, font_paths=fonts(), sys_inputs=inputs, timestamp=int(made_at.timestamp())
    )
    assert isinstance(set_, bytes), "a PDF is one file, however many pages it has"
    return set_


def picture(template: str, paper: dict[str, Any], dots_per_inch: float) -> bytes:
    """The paper's only page as PNG."""
    inputs = {"paper": json.dumps(_printable(paper), ensure_ascii=False)}
    place = TEMPLATES / f"{template}.typ"
    drawn = typst.compile(place, root=TEMPLATES, font_paths=fonts(), sys_inputs=inputs, format="png", ppi=dots_per_inch)
    assert isinstance(drawn, bytes), "a roll is one page"
    return drawn


def forget() -> None:
    """Let go what the typesetter remembers of earlier papers: it keeps the last ten whole, 80 MB a thousand rows."""
    for number in range(REMEMBERED):
        typst.compile(b'#sys.inputs.at("n")', font_paths=fonts(), sys_inputs={"n": f"{next(FORGOTTEN)}.{number}"})


FORGOTTEN = count()


@cache
def fonts() -> typst.Fonts:
    """The fonts inside the typesetter's package, and no other."""
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=True)


def _printable(value: Any) -> Any:
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, dict):
        return {name: told if name == "picture" else _printable(told) for name, told in value.items()}
    return [_printable(each) for each in value] if isinstance(value, (list, tuple)) else value
