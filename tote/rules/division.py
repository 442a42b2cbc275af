"""The division of a pool: the one place where a settlement's figures come from."""

from collections.abc import Sequence
from fractions import Fraction

from tote.rules.fund import pool_total, prize_fund
from tote.rules.minus_pool import divide_minus_pool, is_minus_pool
from tote.rules.pool import BetGroup, GroupWin, LevelDivision, PoolDivision, PoolTerms
from tote.rules.shares import divide_level, raised, share_of
from tote.rules.winners import LevelWinners, winners_by_level

LOST = GroupWin()


def divide(terms: PoolTerms, groups: Sequence[BetGroup], levels: Sequence[int | None]) -> PoolDivision:
    """Divide the pool of these groups, each of which reached the level named beside it, or none (T-Rules 36).

    Returned and cancelled bets are left out by the caller: they were never in the pool (D-18). For every pool but a
    minus pool `fund + jackpot_in + from_organizer` is the sum of all wins and `to_jackpot`; in a minus pool
    `pool + from_organizer` is the sum of all that is due.
    """
    pool = pool_total(groups)
    winners = winners_by_level(groups, levels, len(terms.level_shares))
    if is_minus_pool(levels):
        return divide_minus_pool(terms, groups, pool, winners)
    return _divide_fund(terms, groups, levels, pool, winners)


def _divide_fund(
    terms: PoolTerms,
    groups: Sequence[BetGroup],
    levels: Sequence[int | None],
    pool: int,
    winners: Sequence[LevelWinners],
) -> PoolDivision:
    fund = prize_fund(pool, terms.fund_percent)
    shared = fund + terms.jackpot_in
    divided = tuple(divide_level(shared * share, won) for share, won in zip(terms.level_shares, winners, strict=True))
    earned = _wins(groups, levels, divided, None)
    paid = _wins(groups, levels, divided, terms.minimum_coefficient) if terms.minimum_coefficient else earned
    from_fund = _total(groups, earned)
    return PoolDivision(
        pool=pool,
        withdrawal=pool - fund,
        fund=fund,
        minus_pool=False,
        # The residue of cutting each win to the minor unit is jackpot money, like a fund nobody won (D-3).
        to_jackpot=shared - from_fund,
        from_organizer=_total(groups, paid) - from_fund,
        levels=divided,
        wins=paid,
    )


def _wins(
    groups: Sequence[BetGroup],
    levels: Sequence[int | None],
    divided: Sequence[LevelDivision],
    minimum: Fraction | None,
) -> tuple[GroupWin, ...]:
    paid_at = [None if won.coefficient is None else raised(won.coefficient, minimum) for won in divided]
    return tuple(
        LOST if level is None else _win(group, paid_at[level]) for group, level in zip(groups, levels, strict=True)
    )


def _win(group: BetGroup, coefficient: Fraction | None) -> GroupWin:
    assert coefficient is not None, "a level somebody reached has winning stakes and so a coefficient"
    return GroupWin(win=share_of(group.stake, coefficient))


def _total(groups: Sequence[BetGroup], wins: Sequence[GroupWin]) -> int:
    return sum(group.count * win.win for group, win in zip(groups, wins, strict=True))
