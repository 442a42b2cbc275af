"""Who reached which level of a pool."""

from collections.abc import Sequence
from typing import NamedTuple

from tote.rules.pool import Groups


class LevelWinners(NamedTuple):
    """How many bets reached a level and the sum of their stakes, in minor units."""

    bets: int
    stake: int


def winners_by_level(groups: Groups, levels: Sequence[int | None], level_count: int) -> tuple[LevelWinners, ...]:
    """The winners of each level; `levels` names the level of each group, None where it lost."""
    bets, stakes = [0] * level_count, [0] * level_count
    for group, level in zip(groups, levels, strict=True):
        if level is not None:
            bets[level] += group.count
            stakes[level] += group.stake * group.count
    return tuple(map(LevelWinners, bets, stakes))
