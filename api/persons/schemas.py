"""What is told and shown of persons; what is shown is masked unless its name says otherwise (D-16)."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from api.fields import Instant, Money, Schema, Whole, line
from api.reasons import reason


def country(**kwargs: Any) -> fields.String:
    """A country by its ISO 3166-1 code of two letters."""
    return fields.String(validate=Whole("^[A-Z]{2}$"), metadata={"example": "BY"}, **kwargs)


def document_number() -> fields.String:
    """A number that tells its holder from others: with a letter or a digit in it."""
    told = [validate.Length(1, 60), Whole(r"^[^\x00-\x1f]*[^\W_][^\x00-\x1f]*$")]
    return fields.String(required=True, validate=told, metadata={"example": "MP1234567"})


class NewDocument(Schema):
    """The identity document shown: kind, number, date and place of issue (T-Prov 22); home is where none is named."""

    kind = line(60, required=True)
    number = document_number()
    issued_on = fields.Date(required=True)
    issued_by = line(required=True)
    country = country()


class NewRepresentative(Schema):
    """Who acts for a legal entity."""

    surname = line(60, required=True)
    name = line(60, required=True)
    patronymic = line(60)
    birth_date = fields.Date()
    document = fields.Nested(NewDocument)


class NewLegalEntity(Schema):
    """A legal entity: its title, its registration number, and who acts for it (T-Prov 5)."""

    title = line(required=True)
    registration_number = document_number()
    country = country()
    representative = fields.Nested(NewRepresentative, required=True)


class NewDetails(Schema):
    """Who somebody is: a human being with a birth date, or a legal entity; document and contacts as far as known."""

    surname = line(60)
    name = line(60)
    patronymic = line(60)
    birth_date = fields.Date()
    document = fields.Nested(NewDocument)
    legal_entity = fields.Nested(NewLegalEntity)
    phone = fields.String(validate=Whole(r"^\+?[0-9][0-9 ()-]{4,29}$"), metadata={"example": "+375 29 000-00-00"})
    email = fields.String(
        validate=[validate.Email(error="Нужен адрес электронной почты."), validate.Length(5, 200)],
        metadata={"example": "player@example.org"},
    )

    @validates_schema
    def one_of_both(self, told: dict[str, Any], **_: Any) -> None:
        """A human being has a name and a birth date, and is no legal entity."""
        human = ("surname", "name", "birth_date")
        if "legal_entity" in told:
            wrong = {
                name: ["Для юридического лица не указывается."]
                for name in (*human, "patronymic", "document")
                if name in told
            }
        else:
            wrong = {name: ["Поле обязательно."] for name in human if name not in told}
        if wrong:
            raise ValidationError(wrong)


class VersionMade(Schema):
    """A version that was recorded."""

    person_id = fields.Integer(required=True)
    version = fields.Integer(required=True)


class NewSearch(Schema):
    """Whom to look for; everything told has to fit. In the body, never in an address: addresses are logged."""

    words = fields.String(validate=validate.Length(1, 200), metadata={"description": "слова имени, в любом порядке"})
    document = fields.String(validate=validate.Length(1, 60), metadata={"description": "номер документа"})
    birth_date = fields.Date()
    phone = fields.String(validate=validate.Length(1, 60))
    email = fields.String(validate=validate.Length(1, 200))
    registration_number = fields.String(validate=validate.Length(1, 60))


class PersonShown(Schema):
    """A person, masked: ``П*** И. О.``, ``паспорт ***4567``; of the birth date the year, of contacts that there are."""

    person_id = fields.Integer(required=True)
    player_id = fields.Integer(required=True, allow_none=True, metadata={"description": "регистрация этого лица"})
    login = fields.String(required=True, allow_none=True)
    version = fields.Integer(required=True)
    person = fields.String(required=True)
    document = fields.String(required=True)
    birth_year = fields.String(required=True)
    contacts = fields.String(required=True)


class VersionShown(Schema):
    """A version: when it was recorded, and erased if it was."""

    version = fields.Integer(required=True, attribute="id")
    recorded_at = Instant(required=True)
    erased_at = Instant(required=True, allow_none=True)


class PersonCard(PersonShown):
    """A person, masked, by the latest version; and every version there is, the latest first."""

    versions = fields.List(fields.Nested(VersionShown), required=True)


class PersonsFound(Schema):
    """Who fits, at most 50; ``more`` when there are others: say more of whom you look for."""

    items = fields.List(fields.Nested(PersonShown), required=True)
    more = fields.Boolean(required=True)


class NewView(Schema):
    """A look at a person unmasked: why, and which version, the latest if none is named."""

    reason = reason()
    version = fields.Integer(strict=True, validate=validate.Range(1, 2**63 - 1))


class PersonUnmasked(Schema):
    """A person in full; that it was shown is on record."""

    person_id = fields.Integer(required=True)
    version = fields.Integer(required=True)
    recorded_at = Instant(required=True)
    erased = fields.Boolean(required=True)
    details = fields.Dict(required=True, metadata={"description": "как записано; пусто, если удалено"})


class ErasureShown(Schema):
    """What was erased, and which versions something must keep."""

    person_id = fields.Integer(required=True)
    versions = fields.List(fields.Integer(), required=True)
    kept = fields.List(fields.Integer(), required=True)


class NewJournalView(Schema):
    """A part of the journal of cash payouts in full: why, behind which number, how many lines."""

    cursor = fields.Integer(strict=True, load_default=0, validate=validate.Range(0, 2**63 - 1))
    limit = fields.Integer(strict=True, load_default=50, validate=validate.Range(1, 200))
    reason = reason()


class LineInFull(Schema):
    """A line of the journal as the annex wants it printed: name and document whole."""

    number = fields.Integer(required=True)
    ticket = fields.Integer(required=True, allow_none=True)
    account_withdrawal = fields.Integer(required=True, allow_none=True)
    amount = Money(required=True)
    paid_at = Instant(required=True)
    desk = fields.String(required=True)
    cash_register = fields.String(required=True)
    cashier = fields.String(required=True)
    person = fields.String(required=True)
    document = fields.String(required=True)


class JournalInFull(Schema):
    """A part of the journal."""

    items = fields.List(fields.Nested(LineInFull), required=True)
    next_cursor = fields.Integer(allow_none=True)
