"""Shifts: opened and closed on counted cash, their sheets, and the report that closes their papers."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

from api.answers import refuses
from api.auth import allowed
from api.desk.blueprint import desk
from api.desk.shift_schemas import NewClosing, NewShift, ShiftPage, ShiftQuery, ShiftReportShown, ShiftWithCash
from api.fields import IdempotencyKey
from api.house import caller, house, session
from api.ownership import own_desk, own_only
from api.pages import page_of
from api.requests import keyed
from desk.cash_limits import desk_cash
from desk.gates import no_such_desk
from desk.shift_report import ShiftReport, shift_report
from desk.shifts import close_shift, no_such_shift, open_shift
from ledger.refusals import Refusal
from office.callers import Role
from reports.shifts import shift_sheet, shift_sheets


@desk.post("/shifts")
@desk.doc(operationId="open_shift")
@desk.arguments(IdempotencyKey, location="headers")
@desk.arguments(NewShift)
@desk.response(201, ShiftWithCash)
@allowed(Role.CASHIER)
@refuses("shift_already_open", "counted_cash_differs", "terminal_withdrawn", "desk_withdrawn")
def start_shift(headers: dict[str, Any], told: dict[str, Any]) -> Any:
    """Open a shift at the caller's desk on counted cash; a difference is confirmed once, booked and on record."""
    number, replay = keyed(headers["key"], told, lambda: _open(told))
    return _with_cash(number), replay


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
@desk.response(200, ShiftWithCash)
@allowed(Role.CASHIER, Role.SUPERVISOR, Role.ACCOUNTANT, Role.AUDITOR)
def show_shift(shift_id: int) -> dict[str, Any]:
    """A shift and its cash; while it is open, the desk's cash now against its limit. Cashiers see their own desk's."""
    shown = _with_cash(shift_id)
    own_only(no_such_shift(), desk_id=shown["desk_id"])
    return shown


@desk.post("/shifts/<int:shift_id>/closing")
@desk.doc(operationId="close_shift")
@desk.arguments(IdempotencyKey, location="headers")
@desk.arguments(NewClosing)
@desk.response(201, ShiftWithCash)
@allowed(Role.CASHIER, Role.SUPERVISOR)
@refuses("shift_already_closed", "unsent_bets", "reason_needed")
def end_shift(headers: dict[str, Any], told: dict[str, Any], shift_id: int) -> Any:
    """Close a shift on counted cash; a difference is booked and stays on record.

    A terminal with `unsent` bets sends them first. A supervisor closes a colleague's shift, and says why.
    """
    own_only(no_such_shift(), desk_id=shift_sheet(session(), shift_id).desk_id)
    _, replay = keyed(headers["key"], told, lambda: _close(shift_id, told))
    return _with_cash(shift_id), replay


@desk.get("/shifts/<int:shift_id>/report")
@desk.doc(operationId="show_shift_report")
@desk.response(200, ShiftReportShown)
@allowed(Role.CASHIER, Role.SUPERVISOR, Role.ACCOUNTANT, Role.AUDITOR)
@refuses("shift_still_open", "receipts_missing", "fiscal_report_missing")
def report_shift(shift_id: int) -> ShiftReport:
    """The closing report, once the fiscal receipts of all payouts and the fiscal report are entered (B-Prov 17)."""
    own_only(no_such_shift(), desk_id=shift_sheet(session(), shift_id).desk_id)
    return shift_report(session(), house().operator, shift_id)


def _open(told: dict[str, Any]) -> int:
    me = caller()
    assert me.terminal_id is not None and me.user_id is not None, "a cashier is bound to a terminal"
    counted, confirmed = told["counted"], told["difference_confirmed"]
    operator = house().operator
    return open_shift(session(), operator, me.terminal_id, me.user_id, counted, difference_confirmed=confirmed).id


def _close(shift_id: int, told: dict[str, Any]) -> int:
    """A cashier closes the desk's own shift, whoever opened it; only a supervisor's word has a reason beside it."""
    me = caller()
    assert me.user_id is not None, "a user of the office closes shifts"
    reason = told.get("reason") if me.role is Role.SUPERVISOR else None
    if me.role is Role.SUPERVISOR and reason is None:
        raise Refusal("reason_needed", "Укажите, почему смену закрывает не кассир.", field="reason")
    operator = house().operator
    return close_shift(
        session(), operator, shift_id, me.user_id, told["counted"], unsent=told["unsent"], reason=reason
    ).id


def _with_cash(shift_id: int) -> dict[str, Any]:
    """A shift's sheet; with the desk's cash of this moment as long as the shift is open."""
    sheet = shift_sheet(session(), shift_id)
    cash = desk_cash(session(), sheet.desk_id) if sheet.closed_at is None else None
    return {**vars(sheet), "expected_cash": sheet.expected_cash, "desk_cash": cash}
