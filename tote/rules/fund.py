"""How a pool is parted between its bettors and the organizer (T-Rules 4, 23; T-Prov 12)."""

from fractions import Fraction

from ledger.money import ceil_units
from tote.rules.pool import Groups


def pool_total(groups: Groups) -> int:
    """The sum of all stakes of the pool, in minor units."""
    return sum(group.stake * group.count for group in groups)


def prize_fund(pool: int, percent: Fraction) -> int:
    """The part of the pool that is for prizes, in minor units.

    Rounded up, so that it is never under the percent the law names (D-3); the withdrawal is whatever remains.
    """
    return ceil_units(pool * percent / 100)
