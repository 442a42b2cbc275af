"""Stops of sales."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from operator import attrgetter
from typing import Any

from api.answers import refuses
from api.auth import allowed
from api.events.trades import refuse_sales_after_start
from api.house import caller, session
from api.pages import page_of
from api.reasons import Reason
from api.requests import Blueprint
from api.stops.schemas import NewStop, StopPage, StopQuery, StopShown
from api.stops.subjects import checked_subject
from db.clock import trade_time
from office.callers import Role
from office.stops.rights import MAY_STOP
from office.stops.standing import ToldStop, standing, stops, told
from office.stops.switches import resume_sales, stop_sales

sales_stops = Blueprint("sales_stops", __name__, url_prefix="/api/v1/sales-stops", description="Остановки продаж")
READERS = frozenset(Role) - {Role.PLAYER, Role.CASHIER}


@sales_stops.post("")
@sales_stops.doc(operationId="stop_sales")
@sales_stops.arguments(NewStop)
@sales_stops.response(201, StopShown)
@allowed(*MAY_STOP)
@refuses("sales_already_stopped", "effective_from_too_early", "not_found")
def stop(asked: dict[str, Any]) -> dict[str, Any]:
    """Stop sales of a scope, now or from a later instant."""
    scope = asked.pop("scope")
    subject = checked_subject(session(), scope, asked.pop("subject") or "")
    made = stop_sales(session(), scope, subject, by=caller(), **asked)
    session().commit()
    return _shown(ToldStop(made, None), trade_time(session()))


@sales_stops.get("")
@sales_stops.doc(operationId="list_sales_stops")
@sales_stops.arguments(StopQuery, location="query")
@sales_stops.response(200, StopPage)
@allowed(*READERS)
def list_stops(page: dict[str, Any]) -> dict[str, Any]:
    """The stops there are and were, the latest made first."""
    found, following = page_of(page, partial(stops, session(), is_open=page.pop("open")), attrgetter("stop.id"))
    now = trade_time(session())
    return {"items": [_shown(each, now) for each in found], "next_cursor": following}


@sales_stops.get("/<int:stop_id>")
@sales_stops.doc(operationId="show_sales_stop")
@sales_stops.response(200, StopShown)
@allowed(*READERS)
def show_stop(stop_id: int) -> dict[str, Any]:
    """A stop and its end."""
    return _shown(told(session(), stop_id), trade_time(session()))


@sales_stops.post("/<int:stop_id>/resumption")
@sales_stops.doc(operationId="resume_sales")
@sales_stops.arguments(Reason)
@sales_stops.response(201, StopShown)
@allowed(*MAY_STOP)
@refuses("sales_already_resumed", "event_started")
def resume(asked: dict[str, Any], stop_id: int) -> dict[str, Any]:
    """Let sales of a stopped scope go on, or withdraw a planned stop."""
    resume_sales(session(), stop_id, by=caller(), reason=asked["reason"], objections=(refuse_sales_after_start,))
    session().commit()
    return _shown(told(session(), stop_id), trade_time(session()))


def _shown(found: ToldStop, at: datetime) -> dict[str, Any]:
    stop, end = found.stop, found.resumption
    return {
        **{name: getattr(stop, name) for name in StopShown().fields if hasattr(stop, name)},
        "standing": standing(stop, end, at),
        "resumed_at": end and end.resumed_at,
        "resumption_reason": end and end.reason,
        "resumed_by": end and end.resumed_by,
    }
