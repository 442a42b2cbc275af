"""Seeing a person unmasked: who, whom, when and why are on record before anything is shown (D-16)."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from ledger.refusals import Refusal
from office.callers import Caller
from office.persons.models import Person, PersonVersion, PersonView
from office.persons.settings import UNMASKED_ROLES
from office.settings.versions import value_of
from office.significant.kinds import PERSON_VIEWED, PERSONS_EXPORTED
from office.significant.log import note


def ask_to_view(session: Session, person_id: int, version_id: int | None, reason: str, by: Caller) -> int:
    """Put a view of a person on record; the number of the version to show, the latest one if none is named.

    The caller commits before it reads the version: what is not on record is not shown.

    Raises:
        Refusal: ``not_found``; ``unmasked_view_not_granted``.
    """
    grant(session, by)
    version = version_of(session, person_id, version_id)
    _write(session, [version], reason, by)
    note(session, PERSON_VIEWED, f"person:{person_id}", by, version=version, reason=reason)
    return version


def ask_to_export(session: Session, versions: Iterable[int], what: str, reason: str, by: Caller) -> None:
    """Put the unmasked export of a list on record, a view for every version in it.

    Raises:
        Refusal: ``unmasked_view_not_granted``.
    """
    grant(session, by)
    shown = sorted(set(versions))
    _write(session, shown, reason, by)
    note(session, PERSONS_EXPORTED, what, by, versions=len(shown), reason=reason)


def grant(session: Session, by: Caller) -> None:
    """Whether the caller's role may see persons unmasked at all.

    Raises:
        Refusal: ``unmasked_view_not_granted``.
    """
    if by.role.value not in value_of(session, UNMASKED_ROLES):
        raise Refusal("unmasked_view_not_granted", "Вашей роли не дано право смотреть персональные данные без маски.")


def version_of(session: Session, person_id: int, version_id: int | None = None) -> int:
    """A version of a person, the latest if none is named.

    Raises:
        Refusal: ``not_found``.
    """
    versions = select(PersonVersion.id).join(Person, Person.id == PersonVersion.person_id)
    mine = versions.where(Person.id == person_id).order_by(PersonVersion.id.desc()).limit(1)
    found = session.scalar(mine if version_id is None else mine.where(PersonVersion.id == version_id))
    if found is None:
        raise Refusal("not_found", "Такого лица или такой записи о нём нет.")
    return found


def versions_of(session: Session, person_id: int) -> list[PersonVersion]:
    """Every version of a person, the latest first: what was known when, still sealed."""
    mine = select(PersonVersion).where(PersonVersion.person_id == person_id)
    return list(session.scalars(mine.order_by(PersonVersion.id.desc())))


def _write(session: Session, versions: list[int], reason: str, by: Caller) -> None:
    rows = [{"person_version_id": version, "user_id": by.user_id, "reason": reason} for version in versions]
    if rows:
        session.execute(insert(PersonView), rows)
