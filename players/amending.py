"""New details of a known person: a document shown later, another name, another telephone (T-Rules 35.3)."""

from __future__ import annotations

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from ledger.refusals import Refusal
from office.callers import Caller
from office.persons.details import Details, kind_of
from office.persons.models import Person
from office.persons.register import Persons
from office.significant.kinds import PERSON_AMENDED
from office.significant.log import note
from players.exclusion import carry_over
from players.models import Player


def amend(session: Session, persons: Persons, person_id: int, details: Details, by: Caller) -> int:
    """Record a version of a known person with these details, whole; its number. A registration points to it from now.

    Raises:
        Refusal: ``not_found``; ``person_kind_differs``; ``person_already_registered``, the document is a player's.
    """
    person = _known(session, person_id)
    if person.kind != kind_of(details):
        raise Refusal("person_kind_differs", "Физическое лицо не становится юридическим и наоборот.")
    former = _claim_document(session, persons, person_id, details)
    # An erasure may have come first; from here on it waits.
    _known(session, person_id)
    version = persons.add_version(session, person_id, details)
    player = session.scalar(select(Player).where(Player.person_id == person_id))
    if player is not None:
        player.person_version_id = version
        session.flush()
    if former is not None:
        carry_over(session, former, person_id, version, by)
    note(session, PERSON_AMENDED, f"person:{person_id}", by, version=version)
    session.flush()
    return version


def _known(session: Session, person_id: int) -> Person:
    person = session.get(Person, person_id, populate_existing=True)
    if person is None or person.erased_at is not None:
        raise Refusal("not_found", "Такого лица нет.")
    return person


def _claim_document(session: Session, persons: Persons, person_id: int, details: Details) -> int | None:
    """Let the person have the document of these details; who had it till now, if somebody else did."""
    holder = persons.take_marks(session, person_id, details)
    if holder == person_id:
        return None
    if session.scalar(select(exists().where(Player.person_id == holder))):
        raise Refusal("person_already_registered", "Этот документ записан за другим зарегистрированным игроком.")
    persons.move_document(session, person_id, details)
    return holder
