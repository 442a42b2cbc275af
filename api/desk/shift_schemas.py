"""What shifts, their reports and fiscal papers take and show."""

from __future__ import annotations

from marshmallow import fields, validate

from api.fields import Instant, Money, Number, PageQuery, Schema, line, word
from api.workplaces.schemas import DeskCashShown
from ledger.money import CURRENCIES


class NewShift(Schema):
    """The cash a cashier counted; where it differs from the books, whether it was counted again and still does."""

    counted = Money(required=True, positive=False)
    difference_confirmed = fields.Boolean(load_default=False)


class NewClosing(Schema):
    """The cash that was counted, and how many bets the terminal has not sent yet; a supervisor says why."""

    counted = Money(required=True, positive=False)
    unsent = fields.Integer(strict=True, load_default=0, validate=validate.Range(0, 1_000_000))
    reason = line(metadata={"description": "почему смену закрывает не кассир"})


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
    opening_difference = Money(required=True, signed=True)
    closing_reason = fields.String(required=True, allow_none=True)


class ShiftWithCash(ShiftShown):
    """A shift, and while it is open the desk's cash now against its limit."""

    desk_cash = fields.Nested(DeskCashShown, required=True, allow_none=True)


class ShiftQuery(PageQuery):
    """Which shifts to list."""

    desk_id = Number()
    open = fields.Boolean(metadata={"description": "true: только открытые; false: только закрытые"})


class ShiftPage(Schema):
    """A page of shifts, the latest opened first."""

    items = fields.List(fields.Nested(ShiftShown), required=True)
    next_cursor = fields.Integer(allow_none=True)


class SectionLineShown(Schema):
    """A kind of movement in a section of the report."""

    kind = fields.String(required=True, metadata={"example": "stake"})
    title = fields.String(required=True, metadata={"example": "Ставки"})
    times = fields.Integer(required=True)
    amount = Money(required=True)


class SectionShown(Schema):
    """One side of the shift's cash."""

    lines = fields.List(fields.Nested(SectionLineShown), required=True)
    total = Money(required=True)


class ShiftReportShown(Schema):
    """The closing report of a shift: accepted and paid out kept apart, the count, the fiscal report's number."""

    operator = fields.String(required=True)
    shift_id = fields.Integer(required=True)
    desk = fields.String(required=True)
    place = fields.String(required=True)
    cash_register = fields.String(required=True)
    opened_by = fields.String(required=True, metadata={"example": "Иванова А. А."})
    opened_at = Instant(required=True)
    closed_by = fields.String(required=True, metadata={"example": "Иванова А. А."})
    closed_at = Instant(required=True)
    closing_reason = fields.String(required=True, allow_none=True)
    fiscal_report = fields.String(required=True, metadata={"example": "0517"})
    fiscal_register = fields.String(required=True, metadata={"example": "SN-100200"})
    currency = word(CURRENCIES, required=True)
    opening_expected = Money(required=True)
    opening_cash = Money(required=True)
    opening_difference = Money(required=True, signed=True)
    accepted = fields.Nested(SectionShown, required=True)
    paid_out = fields.Nested(SectionShown, required=True)
    expected_cash = Money(required=True)
    counted_cash = Money(required=True)
    difference = Money(required=True, signed=True)


class NewFiscalNumber(Schema):
    """What the cash register printed; the desk's own register unless another is named, a reason where it corrects."""

    number = line(40, required=True, metadata={"example": "000124"})
    cash_register = line(60)
    reason = line()


class FiscalReportShown(Schema):
    """The fiscal report of a shift as it was entered."""

    shift_id = fields.Integer(required=True)
    version = fields.Integer(required=True)
    number = fields.String(required=True, metadata={"example": "0517"})
    cash_register = fields.String(required=True)
    reason = fields.String(required=True, allow_none=True)
    entered_at = Instant(required=True)
