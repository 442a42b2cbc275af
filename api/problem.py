"""How an error looks, for the description of the API (RFC 9457)."""

from __future__ import annotations

from marshmallow import INCLUDE, Schema, fields

from api.errors import PROBLEMS

MEANINGS = "\n".join(f"* `{code}` ({status}): {title}" for code, (status, title) in PROBLEMS.items())
"""Every code with its status and title: a client can know them all beforehand."""


class Problem(Schema):
    """A problem document: ``code`` is stable and for programs; further members say what to do about it."""

    class Meta:
        """A kind of problem brings members of its own: the maximum, the pool's opening, the wrong fields."""

        unknown = INCLUDE

    type = fields.String(required=True, metadata={"example": "about:blank"})
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    code = fields.String(required=True, metadata={"enum": list(PROBLEMS), "description": MEANINGS})
    detail = fields.String(required=True)
    request_id = fields.String(metadata={"description": "of a fault of ours: by it the lines of the log are found"})
    errors = fields.Dict(metadata={"description": "of a failed validation: place, field, what is wrong"})
