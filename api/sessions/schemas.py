"""What signing in takes and shows, and what a new password takes."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

from api.fields import Instant, Schema, code, line, word
from office.callers import Role

LONGEST_TYPED = 200
"""Signs of a password in a request; what a new one must be is told by `office.password_rules`."""


def password(**kwargs: Any) -> fields.String:
    """A password as somebody types it: never shown."""
    return fields.String(required=True, validate=validate.Length(1, LONGEST_TYPED), load_only=True, **kwargs)


class TerminalProof(Schema):
    """A terminal's code and its secret: a cashier signs in at one (DESIGN 4)."""

    code = code(required=True)
    secret = fields.String(required=True, validate=validate.Length(1, 200), load_only=True)


class SignIn(Schema):
    """Login and password; a cashier adds the terminal, and anybody else who stands at one may."""

    login = line(60, required=True)
    password = password()
    terminal = fields.Nested(TerminalProof)


class PlayerSignIn(Schema):
    """Login and password of a registered player."""

    login = line(60, required=True)
    password = password()


class Token(Schema):
    """A bearer token, shown this once. With ``password_change_needed`` it may change the password, and nothing else."""

    token = fields.String(required=True)
    role = word(Role, required=True)
    expires_at = Instant(required=True)
    password_change_needed = fields.Boolean(required=True)


class OwnPassword(Schema):
    """The password that holds, and the one to hold from now on."""

    old_password = password()
    password = password()


class SessionsEnded(Schema):
    """How many sessions were ended."""

    sessions_ended = fields.Integer(required=True)
