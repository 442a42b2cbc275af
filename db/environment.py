"""What the environment says of this process: numbers that are numbers, and whether real money is run through it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from db.errors import SetupError

KINDS = ("production", "development")


def whole_number(variable: str, unset: int) -> int:
    """A whole number from 1 on that a variable holds.

    Raises:
        SetupError: it holds something else.
    """
    told = os.environ.get(variable) or str(unset)
    if not (told.isascii() and told.isdigit()) or int(told) < 1:
        raise SetupError(f"{variable} must be a whole number from 1 on, not {told!r}.")
    return int(told)


def refuse_all_wrong(looks: Iterable[Callable[[], object]]) -> None:
    """Look at everything before the first complaint is raised: whoever mends one should not meet the next by and by.

    Raises:
        SetupError: with what each look complained of, once, a line each.
    """
    complaints = dict.fromkeys(complaint for complaint in map(_complaint, looks) if complaint)
    if complaints:
        raise SetupError("\n".join(complaints))


def _complaint(look: Callable[[], object]) -> str | None:
    try:
        look()
    except SetupError as error:
        return str(error)
    return None


def in_production() -> bool:
    """Whether APP_ENV says so.

    Raises:
        SetupError: it is a word nobody knows; "prod" must not be taken for a workplace of one's own.
    """
    told = os.environ.get("APP_ENV") or "development"
    if told not in KINDS:
        raise SetupError(f"APP_ENV must be {' or '.join(KINDS)}, not {told!r}.")
    return told == "production"
