"""Games of positions: a mark a position, what came of each, and how far a bet matches (T-Rules 3, 11.3, 22.2, 36.2)."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from tote.rules.full_match import outcome_code
from tote.rules.levels import Level, levels_by_matches
from tote.rules.refusal import RuleError

MOST_POSITIONS = 100
Marks: TypeAlias = tuple[str, ...]
"""The code a bet names for each position, in their order."""
PositionResults: TypeAlias = tuple[str | None, ...]
"""The code that came true in each position; None where it was not held and leaves the base (D-22)."""


def marks(told: object, field: str = "marks") -> Marks:
    """One code a position; `RuleError` `invalid_marks`, `invalid_outcome`."""
    return tuple(outcome_code(code, f"{field}[{place}]") for place, code in enumerate(_listed(told, field, "marks")))


def position_results(told: object, field: str = "result") -> PositionResults:
    """What the protocol says of each position.

    Raises `RuleError`: `invalid_result`, also where no position was held: then the event was not (T-Rules 32);
    `invalid_outcome`.
    """
    results = tuple(
        None if code is None else outcome_code(code, f"{field}[{place}]")
        for place, code in enumerate(_listed(told, field, "result"))
    )
    if not any(results):
        raise RuleError("invalid_result", field, "A result names what came true in at least one position.")
    return results


def judge_of_positions(levels: Sequence[Level], result: PositionResults) -> Callable[[Marks], int | None]:
    """What tells the level a bet reached: its matches out of the positions that were held (T-Rules 11.3, 36.2).

    The judge raises `RuleError` `wrong_number_of_marks` for a bet that does not tell every position.
    """
    table = levels_by_matches(levels, len(result) - result.count(None))

    def level_reached(marks: Marks) -> int | None:
        if len(marks) != len(result):
            said = f"The pool has {len(result)} positions, the bet marks {len(marks)}."
            raise RuleError("wrong_number_of_marks", "marks", said)
        # No mark is None, so that a position that was not held matches nobody.
        return table[sum(mark == true for mark, true in zip(marks, result, strict=True))]

    return level_reached


def _listed(told: object, field: str, what: str) -> list[object]:
    if isinstance(told, list) and 0 < len(told) <= MOST_POSITIONS:
        return told
    raise RuleError(f"invalid_{what}", field, f"Expected a list of 1 to {MOST_POSITIONS} codes, one a position.")
