"""How a closed pool is divided by the protocol of its event: the figures every step of a settlement goes by."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy.orm import Session

from events.models import Protocol, Result, Standing
from ledger.refusals import Refusal
from ledger.settlements import SettlementRun
from tote.games.register import game
from tote.models import Pool
from tote.pools import frozen_terms, outcomes_of
from tote.remaining import cancelled_after_settlement, groups_of
from tote.rules.division import divide
from tote.rules.pool import BetGroup, GroupWin
from tote.rules.pool import PoolDivision as Division
from tote.rules.returned import divide_returned


@dataclass(frozen=True)
class Settling:
    """A run under way: the pool, its run, the true outcomes, the groups of its bets and how they are divided.

    ``struck`` and ``struck_share`` are the bets that were cancelled after an earlier settlement, and what of the
    division would have been theirs, in minor units: it goes to the jackpot (D-18).
    """

    pool: Pool
    run: SettlementRun
    true_outcomes: tuple[str, ...]
    groups: tuple[BetGroup[str], ...]
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
    def awards(self) -> tuple[tuple[BetGroup[str], GroupWin], ...]:
        """Each group with what one bet of it is due."""
        return tuple(zip(self.groups, self.division.wins, strict=True))

    @property
    def favoured(self) -> tuple[tuple[BetGroup[str], GroupWin], ...]:
        """The groups that won, or all of them where the stakes are returned; any other lost."""
        return tuple(
            (group, win) for group, win in self.awards if self.division.returned or group.outcome in self.true_outcomes
        )


def divided(session: Session, pool: Pool, run: SettlementRun) -> Settling:
    """The division of a closed pool, from its distinct groups of bets: the same figures however often it is asked."""
    true = true_outcomes(session, pool, result_of_run(session, run))
    groups = groups_of(session, pool.id)
    division = _divide(pool, groups, true)
    cancelled = cancelled_after_settlement(session, pool.id)
    share = sum(
        cancelled.get((group.outcome, group.stake), 0) * win.due
        for group, win in zip(groups, division.wins, strict=True)
    )
    return Settling(pool, run, true, groups, division, sum(cancelled.values()), share)


def result_of_run(session: Session, run: SettlementRun) -> Result:
    """The result a run goes by."""
    return session.get_one(Result, session.get_one(Protocol, run.protocol_id).result_id)


def true_outcomes(session: Session, pool: Pool, result: Result) -> tuple[str, ...]:
    """Which of the pool's outcomes a result names, in the order of the announcement (D-22).

    None where the event was not held or was interrupted (T-Rules 32).

    Raises:
        Refusal: ``result_names_no_outcome``, the event took place, and the result names none of the pool's outcomes.
    """
    if result.standing != Standing.HELD:
        return ()
    named = set(result.outcomes)
    true = tuple(outcome.code for outcome in outcomes_of(session, pool.id) if outcome.code in named)
    if not true:
        said = f"Результат не называет ни одного исхода пула {pool.code}."
        raise Refusal("result_names_no_outcome", said, pool=pool.code)
    return true


def _divide(pool: Pool, groups: tuple[BetGroup[str], ...], true: tuple[str, ...]) -> Division:
    """A held event always has a true outcome of the pool's, so that none at all means that it was not held."""
    if not true:
        return divide_returned(frozen_terms(pool), groups)
    kind, terms = game(pool.game), frozen_terms(pool)
    judge = kind.judge(terms, kind.result(list(true)))
    return divide(terms, groups, [judge(group.outcome) for group in groups])
