"""What a level's fund is worth to one bet on it (T-Rules 36.1, 36.2; D-3, D-6).

A share by money is stake × fund ÷ winning stakes. Where every bet has one price it is at once the share by number: the
price cancels out of fund × price ÷ (bets × price). So one arithmetic serves games of both kinds.
"""

from fractions import Fraction

from tote.rules.pool import LevelDivision
from tote.rules.winners import LevelWinners


def divide_level(fund: Fraction, winners: LevelWinners) -> LevelDivision:
    """The level with its coefficient: its fund over the stakes that won, exact; None where nobody won."""
    coefficient = fund / winners.stake if winners.stake else None
    return LevelDivision(winners.bets, winners.stake, fund, coefficient)


def share_of(stake: int, coefficient: Fraction) -> int:
    """The win of one bet in minor units: stake × coefficient, cut to the minor unit so that equal bets win equally."""
    # Whole numbers instead of a Fraction for each of many bets; the quotient of integers is cut just as exactly.
    return stake * coefficient.numerator // coefficient.denominator


def raised(coefficient: Fraction, minimum: Fraction | None) -> Fraction:
    """The coefficient that is paid: the pool's own, or the organizer's announced minimum if that is higher (D-6)."""
    return coefficient if minimum is None else max(coefficient, minimum)
