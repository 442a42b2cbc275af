"""Acts that need several rows of one person take them in one order, so that no two wait for one another.

Each test holds an act after its first locks and lets the other one come: it waits, and then both end.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from datetime import date

import pytest
from sqlalchemy.orm import Session

from desk.retention import erase_on_request
from ledger.refusals import Refusal
from office.callers import Caller, Role
from office.persons.details import Document, NaturalPerson
from office.persons.erasure import close_to_others
from players import locking
from players.amending import amend
from players.locking import reset_player_password
from tests.office import OPERATOR, Office
from tests.persons.persons import ANNA, PASSPORT, do, enrol, fact, in_a_thread, person_of, waits

PAPERS = Document("паспорт", "MP7654321", issued_on=date(2015, 3, 1), issued_by="Минское РУВД")
SHOWN = NaturalPerson("Королёва", "Анна", "Ильинична", birth_date=date(1990, 5, 17), document=PAPERS)
MOVED = replace(SHOWN, phone="+375291112233")
BY = Caller(Role.SUPERVISOR, user_id=1)


@pytest.fixture
def anna(office: Office) -> int:
    """Anna is registered with her passport; the person."""
    assert enrol(office, "anna", **ANNA, document=PASSPORT).status_code == 201
    return person_of(office, "anna")


def reset(office: Office, session: Session) -> int:
    """A new password for Anna; the length of it."""
    return len(reset_player_password(session, office.house.persons, "anna", SHOWN, BY).password)


def test_a_new_password_while_the_person_is_amended(office: Office, anna: int) -> None:
    """The amendment has the marks and goes for the registration's row, which the password must not hold by then."""
    persons = office.house.persons
    with office.house.sessions() as session:
        persons.take_marks(session, anna, MOVED)
        coming = in_a_thread(office, lambda other: reset(office, other))
        waits(office)
        version = amend(session, persons, anna, MOVED, BY)
        session.commit()
    assert coming.result(timeout=20) > 0
    assert fact(office, "SELECT person_version_id FROM players") == version


def while_a_password_is_given(
    office: Office, monkeypatch: pytest.MonkeyPatch, act: Callable[[Session], int]
) -> Future[int]:
    """The password has every row it needs when the other act comes, and is given while that one waits."""
    coming: list[Future[int]] = []
    give = locking.give_one_time_password

    def giving(*told: object, **named: object) -> object:
        coming.append(in_a_thread(office, act))
        waits(office)
        return give(*told, **named)

    monkeypatch.setattr(locking, "give_one_time_password", giving)
    with office.house.sessions() as session:
        reset(office, session)
        session.commit()
    return coming[0]


def test_amending_while_a_new_password_is_given(office: Office, anna: int, monkeypatch: pytest.MonkeyPatch) -> None:
    persons = office.house.persons
    amended = while_a_password_is_given(office, monkeypatch, lambda session: amend(session, persons, anna, MOVED, BY))
    assert amended.result(timeout=20) == fact(office, "SELECT person_version_id FROM players")


def test_an_erasure_while_a_new_password_is_given(office: Office, anna: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """She shows what is on record, so there is one version, and all of it is erased."""
    do(office, "UPDATE players SET blocked_at = now()")

    def erased(session: Session) -> int:
        return len(erase_on_request(session, OPERATOR, office.house.persons, anna, "проба", BY).versions)

    assert while_a_password_is_given(office, monkeypatch, erased).result(timeout=20) == 1


def test_a_new_password_and_an_amendment_while_the_person_is_erased(office: Office, anna: int) -> None:
    """Both wait for the erasure, and find nobody: of who is gone nothing new is written, no mark is taken."""
    do(office, "UPDATE players SET blocked_at = now()")
    persons = office.house.persons
    with office.house.sessions() as session:
        close_to_others(session, anna)
        acts = (
            in_a_thread(office, lambda other: reset(office, other)),
            in_a_thread(office, lambda other: amend(other, persons, anna, MOVED, BY)),
        )
        waits(office, 2)
        erase_on_request(session, OPERATOR, persons, anna, "проба", BY)
        session.commit()
    codes = []
    for late in acts:
        with pytest.raises(Refusal) as refused:
            late.result(timeout=20)
        codes.append(refused.value.code)
    assert codes == ["identity_not_proven", "not_found"]
    assert fact(office, "SELECT count(*) FROM person_identities") == 0
    assert fact(office, "SELECT count(*) FROM person_versions WHERE ciphertext IS NOT NULL") == 0
