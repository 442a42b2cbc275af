"""JSON read as strictly as money needs it: UTF-8, each name once, numbers that exist, text that can be kept."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any

DEEPEST = 32
"""How many lists and objects may stand within one another; no request of ours comes near it."""
MOST_DIGITS = 40
TOO_LARGE = "число слишком велико"
TOO_DEEP = f"вложенность больше {DEEPEST}"


def read(body: bytes) -> Any:
    """What the body says.

    Raises:
        ValueError: it is no JSON; an object names a thing twice; a number is no number or too large; a text holds half
            of a surrogate pair, which no answer could repeat; it is nested deeper than ``DEEPEST``. The reason is
            told in Russian, for the people who send requests.
    """
    try:
        text = body.decode("utf-8")
        told = json.loads(
            text, object_pairs_hook=_each_once, parse_constant=_no_constant, parse_float=_finite, parse_int=_whole
        )
        # Only an escape can bring half a pair into decoded text, so a body without such escapes is not looked through.
        if "\\ud" in text.lower():
            json.dumps(told, ensure_ascii=False).encode("utf-8")
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    except UnicodeError:
        raise ValueError("текст не в кодировке UTF-8") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"это не JSON, строка {error.lineno}, знак {error.colno}") from None
    if text.count("[") + text.count("{") > DEEPEST:
        _refuse_depth(told)
    return told


def _refuse_depth(told: Any) -> None:
    level = [told]
    for _ in range(DEEPEST):
        within = (part.values() if isinstance(part, dict) else part for part in level)
        level = [part for parts in within for part in parts if isinstance(part, dict | list)]
        if not level:
            return
    raise ValueError(TOO_DEEP)


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    told = dict(pairs)
    if len(told) < len(pairs):
        raise ValueError("имя стоит в объекте дважды")
    return told


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} в JSON не бывает")


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise ValueError(TOO_LARGE)
    return number


def _whole(digits: str) -> int:
    # Python reads at most 4300 digits, slowly, and no number of ours has as many as these.
    if len(digits) > MOST_DIGITS:
        raise ValueError(TOO_LARGE)
    return int(digits)
