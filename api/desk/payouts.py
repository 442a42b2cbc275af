"""Paying winning tickets in cash, and the journal of it."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

from api.auth import allowed
from api.desk.blueprint import desk
from api.desk.schemas import NewPayout, PayoutPage, PayoutQuery, PayoutShown, details_of
from api.fields import IdempotencyKey
from api.guessing import codes_at, guarded
from api.house import caller, house, session
from api.ownership import own_desk, own_only
from api.pages import page_of
from api.requests import keyed
from desk.gates import no_such_desk
from desk.payouts import pay
from office.callers import Role
from reports.payouts import JournalLine, journal, line, line_numbered, no_such_line


@desk.post("/payouts")
@desk.arguments(IdempotencyKey, location="headers")
@desk.arguments(NewPayout)
@desk.response(201, PayoutShown)
@allowed(Role.CASHIER)
def pay_out(headers: dict[str, Any], told: dict[str, Any]) -> Any:
    """Pay a winning ticket in cash against an identity document, and write the journal's line."""
    with guarded("ticket_not_found", codes_at(caller())):
        payout_id, replay = keyed(headers["key"], _without_secrets(told), lambda: _pay(told))
    return line(session(), house().persons, payout_id), replay


@desk.get("/payouts")
@desk.arguments(PayoutQuery, location="query")
@desk.response(200, PayoutPage)
@allowed(Role.CASHIER, Role.SUPERVISOR, Role.ACCOUNTANT, Role.AUDITOR)
def list_payouts(asked: dict[str, Any]) -> dict[str, Any]:
    """The journal of cash payouts in the order of its numbers; cashiers see the lines of their own desk."""
    desk_id = own_desk(asked.get("desk_id"), no_such_desk())
    read = partial(journal, session(), house().persons, desk_id=desk_id, shift_id=asked.get("shift_id"))
    lines, following = page_of(asked, read, attrgetter("number"))
    return {"items": lines, "next_cursor": following}


@desk.get("/payouts/<int:number>")
@desk.response(200, PayoutShown)
@allowed(Role.CASHIER, Role.SUPERVISOR, Role.ACCOUNTANT, Role.AUDITOR)
def show_payout(number: int) -> JournalLine:
    """A line of the journal by its running number; cashiers see the lines of their own desk."""
    found = line_numbered(session(), house().persons, number)
    own_only(no_such_line(), desk_id=found.desk_id)
    return found


def _pay(told: dict[str, Any]) -> int:
    person = house().persons.record(
        session(),
        {
            "surname": told["surname"],
            "name": told["name"],
            "patronymic": told.get("patronymic", ""),
            **details_of(told["document"]),
        },
    )
    return pay(session(), house().operator, house().codes.digest(told["code"]), person, caller()).id


def _without_secrets(told: dict[str, Any]) -> dict[str, Any]:
    """What a payout means, for its key: the code enters as its HMAC, so that the fingerprint betrays nothing."""
    return {**told, "code": house().codes.digest(told["code"]).hex()}
