"""Announcing an event and entering its result: what one login says waits for a second person."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from events.models import Event, Result, Standing
from events.protocols import Trade, corrected_protocol, refuse_if_fixed
from events.records import event_by_id
from events.scores import check_scores
from events.starts.standing import start_of
from ledger.refusals import Refusal
from office.approvals.acts import CORRECTION, RESULT
from office.approvals.proposing import propose
from office.callers import Caller


def announce_event(session: Session, event: Event) -> Event:
    """Register an event.

    Raises:
        Refusal: ``code_taken``, another event carries this code.
    """
    if session.scalar(select(Event.id).where(Event.code == event.code)) is not None:
        raise Refusal("code_taken", "Событие с таким шифром уже объявлено.", field="code")
    session.add(event)
    session.flush()
    return event


def enter_result(
    session: Session,
    event_id: int,
    result: Result,
    by: Caller,
    *,
    trades: tuple[Trade, ...],
    explanation: str | None,
) -> Result:
    """Write down what one login says the result is, and propose it; nothing is decided by it (INDUSTRY: two persons).

    An event may be called off before its start, so that it was not held may be entered at any time (T-Rules 32); one
    that was interrupted had begun. A result that ``corrects`` a protocol needs that this be the last one, and that no
    trade objects.

    Raises:
        Refusal: ``not_found``, no such event; ``event_not_started``, anything else than that before the start in
            force;
            ``result_already_fixed``, a protocol stands (T-Rules 32); those of :func:`corrected_protocol`;
            ``scores_wrong``.
    """
    event = event_by_id(session, event_id)
    check_scores(event.sport, result)
    if result.standing != Standing.NOT_HELD and result.entered_at < start_of(session, event_id).in_force:
        raise Refusal("event_not_started", "Событие ещё не началось: результат вносится после его окончания.")
    result.event_id = event_id
    if result.corrects is None:
        refuse_if_fixed(session, event_id)
    else:
        corrected_protocol(session, result, trades)
    act = RESULT if result.corrects is None else CORRECTION
    result.proposal_id = propose(session, act, f"event:{event_id}", result.told, by, explanation).id
    session.add(result)
    session.flush()
    return result
