"""What a coefficient would be if the game were summed up now: provisional until it is (T-Rules 36.1).

The figures are those of the division itself, as the game judges, asked once an outcome.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from tote.games.register import AnyGame, game
from tote.models import Pool
from tote.pools import frozen_terms
from tote.rules.division import divide
from tote.rules.pool import BetGroup, PoolTerms
from tote.rules.shares import earned_of, paid_of, raised
from tote.totals import PoolTotals


@dataclass(frozen=True)
class Prospect:
    """What a unit staked on an outcome brings if it alone comes true: exact; None while nobody has staked on it.

    Where every bet has one price, ``win`` tells instead what one bet is paid, in minor units (T-Rules 11.2).
    ``raised``: the pool's own is lower, and the organizer's announced minimum is paid (D-4, D-6). Where all stakes are
    on the one outcome it would be a minus pool, which has neither: each stake and a tenth of it is paid (T-Prov 16,
    D-5).
    """

    coefficient: Fraction | None = None
    raised: bool = False
    minus_pool: bool = False
    win: int | None = None


def brought(own: Fraction, terms: PoolTerms) -> Prospect:
    """What the coefficient that the fund gives comes to under the terms of the pool, its caps and promises."""
    if terms.price is None:
        paid = raised(own, terms.minimum_coefficient)
        return Prospect(paid, raised=paid > own)
    earned = earned_of(terms.price, own, terms)
    win = paid_of(terms.price, earned, terms)
    return Prospect(raised=win > earned, win=win)


def prospects(pool: Pool, totals: PoolTotals) -> tuple[Prospect, ...]:
    """The prospects of a pool's outcomes, in their order; of several true ones (D-22) nothing is foretold.

    Nor of positions: there are too many ways for them to come true. What one of these would bring is asked for by
    itself (:func:`tote.level_shares.supposed`).
    """
    if pool.positions is not None:
        return tuple(Prospect() for _ in totals.outcomes)
    return _prospects(pool.game, frozen_terms(pool), totals)


# Asked every second for each pool that somebody follows, and alike until somebody bets.
@lru_cache(maxsize=256)
def _prospects(code: str, terms: PoolTerms, totals: PoolTotals) -> tuple[Prospect, ...]:
    kind = game(code)
    staked = {outcome.code: outcome.stakes for outcome in totals.outcomes if outcome.stakes}
    return tuple(
        _prospect(terms, _by_level(kind, terms, outcome.code, staked)) if outcome.stakes else Prospect()
        for outcome in totals.outcomes
    )


def _by_level(kind: AnyGame, terms: PoolTerms, code: str, staked: Mapping[str, int]) -> list[BetGroup[int | None]]:
    """The pool if this outcome came true: a bet for each level that some outcome would reach, and one for what is lost.

    A coefficient depends on sums alone, so that stakes need not be told apart.
    """
    judge = kind.judge(terms, kind.result(code))
    sums: Counter[int | None] = Counter()
    for outcome, stakes in staked.items():
        sums[judge(kind.outcome(outcome))] += stakes
    return [BetGroup(level, stakes) for level, stakes in sums.items()]


def _prospect(terms: PoolTerms, groups: list[BetGroup[int | None]]) -> Prospect:
    division = divide(terms, groups, [group.outcome for group in groups])
    if division.minus_pool:
        return Prospect(minus_pool=True)
    (level,) = division.levels
    return Prospect() if level.coefficient is None else brought(level.coefficient, terms)
