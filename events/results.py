"""Announcing an event, entering its result, and confirming it by a protocol: two persons, first fixed stands."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from events.models import Event, Protocol, Result
from ledger.refusals import Refusal
from office.numbers import next_number

PROTOCOLS = "protocols"


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


def enter_result(session: Session, event_id: int, result: Result) -> Result:
    """Write down what one login says the result is; nothing is decided by it (INDUSTRY: two persons).

    Raises:
        Refusal: ``not_found``, no such event; ``event_not_started``, a result before the announced start;
            ``result_already_fixed``, a protocol stands (T-Rules 32).
    """
    event = event_by_id(session, event_id)
    if result.entered_at < event.starts_at:
        raise Refusal("event_not_started", "Событие ещё не началось: результат вносится после его окончания.")
    refuse_if_fixed(session, event_id)
    result.event_id = event_id
    session.add(result)
    session.flush()
    return result


def confirm_result(
    session: Session, event_id: int, result_id: int, *, confirmed_by: int, signatories: list[str], at: datetime
) -> Protocol:
    """Draw up the protocol of an entered result, signed by the commission's members (T-Rules 10, 30).

    Raises:
        Refusal: ``not_found``; ``second_person_needed``, the enterer cannot confirm; ``result_already_fixed``.
    """
    result = result_of(session, event_id, result_id)
    if result.entered_by == confirmed_by:
        raise Refusal("second_person_needed", "Результат подтверждает другой сотрудник, не тот, кто его внёс.")
    # Whoever confirms another result of this event at the same moment waits here, then is told that one stands.
    session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(f"protocol:{event_id}", 0))))
    refuse_if_fixed(session, event_id)
    protocol = Protocol(
        event_id=event_id,
        version=1,
        result_id=result.id,
        entered_by=result.entered_by,
        confirmed_by=confirmed_by,
        signatories=signatories,
        drawn_up_at=at,
        number=next_number(session, PROTOCOLS),
    )
    session.add(protocol)
    session.flush()
    return protocol


def refuse_if_fixed(session: Session, event_id: int) -> None:
    """What was fixed first stands, even if the result is annulled later (T-Rules 32)."""
    if protocol_of(session, event_id) is not None:
        raise Refusal("result_already_fixed", "Результат события уже зафиксирован протоколом.")


def protocol_of(session: Session, event_id: int) -> Protocol | None:
    """The latest protocol of an event."""
    return session.scalar(
        select(Protocol).where(Protocol.event_id == event_id).order_by(Protocol.version.desc()).limit(1)
    )


def event_by_id(session: Session, event_id: int) -> Event:
    """The event with this number.

    Raises:
        Refusal: ``not_found``.
    """
    event = session.get(Event, event_id)
    if event is None:
        raise Refusal("not_found", "Такого события нет.")
    return event


def result_of(session: Session, event_id: int, result_id: int) -> Result:
    """A result that was entered for this event.

    Raises:
        Refusal: ``not_found``, none is there, or it is another event's.
    """
    result = session.get(Result, result_id)
    if result is None or result.event_id != event_id:
        raise Refusal("not_found", "Такого результата у этого события нет.")
    return result
