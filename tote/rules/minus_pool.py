"""The minus pool: every bet of the pool won, and nothing was lost that could pay them (T-Prov 5, 16; D-5)."""

from collections.abc import Sequence
from fractions import Fraction

from ledger.money import ceil_units
from tote.rules.pool import Groups, GroupWin, LevelDivision, PoolDivision, PoolTerms
from tote.rules.winners import LevelWinners

BONUS = Fraction(1, 10)
"""What the organizer adds to each stake, as a part of it (T-Prov 16)."""


def is_minus_pool(levels: Sequence[int | None]) -> bool:
    """Whether every bet reached some level; a pool without bets is no minus pool."""
    return bool(levels) and None not in levels


def divide_minus_pool(terms: PoolTerms, groups: Groups, pool: int, winners: Sequence[LevelWinners]) -> PoolDivision:
    """Each bet gets its stake back and a tenth of it on top, rounded up, whatever its level (D-5).

    There is no withdrawal and no fund; jackpot money attached to the pool goes back; the organizer pays the tenths.
    """
    wins = tuple(GroupWin(win=ceil_units(group.stake * BONUS), returned_stake=group.stake) for group in groups)
    return PoolDivision(
        pool=pool,
        withdrawal=0,
        fund=0,
        minus_pool=True,
        to_jackpot=terms.jackpot_in,
        from_organizer=sum(group.count * win.win for group, win in zip(groups, wins, strict=True)),
        levels=tuple(LevelDivision(level.bets, level.stake, Fraction(0), None) for level in winners),
        wins=wins,
    )
