"""What deciding as a second person takes and shows."""

from __future__ import annotations

from marshmallow import fields, validate

from api.fields import Instant, PageQuery, Schema, line
from office.approvals.acts import ACTS
from office.approvals.deciding import Decision
from office.approvals.standing import State


class ApprovalQuery(PageQuery):
    """Which proposals: of one act, in one state."""

    act = fields.String(load_default=None, validate=validate.OneOf(sorted(ACTS)))
    state = fields.Enum(State, by_value=True, load_default=None)


class ApprovalShown(Schema):
    """A proposal: what exactly is to be done, who proposed it, how it stands, who decided."""

    id = fields.Integer(required=True)
    act = fields.String(required=True, metadata={"enum": sorted(ACTS)})
    title = fields.String(required=True)
    subject = fields.String(required=True, metadata={"example": "ticket:1204"})
    content = fields.Dict(keys=fields.String(), required=True)
    reason = fields.String(allow_none=True)
    state = fields.Enum(State, by_value=True, required=True)
    proposed_by = fields.String(required=True)
    proposed_at = Instant(required=True)
    lapses_at = Instant(required=True)
    approvers = fields.List(fields.String(), required=True)
    may_decide = fields.Boolean(required=True)
    decided_by = fields.String(allow_none=True)
    decided_at = Instant(allow_none=True)
    decision_reason = fields.String(allow_none=True)


class ApprovalPage(Schema):
    """A page of proposals, the oldest first."""

    items = fields.List(fields.Nested(ApprovalShown), required=True)
    next_cursor = fields.Integer(allow_none=True)


class NewDecision(Schema):
    """A second person's word on a proposal, or the proposer's own withdrawal of it."""

    decision = fields.Enum(Decision, by_value=True, required=True)
    reason = line()
