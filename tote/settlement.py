"""Settling a pool by the protocol of its event: decisions in chunks, one completion, then crediting (DESIGN 3.7).

Each act takes a session and is one transaction of the caller's. All of them may be repeated, and by several callers
at once: a chunk begins where the facts say the last one ended.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, cast

from sqlalchemy import CursorResult, func, select, text
from sqlalchemy.orm import Session

from db.clock import trade_time
from events.models import Protocol, Result
from events.protocols import hold_protocol, protocol_of
from ledger.accounts import OPERATOR, Kind, open_account
from ledger.journal import Movement, post
from ledger.refusals import Refusal
from ledger.settlements import Cause, Decision, Settlement, SettlementCompletion, SettlementRun
from office.operator import Operator
from tote.claims.releasing import end_upheld_claims
from tote.games.register import game
from tote.models import Pool, PoolDivision
from tote.pools import TRADE, closing_of, frozen_terms, outcomes_of
from tote.remaining import Remaining, groups_of, remaining
from tote.rules.pool import BetGroup
from tote.rules.pool import PoolDivision as Division
from tote.terms import write_terms

SETTLEMENT_GATE = 3
WINS = "wins"
TO_JACKPOT = "to_jackpot"
FROM_ORGANIZER = "from_organizer"
WITHDRAWAL_RETURNED = "withdrawal_returned"


@dataclass(frozen=True)
class Settling:
    """A run under way: the pool, its run, the true outcomes, the groups of its bets and how they are divided."""

    pool: Pool
    run: SettlementRun
    true_outcomes: tuple[str, ...]
    groups: tuple[BetGroup, ...]
    division: Division


def start(session: Session, pool: Pool) -> SettlementRun:
    """Begin to settle a pool, or find the run somebody began: the instant of determination is fixed here (D-1).

    The event's protocol is held meanwhile: a correction comes before the run, which then goes by it, or not at all.

    Raises:
        Refusal: ``pool_not_closed``; ``result_not_confirmed``, no protocol (T-Rules 10, 30);
            ``result_names_no_outcome``, the protocol names none of the pool's outcomes.
    """
    session.execute(select(func.shut_gate(SETTLEMENT_GATE, pool.id)))
    if closing_of(session, pool.id) is None:
        raise Refusal("pool_not_closed", "Приём ставок в пул ещё не окончен.")
    hold_protocol(session, pool.event_id)
    protocol = protocol_of(session, pool.event_id)
    if protocol is None:
        raise Refusal("result_not_confirmed", "Результат события ещё не подтверждён протоколом.")
    run = run_of(session, pool)
    if run is not None:
        return run
    true_outcomes(session, pool, protocol.result_id)
    run = SettlementRun(
        trade=TRADE,
        subject_id=pool.id,
        # The run's own version, not the protocol's: a protocol corrected before it leaves nothing to reverse.
        version=1,
        cause=Cause.PROTOCOL,
        protocol_id=protocol.id,
        payable_account_id=pool.wins_account_id,
        started_at=trade_time(session),
    )
    session.add(run)
    session.flush()
    return run


def divided(session: Session, pool: Pool, run: SettlementRun) -> Settling:
    """The division of a closed pool, from its distinct groups of bets: the same figures however often it is asked."""
    true = true_outcomes(session, pool, session.get_one(Protocol, run.protocol_id).result_id)
    groups = groups_of(session, pool.id)
    kind = game(pool.game)
    division = kind.divide(frozen_terms(pool), groups, kind.result(list(true)))
    return Settling(pool, run, true, groups, division)


def write_chunk(session: Session, operator: Operator, settling: Settling, size: int) -> int:
    """Decide the next ``size`` tickets of the pool; how many were decided, 0 when none is left.

    The decisions are seen by nobody before the run's completion.
    """
    session.execute(select(func.shut_gate(SETTLEMENT_GATE, settling.pool.id)))
    term = game(settling.pool.game).payment_term(settling.run.started_at, operator.zone_at(settling.run.started_at))
    decided = session.execute(
        DECIDE,
        {
            **_winning_groups(settling),
            "won": Decision.WON,
            "lost": Decision.LOST,
            "run": settling.run.id,
            "version": settling.run.version,
            "pool": settling.pool.id,
            "size": size,
            "payable_from": term.start,
            "payable_until": term.end,
        },
    )
    return cast(CursorResult[Any], decided).rowcount


# A win from a game account is credited and does not lapse (D-17). The term is the win's; a stake given back outlives it
# (D-21), which the desk heeds.
DECIDE = text("""
    INSERT INTO settlements
        (ticket_id, version, run_id, decision, win, stake_back, received, payable_from, payable_until)
    SELECT bet.ticket_id, :version, :run,
        CASE WHEN won.outcome IS NULL THEN :lost ELSE :won END,
        coalesce(won.win, 0), coalesce(won.stake_back, 0), 0,
        CASE WHEN won.win + won.stake_back > 0 THEN CAST(:payable_from AS timestamptz) END,
        CASE WHEN won.win + won.stake_back > 0 AND ticket.player_id IS NULL
            THEN CAST(:payable_until AS timestamptz) END
    FROM (
        SELECT ticket_id, outcome, stake FROM pool_bets
        WHERE pool_id = :pool
            -- A bet that was cancelled is decided on by its cancellation alone (D-18).
            AND NOT EXISTS (
                SELECT FROM pool_cancellations AS cancelled WHERE cancelled.ticket_id = pool_bets.ticket_id)
            AND ticket_id > (SELECT coalesce(max(ticket_id), 0) FROM settlements WHERE run_id = :run)
        ORDER BY ticket_id LIMIT :size
    ) AS bet
    JOIN tickets AS ticket ON ticket.id = bet.ticket_id
    LEFT JOIN unnest(
        CAST(:outcomes AS text[]), CAST(:stakes AS bigint[]), CAST(:wins AS bigint[]), CAST(:returned AS bigint[])
    ) AS won (outcome, stake, win, stake_back) ON won.outcome = bet.outcome AND won.stake = bet.stake
    ORDER BY bet.ticket_id
""")


def complete(session: Session, operator: Operator, settling: Settling) -> SettlementCompletion:
    """Make the run valid: book the pool's division and write the one completion row.

    What was decided is counted against the closing and the division first; a difference is a broken invariant.
    """
    session.execute(select(func.shut_gate(SETTLEMENT_GATE, settling.pool.id)))
    done = completion_of_run(session, settling.run.id)
    if done is not None:
        return done
    closing = closing_of(session, settling.pool.id)
    assert closing is not None, "a pool is closed before it is settled"
    left = remaining(session, closing)
    tickets, due = session.execute(
        select(func.count(), func.coalesce(func.sum(Settlement.win + Settlement.stake_back), 0)).where(
            Settlement.run_id == settling.run.id
        )
    ).one()
    owed = sum(group.count * win.due for group, win in zip(settling.groups, settling.division.wins, strict=True))
    assert tickets == left.bets, "every bet of the pool is decided, and no other"
    assert due == owed, "the tickets are due what the division gave them"
    assert settling.division.pool == left.stakes, "the pool that is divided is the pool that was closed"
    assert settling.division.minus_pool or settling.division.fund == left.fund, "the fund is that of the closing"
    at = trade_time(session)
    _book(session, operator, settling, left, owed, at)
    session.add(_sheet(settling, owed))
    completion = SettlementCompletion(run_id=settling.run.id, tickets=tickets, due=owed, completed_at=at)
    session.add(completion)
    session.flush()
    write_terms(session, operator, settling.pool, settling.run)
    end_upheld_claims(session, settling.pool, settling.run)
    return completion


def run_of(session: Session, pool: Pool) -> SettlementRun | None:
    """The latest settlement run of a pool."""
    return session.scalar(
        select(SettlementRun)
        .where(SettlementRun.trade == TRADE, SettlementRun.subject_id == pool.id)
        .order_by(SettlementRun.version.desc())
        .limit(1)
    )


def completion_of_run(session: Session, run_id: int) -> SettlementCompletion | None:
    """The completion of a run, if it is complete."""
    return session.scalar(select(SettlementCompletion).where(SettlementCompletion.run_id == run_id))


def true_outcomes(session: Session, pool: Pool, result_id: int) -> tuple[str, ...]:
    """Which of the pool's outcomes the confirmed result names, in the order of the announcement (D-22)."""
    named = set(session.get_one(Result, result_id).outcomes)
    true = tuple(outcome.code for outcome in outcomes_of(session, pool.id) if outcome.code in named)
    if not true:
        raise Refusal("result_names_no_outcome", "Результат не называет ни одного исхода этого пула.")
    return true


def _winning_groups(settling: Settling) -> dict[str, list[Any]]:
    """The groups that won, column by column, as the database unnests them."""
    winners = [
        (group, win)
        for group, win in zip(settling.groups, settling.division.wins, strict=True)
        if group.outcome in settling.true_outcomes
    ]
    return {
        "outcomes": [group.outcome for group, _ in winners],
        "stakes": [group.stake for group, _ in winners],
        "wins": [win.win for _, win in winners],
        "returned": [win.returned_stake for _, win in winners],
    }


def _book(session: Session, operator: Operator, settling: Settling, left: Remaining, owed: int, at: datetime) -> None:
    """The pool's money by its division: after these transfers its prize fund is empty (D-3, D-5, T-Rules 36.1)."""
    pool, division = settling.pool, settling.division
    revenue = open_account(session, Kind.WITHDRAWAL_REVENUE, OPERATOR, pool.currency)
    own = open_account(session, Kind.ORGANIZER, OPERATOR, pool.currency)
    jackpot = open_account(session, Kind.JACKPOT, game(pool.game).family, pool.currency)
    taken_back = left.withdrawal if division.minus_pool else 0
    movements = [
        Movement(revenue, pool.fund_account_id, taken_back, WITHDRAWAL_RETURNED),
        Movement(own, pool.fund_account_id, division.from_organizer, FROM_ORGANIZER),
        Movement(pool.fund_account_id, pool.wins_account_id, owed, WINS),
        Movement(pool.fund_account_id, jackpot, division.to_jackpot, TO_JACKPOT),
    ]
    post(session, movements, currency=pool.currency, occurred_at=at, booked_on=operator.day_of(at))


def _sheet(settling: Settling, owed: int) -> PoolDivision:
    division = settling.division
    (level,) = division.levels
    coefficient = level.coefficient
    return PoolDivision(
        run_id=settling.run.id,
        pool_id=settling.pool.id,
        true_outcomes=list(settling.true_outcomes),
        minus_pool=division.minus_pool,
        winning_bets=level.winning_bets,
        winning_stake=level.winning_stake,
        coefficient_numerator=None if coefficient is None else Decimal(coefficient.numerator),
        coefficient_denominator=None if coefficient is None else Decimal(coefficient.denominator),
        wins=owed,
        to_jackpot=division.to_jackpot,
        from_organizer=division.from_organizer,
    )
