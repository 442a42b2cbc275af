"""What both games of Totolot have in common: any stake, 60 percent for prizes, three months to be paid."""

from datetime import datetime, tzinfo
from fractions import Fraction

from tote.rules.levels import WHOLE_FUND, EmptyLevel, Level
from tote.rules.payment_term import PaymentTerm, totolot_payment_term
from tote.rules.pool import AnnouncedTerms, PoolTerms
from tote.rules.refusal import RuleError

FUND_PERCENT = Fraction(60)
"""The part of every Totolot pool that is for prizes; the organizer cannot choose another (T-Rules 23)."""
TERMS = frozenset({"fund_percent", "minimum_coefficient"})


class Totolot:
    """A game of this family."""

    family = "totolot"
    family_title = "Тотолот"
    payment_words = "Выигрыш выдаётся три месяца, считая со следующего дня после подсчёта коэффициента пула."

    def payment_term(self, determined_at: datetime, zone: tzinfo) -> PaymentTerm:
        return totolot_payment_term(determined_at, zone)


def totolot_terms(
    announced: AnnouncedTerms,
    levels: tuple[Level, ...] = WHOLE_FUND,
    empty_level: EmptyLevel = EmptyLevel.JACKPOT,
) -> PoolTerms:
    """The terms of a pool; `RuleError` `fund_percent_fixed`, `minimum_coefficient_under_one` (D-2, D-6)."""
    if announced.fund_percent not in (None, FUND_PERCENT):
        raise RuleError("fund_percent_fixed", "fund_percent", "The prize fund of a Totolot pool is 60 percent.")
    minimum = announced.minimum_coefficient
    if minimum is not None and minimum < 1:
        raise RuleError("minimum_coefficient_under_one", "minimum_coefficient", "A minimum coefficient is 1 or more.")
    return PoolTerms(
        FUND_PERCENT,
        jackpot_in=announced.jackpot_in,
        minimum_coefficient=minimum,
        levels=levels,
        empty_level=empty_level,
    )
