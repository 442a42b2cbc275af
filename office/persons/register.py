"""The register of persons: written as ciphertext, read by version, the same person found again by the same marks."""

from __future__ import annotations

import json
from collections.abc import Iterable

from cryptography.fernet import InvalidToken
from sqlalchemy import Select, Sequence, delete, insert, select
from sqlalchemy.orm import Session

from db import data_keys, envelopes
from db.data_keys import DataKey, KeyDestroyedError
from db.envelopes import SealBrokenError
from db.master_keys import MasterKeys, UnknownMasterKeyError
from office.persons.details import Details, completed, read, written
from office.persons.digests import Digests
from office.persons.identities import Mark, strong_mark, weak_mark
from office.persons.models import PersonVersion, PersonWord
from office.persons.recognition import hold, move_document, others_alike, person_of, take_marks
from office.persons.words import words_of

PERSON = "person"
"""The purpose of the data keys of persons: one a version, so that a version can be destroyed by itself."""
DOES_NOT_OPEN = (SealBrokenError, KeyDestroyedError, UnknownMasterKeyError)
VERSIONS = Sequence("person_versions_id_seq")


class VersionsBrokenError(SealBrokenError):
    """Versions that do not open: somebody changed the rows, or DATA_KEYS lacks a key."""

    def __init__(self, versions: list[int]) -> None:
        super().__init__(f"person_versions {', '.join(map(str, versions))} do not open")
        self.versions = versions


class Persons:
    """Writes and reads personal data; who may see what it gives is for the caller to answer."""

    def __init__(self, masters: MasterKeys, code_hmac: bytes) -> None:
        self._masters = masters
        self.digests = Digests(code_hmac)

    def record(self, session: Session, details: Details) -> int:
        """Store who somebody is and give the version's number for a fact to point at.

        Somebody known gets a version more, and none if nothing is new; what is not told now stays as it was known.
        """
        person_id = person_of(session, self.digests, details)
        latest = session.scalar(_latest(person_id))
        known = None if latest is None else self._opened(session, latest)
        return self.add_version(session, person_id, completed(details, known))

    def add_version(self, session: Session, person_id: int, details: Details) -> int:
        """The person's version with these details: the latest one if it says the same, else a new one."""
        latest = session.scalar(_latest(person_id))
        if latest is not None and self._opened(session, latest) == details:
            return latest.id
        version_id = session.scalars(select(VERSIONS.next_value())).one()
        key_id, key = data_keys.make(session, self._masters, PERSON)
        sealed = envelopes.seal(key, _text(details), _place(version_id, person_id))
        row = {"id": version_id, "person_id": person_id, "data_key_id": key_id, "ciphertext": sealed}
        session.execute(insert(PersonVersion).values(row))
        self.index(session, version_id, details)
        return version_id

    def marks_of(self, details: Details) -> list[bytes]:
        """The digests of what makes somebody this person."""
        marks = (strong_mark(details), weak_mark(details))
        return [self.digests.of_mark(mark) for mark in marks if mark is not None]

    def take_marks(self, session: Session, person_id: int, details: Details) -> int:
        """Give a known person the marks of new details; who has the document (or registration number) now."""
        return take_marks(session, self.digests, details, person_id)

    def others_alike(self, session: Session, person_id: int, details: Details) -> list[int]:
        """Other persons who have a mark of these details, so that both may be one; in the order of their numbers."""
        return others_alike(session, self.digests, details, person_id)

    def move_document(self, session: Session, person_id: int, details: Details) -> None:
        """Let a known person have the document of these details, whoever had it."""
        move_document(session, self.digests, details, person_id)

    def read(self, session: Session, version_id: int) -> Details | None:
        """The details of a version; nothing of one that was erased.

        Raises:
            SealBrokenError: the row is not what was stored.
        """
        return self._opened(session, session.get_one(PersonVersion, version_id))

    def still_says(self, session: Session, version_id: int, details: Details) -> bool:
        """Whether a version says these details; if it does, no erasure of the person begins till the commit."""
        version = session.get_one(PersonVersion, version_id)
        known = self._opened(session, version)
        if known is None or completed(details, known) != known:
            return False
        hold(session, version.person_id)
        session.refresh(version)
        return version.ciphertext is not None

    def documents_of(self, session: Session, person_id: int) -> set[Mark]:
        """The documents (or the registration number) of a person, whichever version shows them.

        Raises:
            VersionsBrokenError: a version does not open.
        """
        versions = session.scalars(select(PersonVersion.id).where(PersonVersion.person_id == person_id))
        known = self.read_all(session, versions).values()
        return {mark for details in known if details is not None and (mark := strong_mark(details)) is not None}

    def read_all(self, session: Session, versions: Iterable[int]) -> dict[int, Details | None]:
        """The details of many versions by their numbers, in one query.

        Raises:
            VersionsBrokenError: some do not open; it names all of them.
        """
        wanted = sorted(set(versions))
        both = select(PersonVersion, DataKey).outerjoin(DataKey, DataKey.id == PersonVersion.data_key_id)
        found = session.execute(both.where(PersonVersion.id.in_(wanted)))
        opened: dict[int, Details | None] = {}
        broken: list[int] = []
        for version, key in found:
            try:
                opened[version.id] = self._opened_with(version, key)
            except DOES_NOT_OPEN:
                broken.append(version.id)
        if broken:
            raise VersionsBrokenError(sorted(broken))
        return opened

    def index(self, session: Session, version_id: int, details: Details) -> None:
        """Write the words a version is found by."""
        rows = [
            {"digest": self.digests.of_word(word), "person_version_id": version_id, "field": word[0]}
            for word in sorted(words_of(details))
        ]
        if rows:
            session.execute(insert(PersonWord), rows)

    def seal_anew(self, session: Session, version: PersonVersion, details: Details) -> None:
        """Give a version that is sealed under a master key itself a data key of its own, and words."""
        version.data_key_id, key = data_keys.make(session, self._masters, PERSON)
        version.ciphertext = envelopes.seal(key, _text(details), _place(version.id, version.person_id))
        session.flush()
        session.execute(delete(PersonWord).where(PersonWord.person_version_id == version.id))
        self.index(session, version.id, details)

    def _opened(self, session: Session, version: PersonVersion) -> Details | None:
        key = None if version.data_key_id is None else session.get_one(DataKey, version.data_key_id)
        return self._opened_with(version, key)

    def _opened_with(self, version: PersonVersion, key: DataKey | None) -> Details | None:
        if version.ciphertext is None:
            return None
        if key is None:
            text = self._opened_directly(version.id, version.ciphertext)
        else:
            place = _place(version.id, version.person_id)
            text = envelopes.opened(data_keys.unwrapped(self._masters, key), version.ciphertext, place)
        return read(json.loads(text))

    def _opened_directly(self, version_id: int, ciphertext: bytes) -> bytes:
        """The text of a version from before there were data keys."""
        try:
            return self._masters.directly().decrypt(ciphertext)
        except InvalidToken:
            raise SealBrokenError(f"person_versions {version_id} opens under no known master key") from None


def _latest(person_id: int) -> Select[PersonVersion]:
    versions = select(PersonVersion).where(PersonVersion.person_id == person_id)
    return versions.order_by(PersonVersion.id.desc()).limit(1)


def _text(details: Details) -> bytes:
    return json.dumps(written(details), ensure_ascii=False, sort_keys=True).encode("utf-8")


def _place(version_id: int, person_id: int) -> bytes:
    return f"person_versions {version_id} of person {person_id}".encode("ascii")
