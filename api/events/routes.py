"""Events, results, protocols."""

from __future__ import annotations

from typing import Any

from api.answers import refuses
from api.auth import allowed
from api.events.schemas import EventShown, NewEvent, NewProtocol, NewResult, ProtocolShown, ResultShown
from api.house import caller, session
from api.requests import Blueprint
from db.clock import trade_time
from events.models import Event, Protocol, Result
from events.results import announce_event, confirm_result, enter_result
from ledger.refusals import Refusal
from office.users import Role

events = Blueprint("events", __name__, url_prefix="/api/v1/events", description="События и результаты")


@events.post("")
@events.doc(operationId="announce_event")
@events.arguments(NewEvent)
@events.response(201, EventShown)
@allowed(Role.ORGANIZER, Role.TRADER)
@refuses("code_taken")
def announce(told: dict[str, Any]) -> Event:
    """Announce an event."""
    event = announce_event(session(), Event(**told, entered_by=caller().user_id))
    session().commit()
    return event


@events.get("/<int:event_id>")
@events.doc(operationId="show_event")
@events.response(200, EventShown)
@allowed(*Role)
def show(event_id: int) -> Event:
    """An event as announced."""
    event = session().get(Event, event_id)
    if event is None:
        raise Refusal("not_found", "Такого события нет.")
    return event


@events.post("/<int:event_id>/results")
@events.doc(operationId="enter_result")
@events.arguments(NewResult)
@events.response(201, ResultShown)
@allowed(Role.ORGANIZER)
@refuses("event_not_started", "result_already_fixed")
def enter(told: dict[str, Any], event_id: int) -> Result:
    """Enter a result; it moves nothing until another organizer confirms it."""
    entry = Result(**{"score": None, **told}, entered_by=caller().user_id, entered_at=trade_time(session()))
    result = enter_result(session(), event_id, entry)
    session().commit()
    return result


@events.post("/<int:event_id>/protocols")
@events.doc(operationId="confirm_result")
@events.arguments(NewProtocol)
@events.response(201, ProtocolShown)
@allowed(Role.ORGANIZER)
@refuses("second_person_needed", "result_already_fixed")
def confirm(told: dict[str, Any], event_id: int) -> Protocol:
    """Confirm a result entered by another login, by the commission's signed protocol."""
    user_id = caller().user_id
    assert user_id is not None, "an organizer is a user of the office"
    protocol = confirm_result(
        session(),
        event_id,
        told["result_id"],
        confirmed_by=user_id,
        signatories=told["signatories"],
        at=trade_time(session()),
    )
    session().commit()
    return protocol
