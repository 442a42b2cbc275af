"""Pools by their codes, and the catalogue from which placing reads their terms."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction

from sqlalchemy import select
from sqlalchemy.orm import Session

from ledger.holds import ticket_trade
from ledger.refusals import Refusal
from ledger.settlements import SettlementCompletion, SettlementRun
from tote.models import Pool, PoolClosing, PoolOutcome
from tote.positions import Position, levels_of, positions_of
from tote.rules.levels import WHOLE_FUND, EmptyLevel
from tote.rules.pool import PoolTerms as GameTerms

TRADE = "tote"
TICKET_TRADE = ticket_trade(TRADE)
"""What the runs and holds of a single ticket are of: a cancellation, a claim that names one bet."""


@dataclass(frozen=True)
class PoolTerms:
    """A pool's frozen terms as placing needs them; ``positions`` where bets are made on such."""

    pool: Pool
    outcomes: frozenset[str]
    positions: tuple[Position, ...] = ()


class Catalogue:
    """The terms of announced pools, kept by the process: they are facts and never change (T-Rules 24)."""

    def __init__(self) -> None:
        self._terms: dict[str, PoolTerms] = {}

    def terms(self, session: Session, code: str) -> PoolTerms:
        """The terms of the pool with this code.

        Raises:
            Refusal: ``unknown_pool``.
        """
        known = self._terms.get(code)
        if known is None:
            pool = pool_by_code(session, code)
            codes = frozenset(outcome.code for outcome in outcomes_of(session, pool.id))
            known = PoolTerms(pool, codes, positions_of(pool))
            # The terms outlive this request: a rollback of its session must not expire them.
            session.expunge(pool)
            self._terms[code] = known
        return known

    def game_of(self, code: str) -> str | None:
        """The game of a pool whose terms were asked for before, without asking the database."""
        known = self._terms.get(code)
        return None if known is None else known.pool.game


def frozen_terms(pool: Pool) -> GameTerms:
    """What decides the money of an announced pool: as it was announced, whatever the game's terms are today."""
    minimum = None if pool.minimum_coefficient is None else Fraction(pool.minimum_coefficient)
    return GameTerms(
        Fraction(pool.fund_percent),
        minimum_coefficient=minimum,
        levels=WHOLE_FUND if pool.levels is None else levels_of(pool.levels),
        empty_level=EmptyLevel(pool.empty_level or EmptyLevel.JACKPOT),
        price=pool.price,
        minimum_win=pool.minimum_win,
        maximum_win=pool.maximum_win,
    )


def pool_by_code(session: Session, code: str) -> Pool:
    """The pool with this code.

    Raises:
        Refusal: ``unknown_pool``.
    """
    pool = session.scalar(select(Pool).where(Pool.code == code))
    if pool is None:
        raise Refusal("unknown_pool", "Пула с таким шифром нет.", field="pool")
    return pool


def outcomes_of(session: Session, pool_id: int) -> list[PoolOutcome]:
    """The outcomes of a pool in the order of their announcement."""
    return outcomes_by_pool(session, [pool_id])[pool_id]


def outcomes_by_pool(session: Session, pool_ids: Collection[int]) -> dict[int, list[PoolOutcome]]:
    """The outcomes of pools in the order of their announcement."""
    found: dict[int, list[PoolOutcome]] = {pool_id: [] for pool_id in pool_ids}
    for outcome in session.scalars(select(PoolOutcome).where(PoolOutcome.pool_id.in_(found)).order_by(PoolOutcome.id)):
        found[outcome.pool_id].append(outcome)
    return found


def closing_of(session: Session, pool_id: int) -> PoolClosing | None:
    """How a pool's sales ended, if they did."""
    return session.scalar(select(PoolClosing).where(PoolClosing.pool_id == pool_id))


def completion_of(session: Session, pool_id: int) -> SettlementCompletion | None:
    """The completion of a pool's latest complete settlement run."""
    return session.scalar(
        select(SettlementCompletion)
        .join(SettlementRun, SettlementRun.id == SettlementCompletion.run_id)
        .where(SettlementRun.trade == TRADE, SettlementRun.subject_id == pool_id)
        .order_by(SettlementRun.version.desc())
        .limit(1)
    )
