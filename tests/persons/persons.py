"""People of these tests: how they are registered, paid, looked for."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from sqlalchemy import text
from sqlalchemy.orm import Session
from werkzeug.test import TestResponse

from db.session import transaction
from office.callers import Role
from tests.office import PASSWORD, Member, Office

PASSPORT = {"kind": "паспорт", "number": "MP7654321", "issued_on": "2015-03-01", "issued_by": "Минское РУВД"}
ANNA = {"surname": "Королёва", "name": "Анна", "patronymic": "Ильинична", "birth_date": "1990-05-17"}


def enrol(office: Office, login: str, **person: Any) -> TestResponse:
    """Register a player; who it is comes from :data:`ANNA` where nothing else is told."""
    return office.cashier.post("/players", {"login": login, "password": PASSWORD, **(person or ANNA)})


def person_of(office: Office, login: str) -> int:
    """The person a registration is of."""
    return int(fact(office, "SELECT person_id FROM players WHERE login = :login", login=login))


def fact(office: Office, query: str, **values: Any) -> Any:
    """One figure, read as the owner."""
    with office.owner() as session:
        return session.scalar(text(query), values)


def do(office: Office, statement: str, **values: Any) -> None:
    """Change something as the owner."""
    with transaction(office.owner) as session:
        session.execute(text(statement), values)


def auditor(office: Office) -> Member:
    """Somebody who reads everything, personal data where it was granted."""
    office.hire("auditor", Role.AUDITOR)
    return office.sign_in("auditor")


def found(member: Member, **wanted: Any) -> list[int]:
    """The persons a search finds."""
    answer = member.post("/persons/searches", wanted)
    assert answer.status_code == 200, answer.json
    return [hit["person_id"] for hit in answer.json["items"]]


def win(office: Office, code: str = "P1") -> str:
    """A winning ticket's code, payable from now on: it is the morning after."""
    office.clock("2022-11-22T08:00:00+03:00")
    pool = office.pool(code)
    office.bet(office.cashier, "2", "10.00", code)
    ticket = office.bet(office.cashier, "1", "10.00", code).json["code"]
    assert office.decide(pool, "1").status_code == 201
    office.clock("2022-11-23T10:00:00+03:00")
    return str(ticket)


def pay(office: Office, code: str, document: dict[str, str] = PASSPORT, **name: str) -> TestResponse:
    """Pay a ticket in cash against a document."""
    body = {"code": code, "code_entry": "scanned", "surname": "Королёва", "name": "Анна", **name, "document": document}
    return office.cashier.post("/payouts", body)


def in_a_thread(office: Office, act: Callable[[Session], int]) -> Future[int]:
    """Something done in a transaction of its own, which will have to wait."""

    def committed() -> int:
        with transaction(office.house.sessions) as session:
            return act(session)

    return ThreadPoolExecutor(1).submit(committed)


def waits(office: Office, sessions: int = 1) -> None:
    """Return when so many sessions wait for locks."""
    waiting = "SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted AND pid IN"
    waiting += " (SELECT pid FROM pg_stat_activity WHERE datname = current_database())"
    patient_until = time.monotonic() + 20
    while fact(office, waiting) < sessions:
        assert time.monotonic() < patient_until, "nobody waits"
        time.sleep(0.01)
