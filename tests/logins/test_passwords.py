"""Passwords as they are kept: one reading of what was typed, a cost that can be raised, a bounded number at a time."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import InvalidHashError

from db.session import transaction
from office import passwords
from office.users import User
from tests.office import PASSWORD, Office

COMPOSED, DECOMPOSED = "пай-мальчик, \u0451лка", "паи\u0306-мальчик, е\u0308лка"


def test_a_password_is_one_however_its_letters_are_composed() -> None:
    assert COMPOSED != DECOMPOSED
    assert passwords.password_matches(passwords.hash_password(COMPOSED), DECOMPOSED)
    assert passwords.password_matches(passwords.hash_password("ｗｉｄｅ"), "wide")
    assert not passwords.password_matches(passwords.hash_password("Wide"), "wide")


def test_nobodys_hash_costs_what_anybodys_does_and_fits_no_password() -> None:
    nobodys, anybodys = passwords._nobodys(), passwords.hash_password("x")
    assert extract_parameters(nobodys) == extract_parameters(anybodys)
    assert not passwords.password_matches(None, "")


def test_the_cost_by_default_is_that_of_the_standard() -> None:
    """RFC 9106, section 4, second choice: 64 MiB, three passes, four lanes. The tests' own hasher is cheaper."""
    assert passwords.MEMORY == 65536
    assert passwords.AT_ONCE * passwords.MEMORY // 1024 == 128


def test_a_hash_of_another_cost_is_made_anew_at_the_next_sign_in(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert office.organizer
    before = hash_of(office, "organizer")
    monkeypatch.setattr(passwords, "_hasher", PasswordHasher(time_cost=2, memory_cost=16, parallelism=1))

    office.sign_in("organizer")
    after = hash_of(office, "organizer")
    office.sign_in("organizer")

    assert (extract_parameters(before).time_cost, extract_parameters(after).time_cost) == (1, 2)
    assert hash_of(office, "organizer") == after, "made anew once"


def test_no_more_hashes_at_once_than_the_house_has_memory_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty at once: never more than two are under way."""
    counting, under_way, most = threading.Lock(), 0, 0

    class Slow(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> bool:
            nonlocal under_way, most
            with counting:
                under_way += 1
                most = max(most, under_way)
            time.sleep(0.01)
            with counting:
                under_way -= 1
            return True

    monkeypatch.setattr(passwords, "_hasher", Slow(time_cost=1, memory_cost=8, parallelism=1))
    with ThreadPoolExecutor(40) as threads:
        answers = list(threads.map(lambda _: passwords.password_matches("hash", "x"), range(40)))
    assert answers == [True] * 40
    assert most == passwords.AT_ONCE == 2


def test_who_waits_too_long_is_told_to_come_again(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """All turns are taken: 503, soon, and no attempt is counted for it."""
    monkeypatch.setattr(passwords, "PATIENCE", 0.01)
    turns = [passwords._turns.acquire() for _ in range(passwords.AT_ONCE)]
    try:
        told = {"login": "administrator", "password": PASSWORD}
        answers = [office.client.post("/api/v1/sessions", json=told) for _ in range(7)]
    finally:
        for _ in turns:
            passwords._turns.release()
    assert {(answer.status_code, answer.json["code"]) for answer in answers} == {(503, "too_busy")}
    assert office.client.post("/api/v1/sessions", json=told).status_code == 201


def test_one_time_passwords_are_eighty_random_bits() -> None:
    made = {passwords.one_time_password() for _ in range(1000)}
    assert len(made) == 1000
    assert {len(password.replace("-", "")) for password in made} == {16}
    assert set("".join(made)) == set("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567-")


def test_the_turn_is_given_back_when_a_hash_fails() -> None:
    for _ in range(passwords.AT_ONCE + 1):
        with pytest.raises(InvalidHashError):
            passwords.password_matches("no hash at all", "x")
    assert passwords.password_matches(passwords.hash_password("x"), "x")


def hash_of(office: Office, login: str) -> str:
    """The hash on record."""
    with transaction(office.owner) as session:
        return session.query(User.password_hash).filter(User.login == login).scalar()
