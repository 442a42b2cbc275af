"""What the reports show."""

from __future__ import annotations

from marshmallow import fields

from api.fields import Day, Money, Number, Schema, line, word
from ledger.accounts import Kind


class AccountLineShown(Schema):
    """One account of the trial balance."""

    code = fields.String(required=True)
    title = fields.String(required=True)
    kind = word(Kind, required=True)
    subject = fields.String(required=True)
    debits = Money(required=True)
    credits = Money(required=True)
    debit_balance = Money(required=True)
    credit_balance = Money(required=True)


class TrialBalanceShown(Schema):
    """The trial balance; ``difference`` must be zero."""

    lines = fields.List(fields.Nested(AccountLineShown), required=True)
    debits = Money(required=True)
    credits = Money(required=True)
    difference = Money(required=True, signed=True)


class FundCoverShown(Schema):
    """What is owed to bettors and what lies for it."""

    owed = fields.Dict(keys=fields.String(), values=Money(), required=True)
    total_owed = Money(required=True)
    players = Money(required=True)
    special_account = Money(required=True)
    desks = Money(required=True)
    safe = Money(required=True)
    in_transit = Money(required=True)
    bank = Money(required=True)
    fund_is_covered = fields.Boolean(required=True)
    all_is_covered = fields.Boolean(required=True)


class PayoutJournalQuery(Schema):
    """Which part of the journal: days of the operator's calendar, both included, and a desk.

    With `reason` persons are shown whole, if the role may see that; each of them and the reason are put on record.
    """

    since = Day(load_default=None, data_key="from")
    until = Day(load_default=None, data_key="to")
    desk_id = Number(load_default=None)
    reason = line(load_default=None, metadata={"description": "зачем нужны данные без маски"})
