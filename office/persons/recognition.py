"""Whether somebody is known already: marks are taken under a unique key, so that of two at once one finds the other.

Whoever needs several rows of one person takes them in one order, whatever the act: marks, the name and birth date
before the document; the row of the person; the row of the registration; rows of versions. Recording, amending, a new
password, erasing and rotating keys all keep to it, so none of them can wait for one that waits for it.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, Sequence, insert, select, update
from sqlalchemy.dialects.postgresql import insert as insert_or_leave
from sqlalchemy.orm import Session

from office.persons.details import Details, kind_of
from office.persons.digests import Digests
from office.persons.identities import Mark, strong_mark, weak_mark
from office.persons.models import Person, PersonIdentity

PERSONS = Sequence("persons_id_seq")
WEAK = "name_and_birth"


def person_of(session: Session, digests: Digests, details: Details) -> int:
    """The person these details are of, a new one if nobody has their marks; the marks stay taken till the commit.

    A weak mark (name and birth date) of somebody undocumented is trusted: whoever brings the document later is taken
    for the same, unless the document is somebody's whose own name is known. Against a documented person it counts only
    where no document is shown.
    """
    new = session.scalars(select(PERSONS.next_value())).one()
    # Always in this order: nobody who holds a document waits for a name, so no two wait for one another.
    weak, strong = weak_mark(details), strong_mark(details)
    named = _take(session, digests, weak, new)
    documented = _take(session, digests, strong, new)
    anothers = documented != new and _has_name(session, documented)
    if named != new and not (strong and (anothers or _has_document(session, named))):
        found = named
        _give(session, digests, strong, found)
    elif documented != new:
        found = documented
        if named == new:
            _give(session, digests, weak, found)
    else:
        session.execute(insert(Person).values(id=new, kind=kind_of(details)))
        found = new
    return found


def take_marks(session: Session, digests: Digests, details: Details, person_id: int) -> int:
    """Give a known person the marks of new details as far as they are free; who has the strong one now.

    An erasure of the person waits for this transaction, or was before it.
    """
    _take(session, digests, weak_mark(details), person_id)
    holder = _take(session, digests, strong_mark(details), person_id)
    hold(session, person_id)
    return holder


def others_alike(session: Session, digests: Digests, details: Details, person_id: int) -> list[int]:
    """Who else has a mark of these details, in the order of their numbers; namesakes with a document each are two."""
    weak, strong = weak_mark(details), strong_mark(details)
    documented = _holder(session, digests, strong)
    named = _holder(session, digests, weak)
    apart = named is not None and strong is not None and _has_document(session, named)
    alike = {documented, None if apart else named}
    return sorted(holder for holder in alike if holder not in (None, person_id))


def hold(session: Session, person_id: int) -> None:
    """Let no erasure of the person begin until the transaction ends."""
    session.execute(select(Person.id).where(Person.id == person_id).with_for_update(read=True, key_share=True))


def move_document(session: Session, digests: Digests, details: Details, person_id: int) -> None:
    """Let a known person have the strong mark of these details, whoever had it.

    A document somebody showed at a desk before it was known whose it is comes over to the person; what moves is the
    mark, and the lines of the journal stay with the versions they point to.
    """
    _give(session, digests, strong_mark(details), person_id)


def _take(session: Session, digests: Digests, mark: Mark | None, person_id: int) -> int:
    """Take a mark for a person; whose it is now. Waits for whoever is taking, or erasing, the same at this moment."""
    if mark is None:
        return person_id
    digest = digests.of_mark(mark)
    row = {"digest": digest, "sort": mark.sort, "person_id": person_id}
    free = insert_or_leave(PersonIdentity).values(row).on_conflict_do_nothing().returning(PersonIdentity.person_id)
    # Locked, since it may have to move; an erasure that deletes the mark waits for this transaction, and one that was
    # first leaves no row: then the mark is taken on the next turn.
    taken = select(PersonIdentity.person_id).where(PersonIdentity.digest == digest).with_for_update(key_share=True)
    while True:
        holder = session.scalar(free) or session.scalar(taken)
        if holder is not None:
            return holder


def _give(session: Session, digests: Digests, mark: Mark | None, person_id: int) -> None:
    if mark is not None:
        digest = digests.of_mark(mark)
        session.execute(update(PersonIdentity).where(PersonIdentity.digest == digest).values(person_id=person_id))


def _holder(session: Session, digests: Digests, mark: Mark | None) -> int | None:
    if mark is None:
        return None
    return session.scalar(select(PersonIdentity.person_id).where(PersonIdentity.digest == digests.of_mark(mark)))


def _has_document(session: Session, person_id: int) -> bool:
    return _has(session, person_id, PersonIdentity.sort != WEAK)


def _has_name(session: Session, person_id: int) -> bool:
    return _has(session, person_id, PersonIdentity.sort == WEAK)


def _has(session: Session, person_id: int, sort: ColumnElement[bool]) -> bool:
    marks = select(PersonIdentity.digest).where(PersonIdentity.person_id == person_id, sort)
    return session.scalar(marks.limit(1)) is not None
