"""Games that are won by the full match: outcome codes, true outcomes, and who matched (T-Rules 2, 22.1; D-22)."""

from collections.abc import Callable

from tote.rules.refusal import RuleError

LONGEST_CODE = 64
THE_LEVEL = 0
"""The one level of a game without positions."""


def outcome_code(told: object, field: str = "outcome") -> str:
    """The code of an outcome as announced (T-Rules 24); `RuleError` `invalid_outcome` for what can be no code."""
    if isinstance(told, str) and 0 < len(told) <= LONGEST_CODE and told.isprintable() and told == told.strip():
        return told
    raise RuleError("invalid_outcome", field, f"An outcome is a code of 1 to {LONGEST_CODE} printable characters.")


def true_outcomes(told: object, field: str = "result") -> frozenset[str]:
    """The outcomes the protocol names: one code, or a list of several that are true alike (D-22).

    Raises `RuleError`: `invalid_result` for an empty or repeating list, `invalid_outcome`.
    """
    if not isinstance(told, list):
        return frozenset((outcome_code(told, field),))
    codes = frozenset(outcome_code(code, f"{field}[{place}]") for place, code in enumerate(told))
    if not codes or len(codes) < len(told):
        raise RuleError("invalid_result", field, "A result names at least one outcome, each of them once.")
    return codes


def judge_of_full_match(true: frozenset[str]) -> Callable[[str], int | None]:
    """What tells the level a bet reached: the one level on any of the true outcomes, None on every other (D-22)."""
    return lambda outcome: THE_LEVEL if outcome in true else None
