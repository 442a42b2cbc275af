"""Wins that nobody fetched in time lapse to the jackpot; a stake given back beside one stays owed (T-Rules 38.2; D-21).

Whether a win has lapsed is computed whenever it is asked, here in one place; the sweep only books it, however late, at
the true end of its term.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, func, select, text
from sqlalchemy.orm import Session, aliased

from db.instants import Instant
from db.session import Sessions, transaction
from ledger.accounts import Kind, open_account
from ledger.holds import RELEASED, PayoutHold, enter_payouts
from ledger.refusals import Refusal
from ledger.settlements import Decision, End, Settlement, SettlementRun, valid_settlement
from ledger.terms import DEADLINE
from ledger.tickets import Status, TicketState
from office.operator import Operator
from tote.games.register import game
from tote.models import Pool, PoolBet
from tote.pools import TICKET_TRADE, TRADE

WIN_EXPIRED = "win_expired"
CHUNK = 10_000
"""Tickets a transaction, as many as a settlement decides in one."""
NOW = select(func.trade_clock(type_=Instant)).scalar_subquery()

TICKET_HELD: ColumnElement[bool] = (
    select(PayoutHold.id)
    .where(PayoutHold.trade == TICKET_TRADE, PayoutHold.subject_id == TicketState.ticket_id, ~RELEASED)
    .correlate(TicketState)
    .exists()
)
"""Whether a ticket is held by itself, in a query of states."""
_HELD_IN_TIME = (
    select(PayoutHold.id)
    .where(
        ((PayoutHold.trade == TRADE) & (PayoutHold.subject_id == PoolBet.pool_id))
        | ((PayoutHold.trade == TICKET_TRADE) & (PayoutHold.subject_id == TicketState.ticket_id)),
        PayoutHold.held_at < DEADLINE,
        ~RELEASED,
    )
    .correlate(TicketState, PoolBet, Settlement)
    .exists()
)
_NEXT = aliased(Settlement)
_REPLACED = select(_NEXT.id).where(_NEXT.reverses_id == Settlement.id).correlate(Settlement).exists()
LAPSED: ColumnElement[bool] = and_(
    TicketState.status == Status.WON, Settlement.payable_until <= NOW, DEADLINE <= NOW, ~_HELD_IN_TIME, ~_REPLACED
)
"""Whether a win is past its term and not booked so yet, in a query of states, bets and their settlements.

A hold only prolongs, so the settlement's own end is asked first: of all that is still unpaid, what holds have added is
looked up for the few whose own end is past.

A decision that is being replaced by a later one does not lapse: the later one has its own term (D-14).

What was held before its term ended is not lapsed while the hold stands (D-23).
"""

_LAPSE = text("""
    WITH lapsing AS (
        SELECT decided.*, ticket.currency, past.deadline, past.booked_on,
            least(decided.win, decided.win + decided.stake_back - decided.received) AS lapse
        FROM unnest(
            CAST(:settlements AS bigint[]), CAST(:deadlines AS timestamptz[]), CAST(:days AS date[])
        ) AS past (id, deadline, booked_on)
        JOIN settlements AS decided ON decided.id = past.id
        JOIN tickets AS ticket ON ticket.id = decided.ticket_id
    ), ended AS (
        INSERT INTO endings (settlement_id, "end", amount, ended_at)
        SELECT id, :expired, lapse, deadline FROM lapsing ORDER BY ticket_id
    ), moved AS (
        INSERT INTO transfers (debit_account_id, credit_account_id, amount, currency, kind, ticket_id, settlement_id,
            occurred_at, booked_on)
        SELECT :payable, :jackpot, lapse, currency, :kind, ticket_id, id, deadline, booked_on
        FROM lapsing WHERE lapse > 0 ORDER BY ticket_id
    ), owing AS (
        INSERT INTO settlements (ticket_id, version, run_id, reverses_id, decision, win, stake_back, received,
            payable_from, payable_until)
        SELECT ticket_id, version + 1, run_id, id, :returned, 0, stake_back, received, payable_from, NULL
        FROM lapsing WHERE stake_back > received ORDER BY ticket_id
        RETURNING id, ticket_id
    )
    UPDATE ticket_states AS state
    SET status = CASE WHEN owing.id IS NULL THEN :expired ELSE :returned END,
        settlement_id = coalesce(owing.id, lapsing.id)
    FROM lapsing LEFT JOIN owing ON owing.ticket_id = lapsing.ticket_id
    WHERE state.ticket_id = lapsing.ticket_id
""")


def expire_due(sessions: Sessions, operator: Operator, chunk: int = CHUNK) -> list[str]:
    """Book every win past its term, pool by pool and chunk by chunk; the codes of the pools that had any.

    The sweep goes by state: one that is days late books the same ends at the same instants. Two sweeps at once book
    each win once. A pool whose payouts are held, or which is being settled anew, waits for a later sweep.
    """
    with transaction(sessions) as session:
        due = _pools_due(session)
    swept: list[str] = []
    obstacles: list[Exception] = []
    for run_id, code in due:
        try:
            lapsed = 0
            while (more := _expire_next(sessions, operator, run_id, chunk)) > 0:
                lapsed += more
            swept += [code] if lapsed else []
        except Refusal:
            continue
        except Exception as obstacle:
            obstacles.append(obstacle)
    if obstacles:
        raise ExceptionGroup("wins that could not be expired", obstacles)
    return swept


def expire_chunk(session: Session, operator: Operator, run: SettlementRun, size: int) -> int:
    """Let the next wins of a run that are past their term lapse, at most ``size``; how many did.

    Their states are locked in the order of the tickets before they lapse, so that a desk that pays one at this moment
    and the sweep come one after the other, and whoever is second sees what the first one did.

    Raises:
        Refusal: ``payout_held``.
    """
    enter_payouts(session, run.trade, run.subject_id)
    past = session.execute(
        past_due()
        .where(Settlement.run_id == run.id)
        .order_by(TicketState.ticket_id)
        .limit(size)
        .with_for_update(of=TicketState)
    ).all()
    _lapse(session, operator, run, [(settlement_id, deadline) for settlement_id, deadline in past])
    return len(past)


def lapse_win(session: Session, operator: Operator, settlement: Settlement, deadline: datetime) -> Settlement:
    """Let one ticket's win lapse now, its state locked by the caller; what is owed then: the stake alone (D-21).

    A desk that is asked for the stake of a minus pool after the term does not wait for the sweep.
    """
    run = session.get_one(SettlementRun, settlement.run_id)
    _lapse(session, operator, run, [(settlement.id, deadline)])
    owed = valid_settlement(session, settlement.ticket_id)
    assert owed is not None and owed.id != settlement.id, "the stake is owed by a version of its own"
    return owed


def _expire_next(sessions: Sessions, operator: Operator, run_id: int, size: int) -> int:
    with transaction(sessions) as session:
        return expire_chunk(session, operator, session.get_one(SettlementRun, run_id), size)


def _pools_due(session: Session) -> list[tuple[int, str]]:
    """The runs that have wins past their term, with the codes of their pools."""
    runs = past_due().with_only_columns(Settlement.run_id).distinct().subquery()
    found = (
        select(SettlementRun.id, Pool.code)
        .join(Pool, Pool.id == SettlementRun.subject_id)
        .where(SettlementRun.id.in_(select(runs.c.run_id)))
        .order_by(SettlementRun.id)
    )
    return [(run_id, code) for run_id, code in session.execute(found)]


def past_due() -> Any:
    """The settlements of wins past their term, each with its true end; what is held is left out."""
    return (
        select(Settlement.id, DEADLINE)
        .select_from(TicketState)
        .join(Settlement, Settlement.id == TicketState.settlement_id)
        .join(PoolBet, PoolBet.ticket_id == TicketState.ticket_id)
        .where(LAPSED, ~TICKET_HELD)
    )


def _lapse(session: Session, operator: Operator, run: SettlementRun, past: Sequence[tuple[int, datetime]]) -> None:
    """The endings, the money and the states of these settlements; a minus pool's stakes are owed by new versions."""
    if not past:
        return
    pool = session.get_one(Pool, run.subject_id)
    session.execute(
        _LAPSE,
        {
            "settlements": [settlement_id for settlement_id, _ in past],
            "deadlines": [deadline for _, deadline in past],
            "days": [operator.day_of(deadline) for _, deadline in past],
            "payable": run.payable_account_id,
            "jackpot": open_account(session, Kind.JACKPOT, game(pool.game).family, pool.currency),
            "kind": WIN_EXPIRED,
            "expired": End.EXPIRED,
            "returned": Decision.RETURNED,
        },
    )
