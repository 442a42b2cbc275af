"""What is staked on a pool at this moment: its last checkpoints, the tail of bets, less what was cancelled.

No row is updated by a bet, so that bets of one pool do not wait for one another, and none is missed: a bet that was
drawn before a checkpoint and committed after it cannot be, for checkpoints stand on what is sealed.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import text
from sqlalchemy.orm import Session

from tote.checkpoints import kept_below
from tote.models import Pool


@dataclass(frozen=True)
class OutcomeTotal:
    """The bets on one outcome that stand: how many, and their stakes in minor units."""

    code: str
    name: str
    bets: int
    stakes: int


@dataclass(frozen=True)
class PoolTotals:
    """The bets of a pool that stand, by outcome in the order of the announcement."""

    outcomes: tuple[OutcomeTotal, ...]

    @property
    def bets(self) -> int:
        """How many bets the pool holds."""
        return sum(outcome.bets for outcome in self.outcomes)

    @property
    def stakes(self) -> int:
        """What is staked in the pool, in minor units (T-Rules 23)."""
        return sum(outcome.stakes for outcome in self.outcomes)


def totals_of(session: Session, pool: Pool) -> PoolTotals:
    """What is staked on a pool, exactly as its bets add up at this moment.

    A bet cancelled before the settlement is left out, as if never made; one cancelled after it stays in (D-18).
    """
    return totals_by_pool(session, [pool.id])[pool.id]


def totals_by_pool(session: Session, pool_ids: Collection[int]) -> dict[int, PoolTotals]:
    """What is staked on each of these pools, all at one moment.

    The checkpoints are asked for first, how far they reach, as a value and not within the query: so the tail is found
    by the bets' ids, however many the pools hold. Checkpoints written meanwhile reach further and are passed over.
    """
    asked = {"pools": list(pool_ids), "below": kept_below(session)}
    found: dict[int, list[OutcomeTotal]] = {pool_id: [] for pool_id in pool_ids}
    for pool_id, code, name, bets, stakes in session.execute(TOTALS, asked):
        found[pool_id].append(OutcomeTotal(code, name, bets, stakes))
    return {pool_id: PoolTotals(tuple(outcomes)) for pool_id, outcomes in found.items()}


# One statement, so that a bet cancelled meanwhile is not missing from one part and counted in another.
TOTALS = text("""
    SELECT named.pool_id, named.code, named.name,
        coalesce(kept.bets, 0) + coalesce(tail.bets, 0) - coalesce(gone.bets, 0),
        CAST(coalesce(kept.stakes, 0) + coalesce(tail.stakes, 0) - coalesce(gone.stakes, 0) AS bigint)
    FROM pool_outcomes AS named
    LEFT JOIN LATERAL (
        SELECT bets, stakes FROM pool_checkpoints
        WHERE pool_id = named.pool_id AND outcome = named.code AND closed_below <= :below
        ORDER BY closed_below DESC LIMIT 1
    ) AS kept ON true
    LEFT JOIN (
        SELECT pool_id, outcome, count(*) AS bets, sum(stake) AS stakes
        FROM pool_bets WHERE id >= :below AND pool_id = ANY (:pools) GROUP BY pool_id, outcome
    ) AS tail ON tail.pool_id = named.pool_id AND tail.outcome = named.code
    LEFT JOIN (
        SELECT bet.pool_id, bet.outcome, count(*) AS bets, sum(bet.stake) AS stakes
        FROM pool_cancellations AS cancelled JOIN pool_bets AS bet ON bet.ticket_id = cancelled.ticket_id
        WHERE cancelled.pool_id = ANY (:pools) AND cancelled.stage <> 'settled'
        GROUP BY bet.pool_id, bet.outcome
    ) AS gone ON gone.pool_id = named.pool_id AND gone.outcome = named.code
    WHERE named.pool_id = ANY (:pools)
    ORDER BY named.pool_id, named.id
""")
