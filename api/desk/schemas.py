"""What shifts, cash and payouts take and show."""

from __future__ import annotations

from marshmallow import fields, validate

from api.fields import Instant, Money, Number, PageQuery, Schema, line, word
from api.persons.schemas import NewDocument
from desk.cash import DEPOSIT, TreasuryAct
from desk.models import CodeEntry


class CountedCash(Schema):
    """The cash a cashier counted."""

    counted = Money(required=True, positive=False)


class ShiftShown(Schema):
    """A shift: opening count, and while it is open what its transfers make the cash."""

    id = fields.Integer(required=True)
    desk_id = fields.Integer(required=True)
    opened_by = fields.Integer(required=True)
    opened_at = Instant(required=True)
    opening_cash = Money(required=True)
    received = Money(required=True)
    paid_out = Money(required=True)
    expected_cash = Money(required=True)
    counted_cash = Money(allow_none=True)
    closed_at = Instant(allow_none=True)


class ShiftQuery(PageQuery):
    """Which shifts to list."""

    desk_id = Number()
    open = fields.Boolean(metadata={"description": "true: только открытые; false: только закрытые"})


class ShiftPage(Schema):
    """A page of shifts, the latest opened first."""

    items = fields.List(fields.Nested(ShiftShown), required=True)
    next_cursor = fields.Integer(allow_none=True)


class NewTreasuryMovement(Schema):
    """Money moved between the operator's own places; a desk is named where its cash is moved."""

    act = fields.Enum(TreasuryAct, by_value=True, required=True)
    amount = Money(required=True)
    desk_id = fields.Integer(strict=True, validate=validate.Range(1, 2**63 - 1))


class NewDeposit(Schema):
    """Cash a player pays onto the game account at the desk."""

    player = line(60, required=True, metadata={"description": "логин игрока"})
    amount = Money(required=True)


class TransferShown(Schema):
    """A movement of money on record."""

    id = fields.Integer(required=True)
    kind = word((*TreasuryAct, DEPOSIT), required=True)
    amount = Money(required=True)
    occurred_at = Instant(required=True)


class TicketPresented(Schema):
    """A winning ticket presented for cash, with the player's name and identity document.
    The terminal says how the code came: `scanned` from the ticket, or `typed` by hand.
    """

    code = fields.String(
        required=True, validate=validate.Length(8, 64), load_only=True, metadata={"example": "ZJLHYSWR2SD2CCSJ"}
    )
    code_entry = fields.Enum(CodeEntry, by_value=True, required=True)
    surname = line(60, required=True)
    name = line(60, required=True, metadata={"example": "Пётр"})
    patronymic = line(60)
    document = fields.Nested(NewDocument, required=True)


class NewPayout(TicketPresented):
    """A ticket to be paid; `approval` is the number of the proposal a second person approved, if one was needed."""

    approval = fields.Integer(strict=True, validate=validate.Range(1, 2**63 - 1))


class NewPayoutProposal(TicketPresented):
    """A payout put before a second person, with the reason (why the code could not be scanned, for example)."""

    reason = line(required=True)


class PayoutShown(Schema):
    """A line of the journal of cash payouts; name and document are masked (D-16)."""

    number = fields.Integer(required=True)
    ticket = fields.Integer(required=True, allow_none=True)
    account_withdrawal = fields.Integer(
        required=True, allow_none=True, metadata={"description": "вывод с игрового счёта, если платили не по билету"}
    )
    amount = Money(required=True)
    paid_at = Instant(required=True)
    payable_until = Instant(allow_none=True)
    desk = fields.String(required=True)
    cash_register = fields.String(required=True)
    cashier = fields.String(required=True)
    person = fields.String(required=True)
    document = fields.String(required=True)
    code_entry = fields.String(required=True, metadata={"enum": ["scanned", "typed", "unrecorded", "no_code"]})
    approval = fields.Integer(allow_none=True)
    approved_by = fields.String(allow_none=True)


class PayoutQuery(PageQuery):
    """Which lines of the journal: by how the code came, paid in the term's last days (`payout_near_expiry_days`)."""

    entry = fields.Enum(CodeEntry, by_value=True, load_default=None)
    near_expiry = fields.Boolean(load_default=False)
    desk_id = Number()
    shift_id = Number()


class PayoutPage(Schema):
    """A page of the journal."""

    items = fields.List(fields.Nested(PayoutShown), required=True)
    next_cursor = fields.Integer(allow_none=True)
