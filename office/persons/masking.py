"""What is shown of a person to somebody who has not asked for more, with a reason and on record (D-16)."""

from __future__ import annotations

from office.persons.details import Details, Document, LegalEntity, NaturalPerson

ERASED = "удалено"
MASK = "***"
TAIL = 4


def masked_name(details: Details | None) -> str:
    """``П*** И. О.``, however long the name is; an entity by its title, which is no secret, and who acts for it."""
    if details is None:
        return ERASED
    if isinstance(details, LegalEntity):
        return f"{details.title}, {masked_name(details.representative)}"
    initials = (f"{part[0]}." for part in (details.name, details.patronymic) if part)
    return " ".join((_first(details.surname), *initials))


def masked_document(details: Details | None) -> str:
    """``паспорт ***4567``, or nothing where no document was asked for."""
    if details is None:
        return ERASED
    document = details.document
    return "" if document is None else f"{document.kind} {masked_number(document.number)}"


def masked_account(details: Details | None) -> str:
    """The bank and the last signs of the account, or nothing where no account was told."""
    if details is None:
        return ERASED
    account = details.bank_account
    return "" if account is None else f"{account.bank} {masked_number(account.account)}"


def masked_number(number: str) -> str:
    """The last four signs, and never more than half of a number."""
    tail = min(TAIL, len(number) // 2)
    return MASK + number[len(number) - tail :]


def masked_login(login: str) -> str:
    """The first sign of a player's login, which may be a mail address or a name."""
    return _first(login)


def full_login(login: str) -> str:
    """The whole login, for a view that is on record."""
    return login


def full_name(details: Details | None) -> str:
    """The whole name, for a view that is on record."""
    return ERASED if details is None else details.full_name


def full_document(details: Details | None) -> str:
    """The whole document, as the journal of cash payouts wants it (annex to T-Prov)."""
    if details is None:
        return ERASED
    return "" if details.document is None else _in_full(details.document)


def contacts(details: Details | None) -> str:
    """Which ways to reach a person are known, not where they lead."""
    known = {"телефон": getattr(details, "phone", ""), "почта": getattr(details, "email", "")}
    return ", ".join(name for name, told in known.items() if told)


def born(details: Details | None) -> str:
    """The year of birth: enough to tell namesakes apart, too little to be a birth date."""
    if not isinstance(details, NaturalPerson) or details.birth_date is None:
        return ""
    return str(details.birth_date.year)


def _in_full(document: Document) -> str:
    issued = f", выдан {document.issued_on:%d.%m.%Y}" if document.issued_on else ""
    return f"{document.kind} {document.number}{issued}" + (f", {document.issued_by}" if document.issued_by else "")


def _first(surname: str) -> str:
    return surname[:1] + MASK
