"""Shifts: opened and closed on counted cash, and their sheets."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

from api.answers import refuses
from api.auth import allowed
from api.desk.blueprint import desk
from api.desk.schemas import CountedCash, ShiftPage, ShiftQuery, ShiftShown
from api.fields import IdempotencyKey
from api.house import caller, house, session
from api.ownership import own_desk, own_only
from api.pages import page_of
from api.requests import keyed
from desk.gates import no_such_desk
from desk.shifts import close_shift, no_such_shift, open_shift
from office.callers import Role
from reports.shifts import ShiftSheet, shift_sheet, shift_sheets


@desk.post("/shifts")
@desk.doc(operationId="open_shift")
@desk.arguments(CountedCash)
@desk.response(201, ShiftShown)
@allowed(Role.CASHIER)
@refuses("shift_already_open", "counted_cash_differs", "terminal_withdrawn", "desk_withdrawn")
def start_shift(told: dict[str, Any]) -> ShiftSheet:
    """Open a shift at the caller's desk on counted cash."""
    me = caller()
    assert me.terminal_id is not None and me.user_id is not None, "a cashier is bound to a terminal"
    shift = open_shift(session(), me.terminal_id, me.user_id, told["counted"])
    session().commit()
    return shift_sheet(session(), shift.id)


@desk.get("/shifts")
@desk.arguments(ShiftQuery, location="query")
@desk.response(200, ShiftPage)
@allowed(Role.CASHIER, Role.SUPERVISOR, Role.ACCOUNTANT, Role.AUDITOR)
@refuses("not_found")
def list_shifts(asked: dict[str, Any]) -> dict[str, Any]:
    """The shifts, the latest opened first; cashiers see those of their own desk."""
    desk_id = own_desk(asked.get("desk_id"), no_such_desk())
    read = partial(shift_sheets, session(), desk_id=desk_id, is_open=asked.get("open"))
    sheets, following = page_of(asked, read, attrgetter("id"))
    return {"items": sheets, "next_cursor": following}


@desk.get("/shifts/<int:shift_id>")
@desk.response(200, ShiftShown)
@allowed(Role.CASHIER, Role.SUPERVISOR, Role.ACCOUNTANT, Role.AUDITOR)
def show_shift(shift_id: int) -> ShiftSheet:
    """A shift and its cash; cashiers see the shifts of their own desk."""
    sheet = shift_sheet(session(), shift_id)
    own_only(no_such_shift(), desk_id=sheet.desk_id)
    return sheet


@desk.post("/shifts/<int:shift_id>/closing")
@desk.doc(operationId="close_shift")
@desk.arguments(IdempotencyKey, location="headers")
@desk.arguments(CountedCash)
@desk.response(201, ShiftShown)
@allowed(Role.CASHIER)
@refuses("shift_already_closed")
def end_shift(headers: dict[str, Any], told: dict[str, Any], shift_id: int) -> Any:
    """Close a shift on counted cash; a difference is booked and stays on record."""
    own_only(no_such_shift(), desk_id=shift_sheet(session(), shift_id).desk_id)
    cashier = caller().user_id
    assert cashier is not None, "a cashier is a user of the office"
    _, replay = keyed(
        headers["key"],
        told,
        lambda: close_shift(session(), house().operator, shift_id, cashier, told["counted"]).id,
    )
    return shift_sheet(session(), shift_id), replay
