"""Which calculators there are: one name in a case, one pure function that answers it (CALCULATORS)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tote.calculator import calculate as tote

CALCULATORS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {"tote": tote}


def answer(case: object) -> dict[str, Any]:
    """The answer to one case; a case that breaks a rule is answered by its ``error``."""
    if not isinstance(case, dict):
        return _error(None, "not_an_object", None, "A case is a JSON object.")
    name = case.get("calculator")
    calculator = CALCULATORS.get(name) if isinstance(name, str) else None
    if calculator is None:
        known = ", ".join(sorted(CALCULATORS))
        return _error(case.get("id"), "unknown_calculator", "calculator", f"Unknown calculator; known: {known}.")
    return calculator(case)


def _error(case_id: object, code: str, field: str | None, message: str) -> dict[str, Any]:
    named = {} if case_id is None else {"id": case_id}
    return {**named, "error": {"code": code, "field": field, "message": message}}
