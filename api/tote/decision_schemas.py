"""What the history of a ticket's decisions shows."""

from __future__ import annotations

from marshmallow import fields

from api.fields import Instant, Money, Schema, word
from ledger.settlements import Cause, Decision, End


class DecisionShown(Schema):
    """A version of the decision on a ticket, and how it ended."""

    version = fields.Integer(required=True)
    run = fields.Integer(required=True, metadata={"description": "the version of the settlement that decided so"})
    cause = word(Cause, required=True)
    protocol = fields.Integer(allow_none=True, metadata={"description": "номер протокола, по которому решено"})
    decided_at = Instant(required=True)
    decision = word(Decision, required=True)
    win = Money(required=True)
    stake_back = Money(required=True)
    received = Money(required=True, metadata={"description": "paid or credited by earlier versions and not taken back"})
    due = Money(required=True, metadata={"description": "what this version had still to pay"})
    payable_from = Instant(allow_none=True)
    payable_until = Instant(allow_none=True)
    end = fields.String(allow_none=True, metadata={"enum": [*(str(one) for one in End), None]})
    amount = Money(allow_none=True, metadata={"description": "what its ending moved"})
    ended_at = Instant(allow_none=True)
    taken_back = Money(required=True, metadata={"description": "credited too much, taken back from the game account"})
    claimed = Money(required=True, metadata={"description": "credited too much, claimed from the player"})
    overpaid = Money(required=True, metadata={"description": "paid too much in cash, borne by the organizer"})


class DecisionList(Schema):
    """The decisions on a ticket, the first one first."""

    items = fields.List(fields.Nested(DecisionShown), required=True)
