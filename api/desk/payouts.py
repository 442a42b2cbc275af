"""Paying winning tickets in cash, and the journal of it."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

from api.answers import refuses
from api.approvals.schemas import ApprovalShown
from api.auth import allowed
from api.desk.blueprint import desk
from api.desk.schemas import NewPayout, NewPayoutProposal, PayoutPage, PayoutQuery, PayoutShown
from api.fields import IdempotencyKey
from api.guessing import codes_at, guarded
from api.house import caller, house, session
from api.ownership import own_desk, own_only
from api.pages import page_of
from api.requests import keyed
from desk.gates import no_such_desk
from desk.payouts import pay, propose_payout
from desk.second_person import Presented, recipient
from office.callers import Role
from office.persons.details import Document, NaturalPerson
from reports.approvals import approval
from reports.payouts import JournalLine, Wanted, journal, line, line_numbered, no_such_line
from tote.expiry import lapse_win

DUE_REFUSALS = (
    "no_open_shift",
    "terminal_withdrawn",
    "desk_withdrawn",
    "too_many_attempts",
    "ticket_not_found",
    "ticket_is_online",
    "not_settled",
    "payout_held",
    "settlement_under_way",
    "ticket_lost",
    "already_paid",
    "not_payable_yet",
    "payment_term_over",
)
"""Why nothing is due on a ticket that is presented."""
APPROVAL_REFUSALS = (
    "second_person_needed",
    "approval_waiting",
    "approval_refused",
    "approval_lapsed",
    "approval_used",
    "approval_differs",
    "proposer_not_entitled",
    "approver_not_entitled",
    "not_found",
)
"""Why a payout by two persons is not approved, or not this one."""


@desk.post("/payouts")
@desk.arguments(IdempotencyKey, location="headers")
@desk.arguments(NewPayout)
@desk.response(201, PayoutShown)
@allowed(Role.CASHIER)
@refuses(*DUE_REFUSALS, *APPROVAL_REFUSALS, "not_enough_money")
def pay_out(headers: dict[str, Any], told: dict[str, Any]) -> Any:
    """Pay a winning ticket in cash against an identity document, and write the journal's line.

    A large payout and one by a typed code are refused with `second_person_needed`: propose the payout, and when it is
    approved present the ticket again, with the `approval` and a fresh key.
    """
    with guarded("ticket_not_found", codes_at(caller())):
        payout_id, replay = keyed(
            headers["key"],
            _without_secrets(told),
            lambda: pay(session(), house().operator, _presented(told), caller(), lapse_win).id,
        )
    return line(session(), house().persons, payout_id), replay


@desk.post("/payout-proposals")
@desk.doc(operationId="propose_payout")
@desk.arguments(IdempotencyKey, location="headers")
@desk.arguments(NewPayoutProposal)
@desk.response(201, ApprovalShown)
@allowed(Role.CASHIER)
@refuses(*DUE_REFUSALS)
def propose_to_pay(headers: dict[str, Any], told: dict[str, Any]) -> Any:
    """Propose a payout that takes two persons; a supervisor decides on it from wherever they are signed in."""
    with guarded("ticket_not_found", codes_at(caller())):
        proposal_id, replay = keyed(
            headers["key"],
            _without_secrets(told),
            lambda: (
                propose_payout(session(), house().operator, _presented(told), caller(), told["reason"], lapse_win).id
            ),
        )
    return approval(session(), house().persons, proposal_id, caller()), replay


@desk.get("/payouts")
@desk.arguments(PayoutQuery, location="query")
@desk.response(200, PayoutPage)
@allowed(Role.CASHIER, Role.SUPERVISOR, Role.ACCOUNTANT, Role.AUDITOR)
@refuses("not_found")
def list_payouts(asked: dict[str, Any]) -> dict[str, Any]:
    """The journal of cash payouts in the order of its numbers; cashiers see the lines of their own desk."""
    desk_id = own_desk(asked.get("desk_id"), no_such_desk())
    wanted = Wanted(desk_id, asked.get("shift_id"), asked["entry"], asked["near_expiry"])
    lines, following = page_of(asked, partial(journal, session(), house().persons, wanted), attrgetter("number"))
    return {"items": lines, "next_cursor": following}


@desk.get("/payouts/<int:number>")
@desk.response(200, PayoutShown)
@allowed(Role.CASHIER, Role.SUPERVISOR, Role.ACCOUNTANT, Role.AUDITOR)
def show_payout(number: int) -> JournalLine:
    """A line of the journal by its running number; cashiers see the lines of their own desk."""
    found = line_numbered(session(), house().persons, number)
    own_only(no_such_line(), desk_id=found.desk_id)
    return found


def _presented(told: dict[str, Any]) -> Presented:
    approved = told.get("approval")
    paid = NaturalPerson(
        told["surname"], told["name"], told.get("patronymic", ""), document=Document(**told["document"])
    )
    person = recipient(session(), house().persons, paid, approved)
    return Presented(house().codes.digest(told["code"]), told["code_entry"], person, approved)


def _without_secrets(told: dict[str, Any]) -> dict[str, Any]:
    """What a payout means, for its key: the code enters as its HMAC, so that the fingerprint betrays nothing."""
    return {**told, "code": house().codes.digest(told["code"]).hex()}
