"""A pool whose event was not held or was interrupted: the stakes go back as they were laid (T-Rules 32)."""

from fractions import Fraction

from tote.rules.fund import pool_total
from tote.rules.pool import Groups, GroupWin, LevelDivision, PoolDivision, PoolTerms

NOBODY = LevelDivision(winning_bets=0, winning_stake=0, fund=Fraction(0), coefficient=None)


def divide_returned(terms: PoolTerms, groups: Groups) -> PoolDivision:
    """Every bet of these groups gets its stake back and nothing beside it, whatever it named.

    There is no withdrawal and no fund, so that the whole pool is there to be returned; jackpot money attached to it
    goes back.
    """
    return PoolDivision(
        pool=pool_total(groups),
        withdrawal=0,
        fund=0,
        minus_pool=False,
        to_jackpot=terms.jackpot_in,
        from_organizer=0,
        levels=tuple(NOBODY for _ in terms.levels),
        wins=tuple(GroupWin(returned_stake=group.stake) for group in groups),
        returned=True,
    )
