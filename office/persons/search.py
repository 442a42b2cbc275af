"""Finding persons by whole words, without reading a name of anybody who is not found (DESIGN 3.9)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from ledger.refusals import Refusal
from office.callers import Caller
from office.persons import words
from office.persons.details import Details
from office.persons.models import PersonVersion, PersonWord
from office.persons.register import Persons
from office.persons.words import Word
from office.significant.kinds import PERSONS_SEARCHED
from office.significant.log import note

MOST = 50
"""So many hits are shown: whoever finds more has to say more."""


@dataclass(frozen=True)
class Wanted:
    """What somebody is looked for by: all of it has to fit one version."""

    words: str = field(default="", repr=False)
    document: str = field(default="", repr=False)
    birth_date: date | None = field(default=None, repr=False)
    phone: str = field(default="", repr=False)
    email: str = field(default="", repr=False)
    registration_number: str = field(default="", repr=False)


@dataclass(frozen=True)
class Hit:
    """A person found: the number, the version that fits, and its details, to be masked."""

    person_id: int
    version_id: int
    details: Details | None = field(repr=False)


def search(session: Session, persons: Persons, wanted: Wanted, by: Caller) -> list[Hit]:
    """The persons all words fit, the latest recorded first, at most :data:`MOST` and one more; the search is noted.

    Raises:
        Refusal: ``nothing_to_search_by``.
    """
    asked = set(_words(wanted))
    if not asked:
        raise Refusal("nothing_to_search_by", "Укажите, кого искать: слова имени, документ, дату рождения или телефон.")
    found = session.execute(_fitting([persons.digests.of_word(word) for word in asked])).all()
    details = persons.read_all(session, [version for _, version in found])
    note(session, PERSONS_SEARCHED, "persons", by, fields=sorted({name for name, _ in asked}), hits=len(found))
    return [Hit(person, version, details[version]) for person, version in found]


def _fitting(digests: list[bytes]) -> Select[int, int]:
    versions = (
        select(PersonWord.person_version_id)
        .where(PersonWord.digest.in_(digests))
        .group_by(PersonWord.person_version_id)
        .having(func.count() == len(digests))
    )
    newest = func.max(PersonVersion.id)
    fitting = select(PersonVersion.person_id, newest).where(PersonVersion.id.in_(versions))
    return fitting.group_by(PersonVersion.person_id).order_by(newest.desc()).limit(MOST + 1)


def _words(wanted: Wanted) -> Iterator[Word]:
    yield from ((words.NAME, word) for word in words.names_in(wanted.words))
    if wanted.document:
        yield words.DOCUMENT, words.number_in(wanted.document)
    if wanted.birth_date is not None:
        yield words.BIRTH_DATE, words.day(wanted.birth_date)
    if wanted.phone:
        yield words.PHONE, words.phone_in(wanted.phone)
    if wanted.email:
        yield words.EMAIL, words.email_in(wanted.email)
    if wanted.registration_number:
        yield words.REGISTRATION, words.number_in(wanted.registration_number)
