"""What claims and disputes take and show."""

from __future__ import annotations

from marshmallow import fields, validate

from api.fields import Day, Instant, Number, PageQuery, Schema, code, line, word
from tote.claims.models import Ruling

LONGEST = 1000
WITHOUT_PERSONS = {"description": "без персональных данных", "example": "В протоколе лиги указан другой счёт"}


class OfficialDocument(Schema):
    """An official document that a claim rests on: what it is, its number and date, who issued it (T-Rules 33)."""

    kind = line(100, required=True, metadata={"example": "протокол матча"})
    number = line(60, required=True, metadata={"example": "17/2022"})
    issued_on = Day(required=True)
    issued_by = line(required=True, metadata={"example": "Федерация футбола"})


class NewClaim(Schema):
    """A claim against an announced result, of a pool or of one ticket of it, with its official documents."""

    pool = code(required=True)
    ticket = fields.Integer(
        strict=True,
        validate=validate.Range(1, 2**63 - 1),
        metadata={"description": "only this ticket's payment is held; without it that of the whole pool"},
    )
    statement = line(LONGEST, required=True, metadata=WITHOUT_PERSONS)
    documents = fields.List(fields.Nested(OfficialDocument), required=True, validate=validate.Length(1, 20))


class NewRuling(Schema):
    """What is decided, and why: it is told to whoever claimed, and stays on record."""

    decision = fields.Enum(Ruling, by_value=True, required=True)
    explanation = line(LONGEST, required=True, metadata={"example": "Протокол комиссии верен"})


class RulingShown(Schema):
    """How something was decided; all of it is empty while it is not."""

    decision = word(Ruling, allow_none=True)
    explanation = fields.String(allow_none=True, metadata={"example": "Протокол комиссии верен"})
    decided_by = fields.String(allow_none=True, metadata={"example": "Иванова А. А."})
    decided_at = Instant(allow_none=True)


class ClaimShown(RulingShown):
    """A claim, what it rests on, whether payments are held for it, and how it was decided."""

    id = fields.Integer(required=True)
    pool = fields.String(required=True)
    ticket = fields.Integer(allow_none=True)
    protocol = fields.Integer(required=True, metadata={"description": "номер протокола"})
    statement = fields.String(required=True, metadata=WITHOUT_PERSONS)
    documents = fields.List(fields.Nested(OfficialDocument), required=True)
    entered_by = fields.String(required=True, metadata={"example": "Петрова Б. Б."})
    entered_at = Instant(required=True)
    holds = fields.Boolean(required=True)


class ClaimQuery(PageQuery):
    """Which claims to list."""

    pool = code(metadata={"description": "шифр пула"})
    decided = fields.Boolean()


class ClaimPage(Schema):
    """A page of claims, the newest first."""

    items = fields.List(fields.Nested(ClaimShown), required=True)
    next_cursor = fields.Integer(allow_none=True)


class NewDispute(Schema):
    """A dispute about a ticket (T-Rules 45)."""

    ticket = fields.Integer(required=True, strict=True, validate=validate.Range(1, 2**63 - 1))
    statement = line(LONGEST, required=True, metadata=WITHOUT_PERSONS)


class DisputeShown(RulingShown):
    """A dispute, whether the ticket's payment is held for it, and how it was decided."""

    id = fields.Integer(required=True)
    pool = fields.String(required=True)
    ticket = fields.Integer(required=True)
    statement = fields.String(required=True, metadata=WITHOUT_PERSONS)
    entered_by = fields.String(required=True, metadata={"example": "Петрова Б. Б."})
    entered_at = Instant(required=True)
    holds = fields.Boolean(required=True)


class DisputeQuery(PageQuery):
    """Which disputes to list."""

    ticket = Number()
    decided = fields.Boolean()


class DisputePage(Schema):
    """A page of disputes, the newest first."""

    items = fields.List(fields.Nested(DisputeShown), required=True)
    next_cursor = fields.Integer(allow_none=True)
