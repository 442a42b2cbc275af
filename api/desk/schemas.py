"""What desks, shifts, cash and payouts take and show."""

from __future__ import annotations

from marshmallow import fields, validate

from api.fields import Instant, Money, Schema, code, line, word
from desk.cash import DEPOSIT, TreasuryAct


class NewDesk(Schema):
    """A desk to be registered: its tax certificate and the serial number of its cash register (T-Prov 4)."""

    code = code(required=True)
    place = line(required=True)
    certificate = line(60, required=True)
    cash_register = line(60, required=True)


class DeskShown(NewDesk):
    """A registered desk."""

    id = fields.Integer(required=True)


class NewTerminal(Schema):
    """A terminal to be put at a desk."""

    code = code(required=True)


class TerminalShown(Schema):
    """A terminal; the secret is shown this once."""

    id = fields.Integer(required=True)
    desk_id = fields.Integer(required=True)
    code = fields.String(required=True)
    secret = fields.String(required=True)


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


class Document(Schema):
    """The identity document shown for a payout (T-Prov 22)."""

    kind = line(60, required=True)
    number = line(60, required=True, metadata={"example": "MP1234567"})
    issued_on = fields.Date(required=True)
    issued_by = line(required=True)


class NewPayout(Schema):
    """A winning ticket presented for cash, with the player's name and identity document."""

    code = fields.String(
        required=True, validate=validate.Length(8, 64), load_only=True, metadata={"example": "ZJLHYSWR2SD2CCSJ"}
    )
    surname = line(60, required=True)
    name = line(60, required=True, metadata={"example": "Пётр"})
    patronymic = line(60)
    document = fields.Nested(Document, required=True)


class PayoutShown(Schema):
    """A line of the journal of cash payouts; the person is named by a masked surname (D-16)."""

    number = fields.Integer(required=True)
    ticket = fields.Integer(required=True)
    amount = Money(required=True)
    paid_at = Instant(required=True)
    desk = fields.String(required=True)
    cash_register = fields.String(required=True)
    cashier = fields.String(required=True)
    person = fields.String(required=True)
    document = fields.String(required=True)


class PayoutPage(Schema):
    """A page of the journal."""

    items = fields.List(fields.Nested(PayoutShown), required=True)
    next_cursor = fields.Integer(allow_none=True)
