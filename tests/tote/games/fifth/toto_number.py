"""Toto-Number: any stake on a number, which wins if it is the true one or next to it; 65 percent, thirty days.

No game of the rulebook: it is to show what a game of its own family, fund, term and way of winning needs.
"""

from collections.abc import Callable
from datetime import datetime, timedelta, tzinfo
from fractions import Fraction

from tote.rules.payment_term import DAY, PaymentTerm, local_day, paid_between
from tote.rules.pool import AnnouncedTerms, PoolTerms
from tote.rules.refusal import RuleError

FUND_PERCENT = Fraction(65)
TERM = timedelta(days=30)
NEAR = 1
"""How far from the true number a winning one may be."""
LONGEST = 9
"""Digits of a number."""


class TotoNumber:
    """The game as the register knows it."""

    code = "toto_number"
    title = "Тото-Число"
    family = "numbers"
    family_title = "Числа"
    payment_words = "Выигрыш выдаётся тридцать дней, считая со следующего дня после расчёта пула."
    by_positions = False
    terms_fields = frozenset[str]()
    bet_fields = frozenset({"outcome", "stake", "count"})
    outcome_field = "outcome"

    def terms(self, announced: AnnouncedTerms) -> PoolTerms:
        return PoolTerms(FUND_PERCENT, jackpot_in=announced.jackpot_in)

    def outcome(self, told: object, field: str = "outcome") -> int:
        if isinstance(told, str) and told.isascii() and told.isdigit() and len(told) <= LONGEST:
            return int(told)
        raise RuleError("invalid_outcome", field, f"An outcome is a whole number of at most {LONGEST} digits.")

    def result(self, told: object, field: str = "result") -> frozenset[int]:
        return frozenset(self.outcome(number, field) for number in (told if isinstance(told, list) else [told]))

    def judge(self, _: PoolTerms, result: frozenset[int]) -> Callable[[int], int | None]:
        return lambda number: 0 if any(abs(number - true) <= NEAR for true in result) else None

    def payment_term(self, determined_at: datetime, zone: tzinfo) -> PaymentTerm:
        first_day = local_day(determined_at, zone) + DAY
        return paid_between(first_day, first_day + TERM - DAY, zone)


GAME = TotoNumber()
