"""What a pool is told and what its division answers: plain values, amounts in minor units."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeAlias, TypeVar

from tote.rules.levels import WHOLE_FUND, EmptyLevel, Level

Outcome = TypeVar("Outcome")


@dataclass(frozen=True, slots=True)
class BetGroup(Generic[Outcome]):
    """All bets of a pool alike in outcome and stake; `stake` is that of one of its `count` bets.

    A pool of a million bets is settled by its few thousand groups. What an outcome is, its game says. `ValueError` for
    a stake or count under one: a bet of nothing is never registered.
    """

    outcome: Outcome
    stake: int
    count: int = 1

    def __post_init__(self) -> None:
        if self.stake < 1 or self.count < 1:
            raise ValueError(f"A group holds at least one bet of at least one minor unit, not {self!r}.")


Groups: TypeAlias = Sequence[BetGroup[Any]]
"""The bets of a pool where it does not matter what they were made on."""


@dataclass(frozen=True, slots=True)
class AnnouncedTerms:
    """What the organizer said when announcing the pool; None where nothing was said and the game's own rule holds."""

    fund_percent: Fraction | None = None
    minimum_coefficient: Fraction | None = None
    jackpot_in: int = 0
    price: int | None = None
    minimum_win: int | None = None
    maximum_win: int | None = None
    levels: tuple[Level, ...] | None = None
    empty_level: EmptyLevel | None = None


@dataclass(frozen=True, slots=True)
class PoolTerms:
    """The terms of a pool that decide its money, fixed before the first bet is sold.

    `fund_percent` of the pool is for prizes (T-Rules 4, 23); `jackpot_in` is jackpot money attached to this pool
    (T-Rules 18, 37); a coefficient under `minimum_coefficient` is raised to it by the organizer (D-6);
    `levels` part the fund, one level or many, whole together (T-Rules 36.2), and `empty_level` says where one goes that
    nobody reached. Where every bet has one `price` (T-Rules 5), `minimum_win` and `maximum_win` bound the win of a bet
    (T-Rules 6, D-4).
    """

    fund_percent: Fraction
    jackpot_in: int = 0
    minimum_coefficient: Fraction | None = None
    levels: tuple[Level, ...] = WHOLE_FUND
    empty_level: EmptyLevel = EmptyLevel.JACKPOT
    price: int | None = None
    minimum_win: int | None = None
    maximum_win: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.fund_percent <= 100 or self.jackpot_in < 0:
            raise ValueError(f"No pool can have these terms: {self!r}.")
        shared = sum(level.share for level in self.levels)
        if self.levels is not WHOLE_FUND and shared != 1:
            raise ValueError(f"The shares of the levels make {shared} of the fund, not the whole.")


@dataclass(frozen=True, slots=True)
class GroupWin:
    """What one bet of a group is due, in two parts that do not lapse alike (D-21).

    `win` lapses when nobody fetches it; `returned_stake`, given in a minus pool only, stays a debt.
    """

    win: int = 0
    returned_stake: int = 0

    @property
    def due(self) -> int:
        return self.win + self.returned_stake


@dataclass(frozen=True, slots=True)
class LevelDivision:
    """One level of the division: who reached it and what they share.

    `fund` is the level's exact part of prize fund and jackpot money, in minor units; `coefficient` is it over
    `winning_stake`, before any minimum (T-Rules 36.1), and None where nobody won or the pool is a minus pool.
    """

    winning_bets: int
    winning_stake: int
    fund: Fraction
    coefficient: Fraction | None

    @property
    def win_per_bet(self) -> Fraction | None:
        """The fund over the number of bets, before any cap or floor (T-Rules 11.2, 11.3); None as `coefficient` is."""
        return None if self.coefficient is None else self.fund / self.winning_bets


@dataclass(frozen=True, slots=True)
class PoolDivision:
    """Where every minor unit of a pool went.

    `fund` is before jackpot money; `to_jackpot` is what of both no winner got; `wins` stand in the order of the groups.
    The pool is `returned` where its event was not held: every stake goes back and nobody wins (T-Rules 32).
    """

    pool: int
    withdrawal: int
    fund: int
    minus_pool: bool
    to_jackpot: int
    from_organizer: int
    levels: tuple[LevelDivision, ...]
    wins: tuple[GroupWin, ...]
    returned: bool = False
