"""What became of the alarms: what arrived, what waits, what was put aside."""

from __future__ import annotations

from functools import partial
from typing import Any

from api.alarms.schemas import AlarmPage, AlarmQuery
from api.auth import allowed
from api.house import session
from api.pages import page_of
from api.requests import Blueprint
from office.alarms.deliveries import AlarmDelivery
from office.alarms.standing import State, backlogs, deliveries, state_of
from office.callers import Role
from office.significant.kinds import title_of
from office.significant.log import SignificantEvent

alarms = Blueprint("alarms", __name__, url_prefix="/api/v1/alarms", description="Тревоги и их доставка")


@alarms.get("")
@alarms.arguments(AlarmQuery, location="query")
@alarms.response(200, AlarmPage)
@allowed(Role.ADMINISTRATOR, Role.ORGANIZER, Role.AUDITOR)
def list_alarms(asked: dict[str, Any]) -> dict[str, Any]:
    """The deliveries of alarms, the latest planned first."""
    page = {name: asked.pop(name) for name in ("cursor", "limit")}
    found, following = page_of(page, partial(deliveries, session(), **asked), lambda pair: pair[0].id)
    return {"items": [_shown(*pair) for pair in found], "next_cursor": following, "backlogs": backlogs(session())}


def _shown(delivery: AlarmDelivery, event: SignificantEvent) -> dict[str, Any]:
    of_event = {name: getattr(event, name) for name in ("kind", "severity", "subject", "occurred_at")}
    named = ("event_id", "channel", "attempts", "planned_at", "delivered_at", "abandoned_at", "last_error")
    state = state_of(delivery)
    return {
        **of_event,
        **{name: getattr(delivery, name) for name in named},
        "id": delivery.key,
        "title": title_of(event.kind),
        "state": state.value,
        "next_attempt_at": delivery.next_attempt_at if state is State.WAITING else None,
    }
