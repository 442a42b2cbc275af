"""What makes two records one person: the document, the registration number, else name and birth date (T-Rules 35.3).

A document is named by its number and country, not by its kind, which cashiers call by many words. A name and a birth
date are a weaker mark, for namesakes born on one day exist: the patronymic is no part of it, since leaving it out would
make a second person; and of two that are documented, the documents decide.
"""

from __future__ import annotations

from dataclasses import dataclass

from office.persons.details import Details, Document, LegalEntity
from office.persons.words import day, names_in, number_in


@dataclass(frozen=True)
class Mark:
    """A sort of mark and its text, to be kept as a digest only."""

    sort: str
    text: str


def strong_mark(details: Details) -> Mark | None:
    """What nobody else can have: the registration number of an entity, the document of a human being."""
    if isinstance(details, LegalEntity):
        return Mark("registration_number", f"{details.country} {number_in(details.registration_number)}")
    return None if details.document is None else document_mark(details.document)


def document_mark(document: Document) -> Mark:
    """A document, whatever its kind is called."""
    return Mark("document", f"{document.country.upper()} {number_in(document.number)}")


def weak_mark(details: Details) -> Mark | None:
    """Name and birth date of a human being whose birth date is known."""
    if isinstance(details, LegalEntity) or details.birth_date is None:
        return None
    return Mark("name_and_birth", " ".join((*names_in(f"{details.surname} {details.name}"), day(details.birth_date))))
