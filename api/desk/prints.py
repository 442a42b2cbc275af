"""Tickets on paper: the original for who sold it or whose it is, duplicates for the second person at the desk."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from typing import Any

from marshmallow import fields, validate

from api.answers import refuses
from api.auth import allowed
from api.desk.blueprint import desk
from api.fields import IdempotencyKey, Instant, Schema
from api.house import caller, house, let_go, session
from api.ownership import own_only
from api.reasons import reason
from api.requests import keyed
from desk.ticket_prints import PaperForm, TicketPrint, print_duplicate, print_original
from documents.receipt_printer import printer_bytes
from documents.roll import Roll, roll_pdf
from office.callers import Role
from reports.papers.ticket import ticket_roll
from tote.cancelling import is_cancelled
from tote.receipts import no_such_ticket, receipt
from tote.repeats import note_repeat

FORMS: dict[str, tuple[str, Callable[[Roll], bytes]]] = {
    PaperForm.PDF: ("application/pdf", roll_pdf),
    PaperForm.ESCPOS: ("application/octet-stream", printer_bytes),
}
"""How a roll becomes a file of each form, and what that file is called."""


class NewPrint(Schema):
    """A ticket to be printed: for any printer, or in the language of a receipt printer."""

    format = fields.String(required=True, validate=validate.OneOf(list(FORMS)))


class NewDuplicate(NewPrint):
    """A duplicate to be printed, and why."""

    reason = reason()


class PrintShown(Schema):
    """A ticket on paper: the file in base64, for a printer and not to be kept, for it carries the payable code."""

    id = fields.Integer(required=True)
    ticket = fields.Integer(required=True)
    duplicate = fields.Integer(required=True, allow_none=True, metadata={"description": "its number; null: original"})
    printed_at = Instant(required=True)
    format = fields.String(required=True, metadata={"enum": list(FORMS)})
    media_type = fields.String(required=True, metadata={"example": "application/pdf"})
    content = fields.String(required=True, metadata={"example": "JVBERi0xLjc=", "contentEncoding": "base64"})


@desk.post("/tickets/<int:number>/prints")
@desk.arguments(IdempotencyKey, location="headers")
@desk.arguments(NewPrint)
@desk.response(201, PrintShown)
@allowed(Role.CASHIER, Role.PLAYER)
@refuses(
    "no_open_shift",
    "terminal_withdrawn",
    "desk_withdrawn",
    "not_sold_here",
    "selling_shift_over",
    "ticket_cancelled",
    "already_printed",
)
def print_ticket(headers: dict[str, Any], told: dict[str, Any], number: int) -> Any:
    """Print a ticket, once: at the terminal that sold it and in the same shift, or by the player whose it is.

    The same key gives the same original again, for a terminal whose printer jammed.
    """
    found = receipt(session(), number)
    own_only(no_such_ticket(), desk_id=found.desk_id, player_id=found.player_id)
    form = PaperForm(told["format"])
    print_id, replay = keyed(
        headers["key"], told, lambda: print_original(session(), number, form, caller(), is_cancelled).id
    )
    if replay:
        note_repeat(session(), number, caller())
    return _shown(print_id), replay


@desk.post("/tickets/<int:number>/duplicates")
@desk.arguments(IdempotencyKey, location="headers")
@desk.arguments(NewDuplicate)
@desk.response(201, PrintShown)
@allowed(Role.SUPERVISOR)
@refuses("ticket_cancelled")
def duplicate_ticket(headers: dict[str, Any], told: dict[str, Any], number: int) -> Any:
    """Print a ticket again, marked as a duplicate with its number; a significant event."""
    form = PaperForm(told["format"])
    print_id, replay = keyed(
        headers["key"],
        told,
        lambda: print_duplicate(session(), number, form, told["reason"], caller(), is_cancelled).id,
    )
    return _shown(print_id), replay


def _shown(print_id: int) -> dict[str, Any]:
    """The paper, made from the record after the commit; no connection is held while it is set."""
    made = session().get_one(TicketPrint, print_id)
    found = receipt(session(), made.ticket_id)
    code = house().codes.open(found.code_sealed, found.code_digest)
    roll = ticket_roll(session(), house().operator, found, code, made)
    let_go()
    media_type, rendered = FORMS[made.form]
    return {
        "id": made.id,
        "ticket": made.ticket_id,
        "duplicate": made.copy or None,
        "printed_at": made.printed_at,
        "format": made.form,
        "media_type": media_type,
        "content": b64encode(rendered(roll)).decode("ascii"),
    }
