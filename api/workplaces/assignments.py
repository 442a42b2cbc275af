"""Who works where: cashiers assigned to desks."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

from sqlalchemy import Row

from api.answers import refuses
from api.auth import allowed
from api.house import caller, session
from api.ownership import own_only
from api.pages import page_of
from api.reasons import Reason
from api.workplaces.blueprint import WATCHERS, workplaces
from api.workplaces.schemas import AssignmentPage, AssignmentQuery, AssignmentShown, NewAssignment
from desk.cashiers import assign, assignment, assignments, dismiss
from desk.gates import desk_by_id, no_such_desk
from office.callers import Role


@workplaces.post("/desks/<int:desk_id>/assignments")
@workplaces.arguments(NewAssignment)
@workplaces.response(201, AssignmentShown)
@allowed(Role.ADMINISTRATOR)
@refuses("desk_withdrawn", "already_assigned")
def assign_cashier(told: dict[str, Any], desk_id: int) -> Row[Any]:
    """Let a cashier work at a desk; from the first assignment on, only at the desks the cashier is assigned to."""
    made = assign(session(), desk_id, told["cashier"], caller())
    session().commit()
    return assignment(session(), made.id)


@workplaces.get("/desks/<int:desk_id>/assignments")
@workplaces.arguments(AssignmentQuery, location="query")
@workplaces.response(200, AssignmentPage)
@allowed(*WATCHERS, Role.CASHIER)
def list_assignments(asked: dict[str, Any], desk_id: int) -> dict[str, Any]:
    """The cashiers of a desk, the latest assigned first; cashiers see those of their own desk."""
    own_only(no_such_desk(), desk_id=desk_id)
    desk_by_id(session(), desk_id)
    read = partial(assignments, session(), desk_id, in_force=asked.get("in_force"))
    found, following = page_of(asked, read, attrgetter("id"))
    return {"items": found, "next_cursor": following}


@workplaces.post("/desks/<int:desk_id>/assignments/<int:assignment_id>/ending")
@workplaces.arguments(Reason)
@workplaces.response(201, AssignmentShown)
@allowed(Role.ADMINISTRATOR)
@refuses("assignment_ended")
def dismiss_cashier(told: dict[str, Any], desk_id: int, assignment_id: int) -> Row[Any]:
    """End a cashier's work at a desk, and the cashier's sessions there."""
    dismiss(session(), desk_id, assignment_id, told["reason"], caller())
    session().commit()
    return assignment(session(), assignment_id)
