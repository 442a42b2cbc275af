"""How a closed pool is divided by the protocol of its event: the figures every step of a settlement goes by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlalchemy.orm import Session

from events.models import Protocol, Result, Standing
from ledger.refusals import Refusal
from ledger.settlements import SettlementRun
from tote.games.register import game
from tote.marked_bets import Prizes, Reached, reached
from tote.models import NotHeld, Pool
from tote.pools import frozen_terms, outcomes_of
from tote.positions import positions_of
from tote.remaining import cancelled_after_settlement, groups_of
from tote.rules.division import divide
from tote.rules.pool import BetGroup, GroupWin
from tote.rules.pool import PoolDivision as Division
from tote.rules.positions import PositionResults
from tote.rules.returned import divide_returned


@dataclass(frozen=True)
class Settling:
    """A run under way: the pool, its run, what came true, the groups of its bets and how they are divided.

    Groups are by outcome, or by the level that rows reached where bets are on positions; what came true there is told
    position by position, None for one that was not held (D-22). ``levels`` are what each group reached, as its game
    judges, None where it lost. ``struck`` and ``struck_share`` are the bets that were
    cancelled after an earlier settlement, and what of the division would have been theirs, in minor units: it goes to
    the jackpot (D-18).
    """

    pool: Pool
    run: SettlementRun
    true_outcomes: tuple[str | None, ...]
    groups: tuple[BetGroup[Any], ...]
    levels: tuple[int | None, ...]
    division: Division
    struck: int = 0
    struck_share: int = 0

    @property
    def owed(self) -> int:
        """What the tickets are due, wins and stakes given back, in minor units."""
        return sum(group.count * win.due for group, win in self.awards) - self.struck_share

    @property
    def to_jackpot(self) -> int:
        """What of the pool goes to the jackpot, in minor units."""
        return self.division.to_jackpot + self.struck_share

    @property
    def awards(self) -> tuple[tuple[BetGroup[Any], GroupWin], ...]:
        """Each group with what one bet of it is due."""
        return tuple(zip(self.groups, self.division.wins, strict=True))

    @property
    def favoured(self) -> tuple[tuple[BetGroup[Any], GroupWin], ...]:
        """The groups that reached a level, or all of them where the stakes are returned; any other lost."""
        return tuple(
            award
            for award, level in zip(self.awards, self.levels, strict=True)
            if self.division.returned or level is not None
        )

    @cached_property
    def prizes(self) -> Prizes:
        """What one row is due, where bets are on positions."""
        return prizes_of(self.groups, self.division)


def divided(session: Session, pool: Pool, run: SettlementRun) -> Settling:
    """The division of a closed pool, from its distinct groups of bets: the same figures however often it is asked."""
    true = true_outcomes(session, pool, result_of_run(session, run))
    if pool.positions is not None:
        return _by_positions(session, pool, run, true)
    groups = groups_of(session, pool.id)
    levels = _judged(pool, groups, [str(code) for code in true])
    division = divide(frozen_terms(pool), groups, levels) if true else divide_returned(frozen_terms(pool), groups)
    cancelled = cancelled_after_settlement(session, pool.id)
    share = sum(
        cancelled.get((group.outcome, group.stake), 0) * win.due
        for group, win in zip(groups, division.wins, strict=True)
    )
    return Settling(pool, run, true, groups, levels, division, sum(cancelled.values()), share)


def _by_positions(session: Session, pool: Pool, run: SettlementRun, true: PositionResults) -> Settling:
    rows: Counter[tuple[int | None, int]] = Counter()
    struck: list[Reached] = []
    for one in reached(session, pool, true):
        rows.update(one.by_stake)
        if one.cancelled is not None:
            struck.append(one)
    groups = level_groups(rows)
    division = divide_levels(pool, groups, returned=not true)
    prizes = prizes_of(groups, division)
    share = sum(one.due(prizes).due for one in struck)
    return Settling(pool, run, true, groups, _levels(groups), division, len(struck), share)


def level_groups(rows: Mapping[tuple[int | None, int], int]) -> tuple[BetGroup[int | None], ...]:
    """Numbers of rows by the level they reached and their stake, as groups of bets."""
    return tuple(BetGroup(level, stake, count) for (level, stake), count in rows.items())


def divide_levels(pool: Pool, groups: tuple[BetGroup[int | None], ...], *, returned: bool = False) -> Division:
    """A pool of positions by the levels its rows reached; where the event was not held every stake goes back."""
    if returned:
        return divide_returned(frozen_terms(pool), groups)
    return divide(frozen_terms(pool), groups, _levels(groups))


def prizes_of(groups: tuple[BetGroup[int | None], ...], division: Division) -> Prizes:
    """What one row is due, by its level and stake."""
    return {(group.outcome, group.stake): win for group, win in zip(groups, division.wins, strict=True)}


def result_of_run(session: Session, run: SettlementRun) -> Result:
    """The result a run goes by."""
    return session.get_one(Result, session.get_one(Protocol, run.protocol_id).result_id)


def true_outcomes(session: Session, pool: Pool, result: Result) -> tuple[str | None, ...]:
    """Which of the pool's outcomes a result names, in the order of the announcement; of positions one each (D-22).

    None at all where stakes are returned: the event was not held or was interrupted (T-Rules 32), or a position was
    not, in a pool that goes back whole then.

    Raises:
        Refusal: ``result_names_no_outcome``, the event took place, and the result names none of the pool's outcomes,
            or not for each of its positions one of those that were announced.
    """
    if result.standing != Standing.HELD:
        return ()
    if pool.positions is not None:
        return _in_each_position(pool, result.positions or {})
    named = set(result.outcomes)
    true = tuple(outcome.code for outcome in outcomes_of(session, pool.id) if outcome.code in named)
    if not true:
        said = f"Результат не называет ни одного исхода пула {pool.code}."
        raise Refusal("result_names_no_outcome", said, pool=pool.code)
    return true


def _in_each_position(pool: Pool, told: Mapping[str, str | None]) -> PositionResults:
    positions = positions_of(pool)
    for position in positions:
        if position.code not in told or told[position.code] not in (None, *position.codes):
            said = f"Результат не называет объявленного исхода позиции {position.code} пула {pool.code}."
            raise Refusal("result_names_no_outcome", said, pool=pool.code)
    return _unless_returned(pool, tuple(told[position.code] for position in positions))


def supposed_result(pool: Pool, codes: Sequence[str]) -> PositionResults:
    """A result somebody supposes of a pool's positions, in their order; nothing stands for one that was not held.

    Raises:
        Refusal: ``marks_wrong``, the pool has other positions, or other outcomes in them.
    """
    positions = positions_of(pool)
    fits = len(codes) == len(positions)
    if not fits or any(code and code not in one.codes for code, one in zip(codes, positions, strict=True)):
        said = f"Назовите через запятую по исходу в каждой из позиций, их {len(positions)}."
        raise Refusal("marks_wrong", said, field="result")
    return _unless_returned(pool, tuple(code or None for code in codes))


def _unless_returned(pool: Pool, true: PositionResults) -> PositionResults:
    """What came true; nothing where no position was held, or where one was not and the pool goes back then (D-22)."""
    back = pool.not_held == NotHeld.RETURN_POOL and None in true
    return () if back or not any(true) else true


def _judged(pool: Pool, groups: tuple[BetGroup[str], ...], true: list[str]) -> tuple[int | None, ...]:
    """The level each group reached, as the game judges.

    A held event always has a true outcome of the pool's, so that none at all means that it was not held.
    """
    if not true:
        return (None,) * len(groups)
    kind = game(pool.game)
    judge = kind.judge(frozen_terms(pool), kind.result(true))
    return tuple(judge(kind.outcome(group.outcome)) for group in groups)


def _levels(groups: tuple[BetGroup[int | None], ...]) -> tuple[int | None, ...]:
    return tuple(group.outcome for group in groups)
