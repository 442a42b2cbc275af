"""What the journal of transfers shows, and by what it is read."""

from __future__ import annotations

from marshmallow import fields

from api.fields import Day, Instant, Money, Number, PageQuery, Schema, line, word
from ledger.accounts import Kind
from ledger.money import CURRENCIES


class EntryShown(Schema):
    """A transfer: the amount went from the credit account to the debit account."""

    id = fields.Integer(required=True)
    kind = fields.String(required=True)
    amount = Money(required=True)
    debit_account_id = fields.Integer(required=True)
    debit_kind = fields.String(required=True)
    debit_subject = fields.String(required=True)
    credit_account_id = fields.Integer(required=True)
    credit_kind = fields.String(required=True)
    credit_subject = fields.String(required=True)
    ticket_id = fields.Integer(required=True, allow_none=True)
    settlement_id = fields.Integer(required=True, allow_none=True)
    shift_id = fields.Integer(required=True, allow_none=True)
    reverses_id = fields.Integer(required=True, allow_none=True)
    reason = fields.String(required=True, allow_none=True)
    occurred_at = Instant(required=True)
    recorded_at = Instant(required=True)
    booked_on = fields.Date(required=True)


class EntryQuery(PageQuery):
    """Which transfers to list."""

    account_id = Number(metadata={"description": "счёт в дебете или в кредите"})
    kind = line(60, metadata={"description": "вид перевода, например stake или payout"})
    ticket_id = Number()
    shift_id = Number()
    day = Day(metadata={"description": "день, которым перевод учтён"})


class EntryPage(Schema):
    """A page of the journal, the latest transfer first."""

    items = fields.List(fields.Nested(EntryShown), required=True)
    next_cursor = fields.Integer(allow_none=True)


class AccountShown(Schema):
    """An account: what it stands for, and whose it is."""

    id = fields.Integer(required=True)
    kind = fields.String(required=True)
    subject = fields.String(required=True)
    currency = word(CURRENCIES, required=True)


class AccountQuery(PageQuery):
    """Which accounts to list."""

    kind = fields.Enum(Kind, by_value=True)
    subject = line(60, metadata={"description": "чей счёт, например player:12 или desk:K-1"})


class AccountPage(Schema):
    """A page of accounts, the latest opened first."""

    items = fields.List(fields.Nested(AccountShown), required=True)
    next_cursor = fields.Integer(allow_none=True)
