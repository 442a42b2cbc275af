"""What is known of a person, in clear: it lives in a request and in an answer, never in a table or a log (D-16)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from datetime import date
from typing import Any

HOME = "BY"
"""The country of a document that names none (ISO 3166-1)."""


@dataclass(frozen=True)
class Document:
    """An identity document as the journal of payouts wants it: kind, number, date and place of issue (T-Prov 22)."""

    kind: str
    number: str = field(repr=False)
    issued_on: date | None = field(default=None, repr=False)
    issued_by: str = field(default="", repr=False)
    country: str = HOME


@dataclass(frozen=True)
class BankAccount:
    """Where money is sent to somebody: the account (IBAN), the bank's name and its code (T-Rules 35.3, 42)."""

    account: str = field(repr=False)
    bank: str = field(repr=False)
    bank_code: str = field(repr=False)


@dataclass(frozen=True)
class NaturalPerson:
    """A human being; what nobody asked for is empty."""

    surname: str = field(repr=False)
    name: str = field(repr=False)
    patronymic: str = field(default="", repr=False)
    birth_date: date | None = field(default=None, repr=False)
    document: Document | None = field(default=None, repr=False)
    phone: str = field(default="", repr=False)
    email: str = field(default="", repr=False)
    bank_account: BankAccount | None = field(default=None, repr=False)

    @property
    def full_name(self) -> str:
        """Surname, name, patronymic, as the journal writes them."""
        return " ".join(part for part in (self.surname, self.name, self.patronymic) if part)


@dataclass(frozen=True)
class LegalEntity:
    """A legal entity as a player: its registration number, and who acts for it (B-Prov 5, T-Prov 5)."""

    title: str = field(repr=False)
    registration_number: str = field(repr=False)
    representative: NaturalPerson = field(repr=False)
    phone: str = field(default="", repr=False)
    email: str = field(default="", repr=False)
    country: str = HOME
    bank_account: BankAccount | None = field(default=None, repr=False)

    @property
    def full_name(self) -> str:
        """The entity and who acts for it."""
        return f"{self.title}, {self.representative.full_name}"

    @property
    def document(self) -> Document | None:
        """The document of whoever acts for it."""
        return self.representative.document


Details = NaturalPerson | LegalEntity
NATURAL, LEGAL = "natural", "legal_entity"


def kind_of(details: Details) -> str:
    """Which of the two kinds of persons this is."""
    return NATURAL if isinstance(details, NaturalPerson) else LEGAL


def completed(told: Details, known: Details | None) -> Details:
    """What was told of somebody, with what was known of them before and nobody asked for now.

    A desk looks at a document: that it asks for no telephone does not mean there is none.
    """
    if isinstance(told, NaturalPerson) and isinstance(known, NaturalPerson):
        told = replace(told, birth_date=told.birth_date or known.birth_date)
    elif not (isinstance(told, LegalEntity) and isinstance(known, LegalEntity)):
        return told
    return replace(
        told,
        phone=told.phone or known.phone,
        email=told.email or known.email,
        bank_account=told.bank_account or known.bank_account,
    )


def written(details: Details) -> dict[str, Any]:
    """The details as JSON has them."""
    return {"kind": kind_of(details), **_without_dates(asdict(details))}


def read(told: dict[str, Any]) -> Details:
    """What :func:`written` wrote; and what was written before details had fields of their own."""
    told = dict(told)
    if told.pop("kind", NATURAL) == LEGAL:
        representative, account = _natural(told["representative"]), _bank_account(told.pop("bank_account", None))
        return LegalEntity(**{**told, "representative": representative, "bank_account": account})
    return _natural(told)


def _natural(told: dict[str, Any]) -> NaturalPerson:
    told = dict(told)
    flat = {name.removeprefix("document_"): told.pop(name) for name in list(told) if name.startswith("document_")}
    document = told.pop("document", None) or flat or None
    born, account = told.pop("birth_date", None), _bank_account(told.pop("bank_account", None))
    return NaturalPerson(**told, birth_date=_day(born), document=_document(document), bank_account=account)


def _bank_account(told: dict[str, Any] | None) -> BankAccount | None:
    return BankAccount(**told) if told else None


def _document(told: dict[str, Any] | None) -> Document | None:
    return Document(**{**told, "issued_on": _day(told.get("issued_on"))}) if told else None


def _day(told: str | None) -> date | None:
    return date.fromisoformat(told) if told else None


def _without_dates(told: Any) -> Any:
    if isinstance(told, dict):
        return {name: _without_dates(value) for name, value in told.items()}
    return told.isoformat() if isinstance(told, date) else told
