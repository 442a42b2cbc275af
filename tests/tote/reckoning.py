"""A second reckoning of a pool, bet by bet, by another way than the rules: what it says is held against theirs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from decimal import ROUND_CEILING, Decimal


def greatest_win(stake: int, fund: int, winning_stake: int) -> int:
    """The largest win that bears the same relation to the stake as the fund to all winning stakes, by halving."""
    low, high = 0, fund + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle * winning_stake <= stake * fund else (low, middle)
    return low


def reckoned_by_bet(
    bets: Sequence[tuple[str, int]], result: Collection[str], jackpot_in: int, minimum: Decimal
) -> tuple[list[int], int, int]:
    """Wins, what goes to the jackpot and what the organizer pays: one bet at a time, in Decimals and whole numbers."""
    won = [outcome in result for outcome, _ in bets]
    if bets and all(won):
        tenths = [int((Decimal(stake) / 10).to_integral_value(ROUND_CEILING)) for _, stake in bets]
        return [stake + tenth for (_, stake), tenth in zip(bets, tenths, strict=True)], jackpot_in, sum(tenths)
    fund = int((Decimal(sum(stake for _, stake in bets)) * Decimal("0.60")).to_integral_value(ROUND_CEILING))
    winning_stake = sum(stake for (_, stake), happened in zip(bets, won, strict=True) if happened)
    left, extra, wins = fund + jackpot_in, 0, []
    for (_, stake), happened in zip(bets, won, strict=True):
        earned = greatest_win(stake, fund + jackpot_in, winning_stake) if happened else 0
        promised = int(Decimal(stake) * minimum) if happened else 0
        wins.append(max(earned, promised))
        left -= earned
        extra += wins[-1] - earned
    return wins, left, extra
