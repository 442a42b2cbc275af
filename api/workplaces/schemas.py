"""What desks, terminals and assignments take and show."""

from __future__ import annotations

from marshmallow import fields

from api.fields import Instant, Number, PageQuery, Schema, code, line


class NewDesk(Schema):
    """A desk to be registered: its tax certificate and the serial number of its cash register (T-Prov 4)."""

    code = code(required=True)
    place = line(required=True)
    certificate = line(60, required=True)
    cash_register = line(60, required=True)


class DeskShown(NewDesk):
    """A desk as the register shows it; withdrawn once it left the register."""

    id = fields.Integer(required=True)
    registered_at = Instant(required=True)
    withdrawn_at = Instant(required=True, allow_none=True)
    withdrawal_reason = fields.String(required=True, allow_none=True)


class DeskQuery(PageQuery):
    """Which desks to list."""

    registered = fields.Boolean(
        metadata={"description": "true: только состоящие на учёте; false: только снятые с регистрации"}
    )


class DeskPage(Schema):
    """A page of the register, the newest entry first."""

    items = fields.List(fields.Nested(DeskShown), required=True)
    next_cursor = fields.Integer(allow_none=True)


class NewTerminal(Schema):
    """A terminal to be put at a desk."""

    code = code(required=True)


class Secret(Schema):
    """A terminal and its secret; the secret is shown this once."""

    id = fields.Integer(required=True)
    desk_id = fields.Integer(required=True)
    code = fields.String(required=True)
    secret = fields.String(required=True)


class TerminalShown(Schema):
    """A terminal; never its secret."""

    id = fields.Integer(required=True)
    desk_id = fields.Integer(required=True)
    code = fields.String(required=True)
    installed_at = Instant(required=True)
    secret_changed_at = Instant(required=True, allow_none=True)
    withdrawn_at = Instant(required=True, allow_none=True)
    withdrawal_reason = fields.String(required=True, allow_none=True)


class TerminalQuery(PageQuery):
    """Which terminals to list."""

    desk_id = Number()
    in_use = fields.Boolean(metadata={"description": "true: только действующие; false: только выведенные из работы"})


class TerminalPage(Schema):
    """A page of terminals, the newest first."""

    items = fields.List(fields.Nested(TerminalShown), required=True)
    next_cursor = fields.Integer(allow_none=True)


class NewAssignment(Schema):
    """A cashier who may work at the desk, and from now on only where assigned."""

    cashier = line(60, required=True, metadata={"description": "логин кассира"})


class AssignmentShown(Schema):
    """A cashier's assignment to a desk; ended once the cashier was dismissed from it."""

    id = fields.Integer(required=True)
    desk_id = fields.Integer(required=True)
    cashier = fields.String(required=True)
    assigned_at = Instant(required=True)
    ended_at = Instant(required=True, allow_none=True)
    ending_reason = fields.String(required=True, allow_none=True)


class AssignmentQuery(PageQuery):
    """Which assignments to list."""

    in_force = fields.Boolean(metadata={"description": "true: только действующие; false: только прекращённые"})


class AssignmentPage(Schema):
    """A page of assignments, the newest first."""

    items = fields.List(fields.Nested(AssignmentShown), required=True)
    next_cursor = fields.Integer(allow_none=True)
