"""What desks, terminals and assignments take and show."""

from __future__ import annotations

from marshmallow import fields, validate

from api.fields import Day, Instant, Money, Number, PageQuery, Schema, code, line


class NewContract(Schema):
    """The contract of an agent whose point uses the desk, up to and with its last day (T-Rules 35.1)."""

    agent = line(required=True, metadata={"example": "ООО «Агент»"})
    number = line(60, required=True, metadata={"example": "17-А"})
    dated = Day(required=True)
    valid_until = Day(required=True, metadata={"example": "2023-11-21"})


class DeskTold(Schema):
    """What the register says of a desk: its tax certificate and the serial number of its cash register (T-Prov 4)."""

    code = code(required=True)
    place = line(required=True)
    certificate = line(60, required=True)
    cash_register = line(60, required=True)


class NewDesk(DeskTold):
    """A desk to be registered; with a contract where an agent's point uses it."""

    contract = fields.Nested(NewContract)


class DeskShown(DeskTold):
    """A desk as the register shows it; withdrawn once it left the register. An agent is named where one works there."""

    id = fields.Integer(required=True)
    agent = fields.String(required=True, allow_none=True, metadata={"example": "ООО «Агент»"})
    contract_number = fields.String(required=True, allow_none=True, metadata={"example": "17-А"})
    contract_dated = fields.Date(required=True, allow_none=True)
    contract_until = fields.Date(required=True, allow_none=True, metadata={"description": "последний день договора"})
    contract_ended_at = Instant(
        required=True, allow_none=True, metadata={"description": "прекращён раньше последнего дня"}
    )
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


class NewCertificate(Schema):
    """A certificate for so many desks, which takes the place of the one in force (T-Prov 4)."""

    number = line(60, required=True, metadata={"example": "100-2022"})
    desks = fields.Integer(strict=True, required=True, validate=validate.Range(1, 100_000))
    issued_on = Day(required=True)


class CertificateShown(Schema):
    """A certificate of the number of desks; the latest is in force."""

    id = fields.Integer(required=True)
    number = fields.String(required=True, metadata={"example": "100-2022"})
    desks = fields.Integer(required=True)
    issued_on = fields.Date(required=True)
    registered_at = Instant(required=True)


class CertificatePage(Schema):
    """A page of certificates, the one in force first."""

    items = fields.List(fields.Nested(CertificateShown), required=True)
    next_cursor = fields.Integer(allow_none=True)


class NewCashLimit(Schema):
    """The limit the servicing bank has set for a desk's cash, and by which paper (T-Rules 9.6)."""

    limit = Money(required=True, positive=False)
    basis = line(required=True, metadata={"example": "письмо банка № 12 от 01.11.2022"})


class DeskCashShown(Schema):
    """The cash of a desk by the books at this moment; what is on its way to or from it lies in no desk."""

    desk_id = fields.Integer(required=True)
    cash = Money(required=True)
    limit = Money(required=True, allow_none=True)
    over_by = Money(required=True)


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
