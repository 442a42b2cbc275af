"""The terms of a pool's run: written with its completion, prolonged when a hold of payouts ends (T-Rules 40, 45)."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from events.models import Protocol
from events.starts.standing import start_of
from ledger.holds import PayoutHold, PayoutRelease
from ledger.settlements import SettlementRun
from ledger.terms import PaymentTerm, term_of
from office.operator import Operator
from tote.division import Settling
from tote.games.register import game
from tote.models import Pool, PoolBet
from tote.pools import TICKET_TRADE, TRADE, completion_of
from tote.rules.payment_term import claims_end, disputes_end, prolonged


def write_terms(session: Session, operator: Operator, settling: Settling) -> PaymentTerm:
    """Put on record until when the wins of a run that is complete are paid, claims taken and disputes considered.

    Where every stake is returned, it is due at once and for ever, and so long are disputes considered (T-Rules 32).
    """
    run, pool = settling.run, settling.pool
    written = PaymentTerm(
        run_id=run.id, payable_from=run.started_at, claims_until=claims_until(session, operator, pool.event_id)
    )
    if not settling.division.returned:
        zone = operator.zone_at(run.started_at)
        term = game(pool.game).payment_term(run.started_at, zone)
        written.payable_from, written.payable_until = term.start, term.end
        written.disputes_until = disputes_end(term, zone)
    session.add(written)
    session.flush()
    return written


def claims_until(session: Session, operator: Operator, event_id: int) -> datetime | None:
    """Until when claims against the result of an event are taken (T-Rules 33); none before its result is announced.

    A corrected protocol is no new outcome: a claim against it comes within the same ten days.
    """
    outcome_at = _outcome_at(session, event_id)
    return None if outcome_at is None else claims_end(outcome_at, operator.zone_at(outcome_at))


def _outcome_at(session: Session, event_id: int) -> datetime | None:
    """When the outcome of an event that has a protocol came about: its end on record, else the start in force.

    An event that was called off before any start has its outcome with the first protocol, which says so.
    """
    drawn_up = select(Protocol.drawn_up_at).where(Protocol.event_id == event_id).order_by(Protocol.version).limit(1)
    announced_at = session.scalar(drawn_up)
    if announced_at is None:
        return None
    start = start_of(session, event_id)
    return start.ended or min(start.in_force, announced_at)


def prolong_terms(session: Session, operator: Operator, pool: Pool, hold: PayoutHold) -> None:
    """Give back the days of payment that a hold of a pool's payouts took, or of one ticket's, now that it has ended.

    A hold that ended before the term began took none. A ticket that was also held by itself lost the days of both.
    """
    completion = completion_of(session, pool.id)
    if completion is None:
        return
    run = session.get_one(SettlementRun, completion.run_id)
    of_pool = _stood(session, TRADE, pool.id)
    if hold.trade == TRADE:
        _prolong(session, operator, pool, run, None, hold, of_pool)
    tickets = [hold.subject_id] if hold.trade == TICKET_TRADE else _held_alone(session, pool)
    for ticket_id in tickets:
        _prolong(session, operator, pool, run, ticket_id, hold, [*of_pool, *_stood(session, TICKET_TRADE, ticket_id)])


def _prolong(
    session: Session,
    operator: Operator,
    pool: Pool,
    run: SettlementRun,
    ticket_id: int | None,
    hold: PayoutHold,
    stood: list[tuple[datetime, datetime]],
) -> None:
    """Write the later end for the run, or for a ticket of it, where there is one; what has no end needs none."""
    now = term_of(session, run.id, ticket_id)
    if now is None or now.payable_until is None:
        return
    zone = operator.zone_at(run.started_at)
    term = prolonged(game(pool.game).payment_term(run.started_at, zone), stood, zone)
    if term.end > now.payable_until:
        longer = PaymentTerm(
            run_id=run.id,
            ticket_id=ticket_id,
            payable_from=term.start,
            payable_until=term.end,
            claims_until=now.claims_until,
            disputes_until=disputes_end(term, zone),
            hold_id=hold.id,
        )
        session.add(longer)
        session.flush()


def _stood(session: Session, trade: str, subject_id: int) -> list[tuple[datetime, datetime]]:
    """From when to when payouts were held; a hold that still stands gives its days back when it ends."""
    ended = select(PayoutHold.held_at, PayoutRelease.released_at).join(
        PayoutRelease, PayoutRelease.hold_id == PayoutHold.id
    )
    found = session.execute(ended.where(PayoutHold.trade == trade, PayoutHold.subject_id == subject_id))
    return [(held_at, released_at) for held_at, released_at in found if held_at < released_at]


def _held_alone(session: Session, pool: Pool) -> list[int]:
    """The tickets of a pool that were ever held by themselves."""
    held = select(PayoutHold.subject_id).where(PayoutHold.trade == TICKET_TRADE)
    of_pool = select(PoolBet.ticket_id).where(PoolBet.pool_id == pool.id, PoolBet.ticket_id.in_(held))
    return list(session.scalars(of_pool.order_by(PoolBet.ticket_id)))
