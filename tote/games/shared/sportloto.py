"""What both games of Sportloto have in common: one price, 70 percent or more for prizes, twelve weeks to be paid."""

from datetime import datetime, tzinfo
from fractions import Fraction

from tote.rules.levels import WHOLE_FUND, Level
from tote.rules.payment_term import PaymentTerm, sportloto_payment_term
from tote.rules.pool import AnnouncedTerms, PoolTerms
from tote.rules.refusal import RuleError

LEAST_PERCENT = Fraction(70)
"""The least part of a Sportloto pool that is for prizes; how much of it is the organizer's to announce (T-Rules 4)."""
TERMS = frozenset({"price", "fund_percent", "minimum_win", "maximum_win"})


class Sportloto:
    """A game of this family."""

    family = "sportloto"
    family_title = "Спортлото"
    payment_words = "Выигрыш выдаётся со следующего дня двенадцать недель после определения результатов."

    def payment_term(self, determined_at: datetime, zone: tzinfo) -> PaymentTerm:
        return sportloto_payment_term(determined_at, zone)


def sportloto_terms(announced: AnnouncedTerms, levels: tuple[Level, ...] = WHOLE_FUND) -> PoolTerms:
    """The terms of a pool (T-Rules 4 to 6, D-4).

    Raises `RuleError`: `missing_field`, `not_positive`, `fund_percent_out_of_range`, `minimum_over_maximum`.
    """
    price, percent = announced.price, announced.fund_percent
    if price is None:
        raise RuleError("missing_field", "price", "A Sportloto pool has one price of a bet.")
    if percent is None:
        raise RuleError("missing_field", "fund_percent", "A Sportloto pool says how much of it is for prizes.")
    if not price:
        raise RuleError("not_positive", "price", "A price is more than nothing.")
    if not LEAST_PERCENT <= percent <= 100:
        raise RuleError("fund_percent_out_of_range", "fund_percent", "From 70 to 100 percent are for prizes.")
    _refuse_crossed_limits(announced.minimum_win, announced.maximum_win)
    return PoolTerms(
        percent,
        jackpot_in=announced.jackpot_in,
        levels=levels,
        price=price,
        minimum_win=announced.minimum_win,
        maximum_win=announced.maximum_win,
    )


def _refuse_crossed_limits(least: int | None, most: int | None) -> None:
    if most == 0:
        raise RuleError("not_positive", "maximum_win", "A cap of nothing would let nobody win.")
    if least is not None and most is not None and least > most:
        raise RuleError("minimum_over_maximum", "minimum_win", "The least win is over the greatest.")
