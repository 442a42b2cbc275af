"""How an error looks, for the description of the API (RFC 9457)."""

from __future__ import annotations

from typing import Any

from marshmallow import INCLUDE, Schema, fields

from api.errors import PROBLEMS

PROBLEM = {"$ref": "#/components/schemas/Problem"}
MEANINGS = "\n".join(f"* `{code}` ({status}): {title}" for code, (status, title) in PROBLEMS.items())
"""Every code with its status and title: a client can know them all beforehand."""
WRONG_STAKE = {"json": {"stake": ["Нужны цифры с точкой, например 12.50."]}}
MEMBERS: dict[str, dict[str, Any]] = {
    "validation_failed": {"errors": WRONG_STAKE},
    "rule_broken": {"rule": "unknown_game", "field": "game"},
    "stake_under_minimum": {"minimum": "1.00"},
    "stake_over_maximum": {"maximum": "10000.00"},
    "stake_is_not_the_price": {"price": "2.50", "rows": 1},
    "stake_is_not_divisible": {"rows": 9},
    "rows_unreadable": {"line": 17},
    "ticket_too_large": {"rows": 4_782_969, "most": 2_000_000},
    "already_printed": {"printed_at": "2022-11-22T05:00:00+00:00"},
    "too_many_rows": {"limit": 20_000},
    "unknown_outcome": {"outcomes": ["1", "2", "X"]},
    "receipts_missing": {"payouts": [17, 18]},
    "unsent_bets": {"unsent": 3},
    "pool_not_open": {"opens_at": "2022-11-22T05:00:00+00:00"},
}
"""What these problems say beside their code, always, for a program to act on."""


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


class ProblemShown(fields.Nested):
    """A problem within an answer, with all its members."""

    # The library's own two classes above this one name the first argument differently.
    def _serialize(self, nested_obj: Any, attr: Any, obj: Any, **kwargs: Any) -> Any:  # type: ignore[override]
        return nested_obj


def example_of_problem(code: str) -> dict[str, Any]:
    """A problem document with this code, as a client meets it."""
    status, title = PROBLEMS[code]
    return {
        "type": "about:blank",
        "title": title,
        "status": status,
        "code": code,
        "detail": f"{title}.",
        **MEMBERS.get(code, {}),
    }
