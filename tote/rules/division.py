"""The division of a pool: the one place where a settlement's figures come from."""

from collections.abc import Sequence
from fractions import Fraction

from tote.rules.fund import pool_total, prize_fund
from tote.rules.minus_pool import divide_minus_pool, is_minus_pool
from tote.rules.pool import Groups, GroupWin, LevelDivision, PoolDivision, PoolTerms
from tote.rules.shares import divide_level, earned_of, level_funds, paid_of
from tote.rules.winners import LevelWinners, winners_by_level


def divide(terms: PoolTerms, groups: Groups, levels: Sequence[int | None]) -> PoolDivision:
    """Divide the pool of these groups, each of which reached the level named beside it, or none (T-Rules 11, 36).

    Returned and cancelled bets are left out by the caller: they were never in the pool (D-18). For every pool but a
    minus pool `fund + jackpot_in + from_organizer` is the sum of all wins and `to_jackpot`; in a minus pool
    `pool + from_organizer` is the sum of all that is due.
    """
    pool = pool_total(groups)
    winners = winners_by_level(groups, levels, len(terms.levels))
    if is_minus_pool(levels):
        return divide_minus_pool(terms, groups, pool, winners)
    return _divide_fund(terms, groups, levels, pool, winners)


def _divide_fund(
    terms: PoolTerms, groups: Groups, levels: Sequence[int | None], pool: int, winners: Sequence[LevelWinners]
) -> PoolDivision:
    fund = prize_fund(pool, terms.fund_percent)
    shared = fund + terms.jackpot_in
    divided = tuple(map(divide_level, level_funds(terms, shared, winners), winners))
    earned = [
        0 if level is None else earned_of(group.stake, _coefficient(divided[level]), terms)
        for group, level in zip(groups, levels, strict=True)
    ]
    paid = [
        0 if level is None else paid_of(group.stake, win, terms)
        for group, level, win in zip(groups, levels, earned, strict=True)
    ]
    from_fund = _total(groups, earned)
    return PoolDivision(
        pool=pool,
        withdrawal=pool - fund,
        fund=fund,
        minus_pool=False,
        # The residue of cutting each win to the minor unit is jackpot money, like a fund nobody won and what goes over
        # a cap (D-3, D-4).
        to_jackpot=shared - from_fund,
        from_organizer=_total(groups, paid) - from_fund,
        levels=divided,
        wins=tuple(GroupWin(win=win) for win in paid),
    )


def _coefficient(level: LevelDivision) -> Fraction:
    assert level.coefficient is not None, "a level somebody reached has winning stakes and so a coefficient"
    return level.coefficient


def _total(groups: Groups, wins: Sequence[int]) -> int:
    return sum(group.count * win for group, win in zip(groups, wins, strict=True))
