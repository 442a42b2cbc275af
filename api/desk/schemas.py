"""What cash and payouts take and show."""

from __future__ import annotations

from marshmallow import fields, validate

from api.fields import Instant, Money, Number, PageQuery, Schema, line, word
from api.persons.schemas import NewDocument
from desk.cash import DEPOSIT, TreasuryAct
from desk.models import CodeEntry


class NewTreasuryMovement(Schema):
    """Money moved between the operator's own places; a desk's cash is carried by `POST /desk-floats` and
    `POST /collections`.
    """

    act = fields.Enum(TreasuryAct, by_value=True, required=True)
    amount = Money(required=True)


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


class ReceiptShown(Schema):
    """A fiscal receipt as it was entered; a later version corrects it, with a reason."""

    version = fields.Integer(required=True)
    number = fields.String(required=True, metadata={"example": "000124"})
    cash_register = fields.String(required=True)
    reason = fields.String(required=True, allow_none=True)
    entered_by = fields.String(required=True, metadata={"example": "Иванова А. А."})
    entered_at = Instant(required=True)


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
    fiscal_receipts = fields.List(
        fields.Nested(ReceiptShown), required=True, metadata={"description": "все внесённые; действует последний"}
    )


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
