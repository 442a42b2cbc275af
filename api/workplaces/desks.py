"""Desks: into the register, out of it, and as it shows them."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

from sqlalchemy import Row

from api.answers import refuses
from api.auth import allowed
from api.house import caller, house, session
from api.ownership import own_only, sight
from api.pages import page_of
from api.reasons import Reason
from api.workplaces.blueprint import WATCHERS, workplaces
from api.workplaces.schemas import DeskPage, DeskQuery, DeskShown, NewDesk
from desk.agents import ContractTerms, conclude
from desk.gates import no_such_desk
from desk.models import Desk
from desk.register import entries, entry, register_desk, withdraw_desk
from office.callers import Role


@workplaces.post("/desks")
@workplaces.doc(operationId="register_desk")
@workplaces.arguments(NewDesk)
@workplaces.response(201, DeskShown)
@allowed(Role.ADMINISTRATOR)
@refuses("code_taken", "certificate_needed", "certificate_exceeded", "contract_term_wrong")
def register(told: dict[str, Any]) -> Row[Any]:
    """Register a desk by its tax certificate, the organizer's own or one that an agent's point uses."""
    contract = told.pop("contract", None)
    desk = Desk(**told, registered_by=caller().user_id)
    register_desk(session(), desk, house().operator.currency, caller())
    if contract is not None:
        conclude(session(), house().operator, desk.id, ContractTerms(**contract), caller())
    session().commit()
    return entry(session(), desk.id)


@workplaces.get("/desks")
@workplaces.arguments(DeskQuery, location="query")
@workplaces.response(200, DeskPage)
@allowed(*WATCHERS, Role.CASHIER)
def list_desks(asked: dict[str, Any]) -> dict[str, Any]:
    """The register of desks, the newest entry first; cashiers see their own."""
    read = partial(entries, session(), desk_id=sight().desk_id, registered=asked.get("registered"))
    desks, following = page_of(asked, read, attrgetter("id"))
    return {"items": desks, "next_cursor": following}


@workplaces.get("/desks/<int:desk_id>")
@workplaces.response(200, DeskShown)
@allowed(*WATCHERS, Role.CASHIER)
def show_desk(desk_id: int) -> Row[Any]:
    """A desk; cashiers see their own."""
    own_only(no_such_desk(), desk_id=desk_id)
    return entry(session(), desk_id)


@workplaces.post("/desks/<int:desk_id>/withdrawal")
@workplaces.doc(operationId="withdraw_desk")
@workplaces.arguments(Reason)
@workplaces.response(201, DeskShown)
@allowed(Role.ADMINISTRATOR)
@refuses("desk_withdrawn", "shift_still_open")
def withdraw(told: dict[str, Any], desk_id: int) -> Row[Any]:
    """Take a desk out of the register for good: nothing is sold or paid through it any more (T-Prov 4)."""
    withdraw_desk(session(), desk_id, told["reason"], caller())
    session().commit()
    return entry(session(), desk_id)
