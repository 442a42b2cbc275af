"""Totolot-Variant: any stake on one outcome, shared by money among the full matches (T-Rules 22.1, 36.1)."""

from collections.abc import Sequence
from datetime import datetime, tzinfo
from fractions import Fraction

from tote.rules.division import divide
from tote.rules.full_match import level_reached, outcome_code, true_outcomes
from tote.rules.payment_term import PaymentTerm, totolot_payment_term
from tote.rules.pool import AnnouncedTerms, BetGroup, PoolDivision, PoolTerms
from tote.rules.refusal import RuleError

FUND_PERCENT = Fraction(60)
"""The part of every Totolot pool that is for prizes; the organizer cannot choose another (T-Rules 23)."""


class TotolotVariant:
    """The game as the register knows it."""

    code = "totolot_variant"
    family = "totolot"
    terms_fields = frozenset({"fund_percent", "minimum_coefficient"})
    bet_fields = frozenset({"outcome", "stake", "count"})

    def terms(self, announced: AnnouncedTerms) -> PoolTerms:
        """The terms of a pool; `RuleError` `fund_percent_fixed`, `minimum_coefficient_under_one` (D-2, D-6)."""
        if announced.fund_percent not in (None, FUND_PERCENT):
            raise RuleError("fund_percent_fixed", "fund_percent", "The prize fund of a Totolot pool is 60 percent.")
        minimum = announced.minimum_coefficient
        if minimum is not None and minimum < 1:
            raise RuleError(
                "minimum_coefficient_under_one", "minimum_coefficient", "A minimum coefficient is 1 or more."
            )
        return PoolTerms(FUND_PERCENT, announced.jackpot_in, minimum)

    def outcome(self, told: object, field: str = "outcome") -> str:
        return outcome_code(told, field)

    def result(self, told: object, field: str = "result") -> frozenset[str]:
        return true_outcomes(told, field)

    def divide(self, terms: PoolTerms, groups: Sequence[BetGroup], result: frozenset[str]) -> PoolDivision:
        """The division among all bets on any true outcome (T-Rules 36.1, D-22)."""
        return divide(terms, groups, [level_reached(group.outcome, result) for group in groups])

    def payment_term(self, determined_at: datetime, zone: tzinfo) -> PaymentTerm:
        return totolot_payment_term(determined_at, zone)


TOTOLOT_VARIANT = TotolotVariant()
