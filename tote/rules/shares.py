"""What a level's fund is worth to one bet on it (T-Rules 11, 36; D-3, D-4, D-6, D-7).

A share by money is stake × fund ÷ winning stakes. Where every bet has one price it is at once the share by number: the
price cancels out of fund × price ÷ (bets × price). So one arithmetic serves games of both kinds.
"""

from collections.abc import Sequence
from fractions import Fraction

from tote.rules.levels import EmptyLevel
from tote.rules.pool import LevelDivision, PoolTerms
from tote.rules.winners import LevelWinners


def level_funds(terms: PoolTerms, shared: int, winners: Sequence[LevelWinners]) -> list[Fraction]:
    """What each level has of the money that is shared, in minor units, exact; together no more than it.

    Under `other_levels` the levels that somebody reached take the rest in proportion to their own shares; where these
    are all nothing, what the others were announced to have stays theirs, and goes to the jackpot (D-7).
    """
    shares = [level.share for level in terms.levels]
    reached = sum((share for share, won in zip(shares, winners, strict=True) if won.bets), Fraction(0))
    if terms.empty_level == EmptyLevel.OTHER_LEVELS and reached:
        return [
            shared * share / reached if won.bets else Fraction(0) for share, won in zip(shares, winners, strict=True)
        ]
    return [shared * share for share in shares]


def divide_level(fund: Fraction, winners: LevelWinners) -> LevelDivision:
    """The level with its coefficient: its fund over the stakes that won, exact; None where nobody won."""
    coefficient = fund / winners.stake if winners.stake else None
    return LevelDivision(winners.bets, winners.stake, fund, coefficient)


def share_of(stake: int, coefficient: Fraction) -> int:
    """The win of one bet in minor units: stake × coefficient, cut to the minor unit so that equal bets win equally."""
    # Whole numbers instead of a Fraction for each of many bets; the quotient of integers is cut just as exactly.
    return stake * coefficient.numerator // coefficient.denominator


def earned_of(stake: int, coefficient: Fraction, terms: PoolTerms) -> int:
    """What the fund gives a bet, in minor units: its share, up to the announced cap (D-3, D-4)."""
    share = share_of(stake, coefficient)
    return share if terms.maximum_win is None else min(share, terms.maximum_win)


def paid_of(stake: int, earned: int, terms: PoolTerms) -> int:
    """What a bet is paid, in minor units: what it earned, or what the organizer promised at least (D-4, D-6)."""
    by_coefficient = 0 if terms.minimum_coefficient is None else share_of(stake, terms.minimum_coefficient)
    return max(earned, by_coefficient, terms.minimum_win or 0)


def raised(coefficient: Fraction, minimum: Fraction | None) -> Fraction:
    """The coefficient that is paid: the pool's own, or the organizer's announced minimum if that is higher (D-6)."""
    return coefficient if minimum is None else max(coefficient, minimum)
