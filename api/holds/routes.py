"""Holding the payouts of a pool, and letting them go on."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

from api.answers import refuses
from api.auth import allowed
from api.holds.schemas import HoldPage, HoldQuery, HoldShown
from api.house import caller, house, session
from api.pages import page_of
from api.reasons import Reason
from api.requests import Blueprint
from office.callers import Role
from reports.holds import HoldLine, hold_line
from reports.holds import holds as read_holds
from tote.holds import hold_pool, release_pool
from tote.pools import pool_by_code

holds = Blueprint("holds", __name__, url_prefix="/api/v1", description="Приостановка выплат")


@holds.post("/pools/<code:code>/payout-holds")
@holds.doc(operationId="hold_payouts")
@holds.arguments(Reason)
@holds.response(201, HoldShown)
@allowed(Role.SUPERVISOR, Role.ORGANIZER)
@refuses("payouts_already_held", "unknown_pool")
def hold(told: dict[str, Any], code: str) -> HoldLine:
    """Hold a pool's payouts: desks refuse its tickets, and no game account is credited, until the hold is released."""
    held = hold_pool(session(), pool_by_code(session(), code), caller(), told["reason"])
    session().commit()
    return hold_line(session(), held.id)


@holds.post("/payout-holds/<int:hold_id>/release")
@holds.doc(operationId="release_payouts")
@holds.arguments(Reason)
@holds.response(201, HoldShown)
@allowed(Role.SUPERVISOR, Role.ORGANIZER)
@refuses("payouts_not_held", "held_by_claim")
def release(told: dict[str, Any], hold_id: int) -> HoldLine:
    """Let the payouts of a held pool go on; its wins are credited by the next sweep."""
    release_pool(session(), house().operator, hold_id, caller(), told["reason"])
    session().commit()
    return hold_line(session(), hold_id)


@holds.get("/payout-holds")
@holds.doc(operationId="list_payout_holds")
@holds.arguments(HoldQuery, location="query")
@holds.response(200, HoldPage)
@allowed(Role.SUPERVISOR, Role.ORGANIZER, Role.ACCOUNTANT, Role.AUDITOR)
def list_holds(page: dict[str, Any]) -> dict[str, Any]:
    """The holds of payouts, ended ones included unless only those that stand are asked for."""
    items, following = page_of(page, partial(read_holds, session(), page["standing"]), attrgetter("id"))
    return {"items": items, "next_cursor": following}
