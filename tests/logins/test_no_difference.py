"""A wrong sign-in tells nothing: not which logins exist, nor which are locked, nor that a password was right.

FIELD-FAULTS 111. What could differ is the answer, the work behind it, and the time: the answers are compared byte by
byte, the work is counted, and the time is measured in turns and compared as a ratio, for machines differ and are busy.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median

import pytest
from argon2 import PasswordHasher
from sqlalchemy import event, text
from werkzeug.test import TestResponse

from db.session import transaction
from office import passwords
from office.callers import Role
from office.throttling.doors import ADDRESS_ATTEMPTS, LOGIN_ATTEMPTS
from tests.office import PASSWORD, Office
from tests.records import set_to

WRONG = "a wrong password"
TURNS = 200
OFFICE = {
    "unknown": ("nobody", PASSWORD),
    "wrong password": ("organizer", WRONG),
    "locked, right password": ("locked", PASSWORD),
    "one-time password that lapsed": ("lapsed", PASSWORD),
    "cashier away from a terminal, right password": ("cashier", PASSWORD),
    "cashier away from a terminal, wrong password": ("cashier", WRONG),
}
PLAYERS = {
    "unknown": ("nobody", PASSWORD),
    "wrong password": ("ivan", WRONG),
    "locked, right password": ("locked", PASSWORD),
    "lapsed": ("lapsed", PASSWORD),
}


@pytest.fixture
def people(office: Office) -> Office:
    """Logins of every kind that is not let in."""
    assert office.organizer and office.cashier
    for login in ("locked", "lapsed"):
        office.hire(login, Role.TRADER)
        office.player(login)
    office.player("ivan")
    with transaction(office.owner) as session:
        for table in ("users", "players"):
            session.execute(text(f"UPDATE {table} SET blocked_at = now() WHERE login = 'locked'"))
            session.execute(text(f"UPDATE {table} SET password_until = now() WHERE login = 'lapsed'"))
    return office


def sign_in(office: Office, path: str, login: str, password: str) -> TestResponse:
    """An attempt."""
    return office.client.post("/api/v1" + path, json={"login": login, "password": password})


@contextmanager
def work_of(office: Office, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The statements sent and the passwords checked in the block, in order."""
    done: list[str] = []

    class Counting(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> bool:
            done.append("password checked")
            return super().verify(hash, password)

    def sent(connection: object, cursor: object, statement: str, *rest: object) -> None:
        done.append(statement)

    with monkeypatch.context() as patched:
        patched.setattr(passwords, "_hasher", Counting(time_cost=1, memory_cost=8, parallelism=1))
        event.listen(office.house.engine, "before_cursor_execute", sent)
        try:
            yield done
        finally:
            event.remove(office.house.engine, "before_cursor_execute", sent)


@pytest.mark.parametrize(("path", "attempts"), [("/sessions", OFFICE), ("/player-sessions", PLAYERS)])
def test_one_answer_and_one_amount_of_work(
    people: Office, monkeypatch: pytest.MonkeyPatch, path: str, attempts: dict[str, tuple[str, str]]
) -> None:
    answers, works = {}, {}
    sign_in(people, path, "somebody else", PASSWORD)
    for name, (login, password) in attempts.items():
        with work_of(people, monkeypatch) as done:
            answers[name] = sign_in(people, path, login, password)
        works[name] = [step.replace("users", "X").replace("players", "X") for step in done]
    assert {answer.status_code for answer in answers.values()} == {401}
    assert len({answer.text for answer in answers.values()}) == 1
    # A request's number is its own, whoever asks.
    told = [sorted(header for header in answer.headers if header[0] != "X-Request-Id") for answer in answers.values()]
    assert all(headers == told[0] for headers in told)
    differing = [name for name, work in works.items() if work != works["unknown"]]
    assert differing == []
    assert works["unknown"].count("password checked") == 1


def test_throttled_alike(people: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sixth attempt on a known login and on an unknown one: one answer but for the seconds, the same work."""
    works = []
    for login in ("organizer", "nobody"):
        for _ in range(5):
            assert sign_in(people, "/sessions", login, WRONG).status_code == 401
        with work_of(people, monkeypatch) as done:
            assert sign_in(people, "/sessions", login, WRONG).json["code"] == "too_many_attempts"
        works.append(done)
    assert works[0] == works[1]
    assert "password checked" not in works[0]


def test_no_difference_in_time(people: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hundred attempts of each kind in turns, at a cost of passwords that most of the time goes into."""
    for setting in (LOGIN_ATTEMPTS, ADDRESS_ATTEMPTS):
        set_to(people, setting, 1000)
    dear = PasswordHasher(time_cost=2, memory_cost=4096, parallelism=1)
    monkeypatch.setattr(passwords, "_hasher", dear)
    with transaction(people.owner) as session:
        session.execute(text("UPDATE users SET password_hash = :hash"), {"hash": dear.hash(PASSWORD)})
    kinds = {kind: OFFICE[kind] for kind in ("unknown", "wrong password", "locked, right password")}
    taken: dict[str, list[float]] = {kind: [] for kind in kinds}
    for _ in range(TURNS):
        for kind, (login, password) in kinds.items():
            start = time.perf_counter()
            assert sign_in(people, "/sessions", login, password).status_code == 401
            taken[kind].append(time.perf_counter() - start)
    medians = {kind: median(times) for kind, times in taken.items()}
    assert max(medians.values()) < 1.25 * min(medians.values()), medians
