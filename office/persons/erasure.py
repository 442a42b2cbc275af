"""Erasing what is known of a person: the data key is destroyed, and what was sealed under it is gone (D-16).

The row of a version stays, for facts point to it; it is shown as «удалено». Which versions nothing must keep is not
for this room to say: desks and players hold them (`desk/retention.py`).
"""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Select, delete, func, insert, select, update
from sqlalchemy.orm import Session

from db import data_keys
from ledger.refusals import Refusal
from office.callers import Caller
from office.persons.models import Person, PersonErasure, PersonIdentity, PersonVersion, PersonWord
from office.persons.recognition import WEAK
from office.persons.register import Persons
from office.significant.kinds import PERSON_ERASED
from office.significant.log import note


def close_to_others(session: Session, person_id: int) -> list[int]:
    """Let nobody find the person by a mark, nor another erasure begin, till the commit; the versions still there.

    Whoever is writing a fact about the person is waited for: it will be seen when what must be kept is counted.

    Raises:
        Refusal: ``not_found``.
    """
    # In the order that office/persons/recognition.py lays down.
    marks = select(PersonIdentity.digest).where(PersonIdentity.person_id == person_id)
    session.execute(marks.order_by(PersonIdentity.sort != WEAK, PersonIdentity.digest).with_for_update())
    if session.scalar(select(Person.id).where(Person.id == person_id).with_for_update()) is None:
        raise Refusal("not_found", "Такого лица нет.")
    return list(session.scalars(_there(person_id)))


def erase(
    session: Session,
    persons: Persons,
    person_id: int,
    versions: Collection[int],
    reason: str,
    by: Caller | None = None,
) -> None:
    """Erase versions of a person for good; by what only they showed the person is found no more.

    Raises:
        VersionsBrokenError: a version that is kept does not open, so nobody can say by what it is found.
    """
    gone = sorted(versions)
    mine = PersonVersion.id.in_(gone), PersonVersion.person_id == person_id
    keys = session.scalars(select(PersonVersion.data_key_id).where(*mine, PersonVersion.data_key_id.is_not(None)))
    data_keys.destroy(session, [key for key in keys if key is not None])
    session.execute(update(PersonVersion).where(*mine).values(ciphertext=None, erased_at=func.trade_clock()))
    session.execute(delete(PersonWord).where(PersonWord.person_version_id.in_(gone)))
    _forget_marks(session, persons, person_id)
    row = {"person_id": person_id, "versions": gone, "user_id": by.user_id if by else None, "reason": reason}
    session.execute(insert(PersonErasure).values(row))
    note(session, PERSON_ERASED, f"person:{person_id}", by, versions=gone)


def _forget_marks(session: Session, persons: Persons, person_id: int) -> None:
    """Delete the marks that no version left shows; of whom nothing is left, that is written down."""
    kept = persons.read_all(session, session.scalars(_there(person_id)))
    shown = [mark for details in kept.values() if details is not None for mark in persons.marks_of(details)]
    mine = delete(PersonIdentity).where(PersonIdentity.person_id == person_id)
    session.execute(mine.where(PersonIdentity.digest.not_in(shown)))
    if not kept:
        session.execute(update(Person).where(Person.id == person_id).values(erased_at=func.trade_clock()))


def _there(person_id: int) -> Select[int]:
    versions = select(PersonVersion.id).where(PersonVersion.person_id == person_id, PersonVersion.erased_at.is_(None))
    return versions.order_by(PersonVersion.id)
