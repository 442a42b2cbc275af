"""The two ways a bet of the rulebook is won: by the full match alone, or by levels of matching positions."""

from collections.abc import Callable

from tote.rules.full_match import judge_of_full_match, outcome_code, true_outcomes
from tote.rules.pool import PoolTerms
from tote.rules.positions import Marks, PositionResults, judge_of_positions, marks, position_results


class FullMatch:
    """A game whose bet names one outcome and wins if that is true (T-Rules 2, 22.1)."""

    by_positions = False
    outcome_field = "outcome"

    def outcome(self, told: object, field: str = "outcome") -> str:
        return outcome_code(told, field)

    def result(self, told: object, field: str = "result") -> frozenset[str]:
        return true_outcomes(told, field)

    def judge(self, _: PoolTerms, result: frozenset[str]) -> Callable[[str], int | None]:
        """All bets on any true outcome are on the one level (D-22)."""
        return judge_of_full_match(result)


class Positions:
    """A game whose bet marks every position and wins by how many of them match (T-Rules 3, 22.2)."""

    by_positions = True
    outcome_field = "marks"

    def outcome(self, told: object, field: str = "marks") -> Marks:
        return marks(told, field)

    def result(self, told: object, field: str = "result") -> PositionResults:
        return position_results(told, field)

    def judge(self, terms: PoolTerms, result: PositionResults) -> Callable[[Marks], int | None]:
        """A bet is on the level whose range holds its percent of match, or on none."""
        return judge_of_positions(terms.levels, result)
