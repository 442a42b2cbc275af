"""JSON read as strictly as money needs it: UTF-8, each name once, numbers that exist, text that can be kept."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any


def read(body: bytes) -> Any:
    """What the body says.

    Raises:
        ValueError: it is no JSON; an object names a thing twice; a number is no number or too large; a text holds half
            of a surrogate pair, which no answer could repeat; it is nested too deeply.
    """
    try:
        text = body.decode("utf-8")
        told = json.loads(text, object_pairs_hook=_each_once, parse_constant=_no_constant, parse_float=_finite)
        # Only an escape can bring half a pair into decoded text, so a body without such escapes is not looked through.
        if "\\ud" in text.lower():
            json.dumps(told, ensure_ascii=False).encode("utf-8")
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except UnicodeError:
        raise ValueError("the text is not valid Unicode in UTF-8") from None
    return told


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    told = dict(pairs)
    if len(told) < len(pairs):
        raise ValueError("a name stands twice in one object")
    return told


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise ValueError("a number is too large")
    return number
