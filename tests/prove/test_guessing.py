"""Guessing at four workers: what is counted in the database is seen by all of them (FIELD-FAULTS 113)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pytest

from office.callers import Role
from office.passwords import AT_ONCE, MEMORY
from office.significant.kinds import ADDRESS_THROTTLED, LOGIN_THROTTLED
from office.throttling.doors import ADDRESS_ATTEMPTS
from tests.office import PASSWORD
from tests.prove.served import Served, sized
from tests.prove.workers import at_once
from tests.records import facts_of, let_pass, set_to

pytestmark = pytest.mark.prove
ATTEMPTS = 40
SLACK = 48 * 1024
"""KiB a worker may grow by for everything else it does on the way."""


@pytest.fixture(autouse=True)
def rested(served: Served) -> None:
    """Nobody has tried anything for an hour, and limits are what they are by default."""
    let_pass(served.office, 3601)
    set_to(served.office, ADDRESS_ATTEMPTS, ADDRESS_ATTEMPTS.default)


def hired(served: Served, login: str, role: Role = Role.TRADER) -> str:
    """A login of the office."""
    served.office.hire(login, role)
    return login


def sign_in(served: Served, login: str, password: str, **terminal: Any) -> httpx.Response:
    """An attempt to sign in, on a connection of its own; made again as long as the house is too busy to check it."""
    body = {"login": login, "password": password, **terminal}
    while True:
        answer = httpx.post(served.workers.url + "/api/v1/sessions", json=body, timeout=60)
        if answer.status_code != 503:
            return answer


@pytest.mark.parametrize("turn", range(sized(3, 20)))
def test_of_forty_attempts_at_once_five_are_tried(served: Served, turn: int) -> None:
    login = hired(served, f"vera-{turn}")
    answers = at_once([lambda: sign_in(served, login, "a guess")] * ATTEMPTS)
    assert Counter(answer.status_code for answer in answers) == {401: 5, 429: 35}
    assert all(1 <= int(answer.headers["Retry-After"]) <= 60 for answer in answers if answer.status_code == 429)
    assert len(facts_of(served.office, LOGIN_THROTTLED)) == turn + 1, "told once, not thirty-five times"


def test_the_sixth_is_refused_wherever_it_lands_and_whatever_it_knows(served: Served) -> None:
    login = hired(served, "olga")
    assert {sign_in(served, login, "a guess").status_code for _ in range(5)} == {401}
    answers = at_once([lambda: sign_in(served, login, PASSWORD)] * ATTEMPTS)
    assert Counter(answer.status_code for answer in answers) == {429: ATTEMPTS}


def test_an_unknown_login_is_throttled_alike(served: Served) -> None:
    answers = at_once([lambda: sign_in(served, "nobody", "a guess")] * ATTEMPTS)
    assert Counter(answer.status_code for answer in answers) == {401: 5, 429: 35}


def test_the_cashier_at_the_own_desk_gets_in_while_the_address_is_throttled(served: Served) -> None:
    """All come from one address, which is allowed twelve failures a minute."""
    assert served.cashier
    set_to(served.office, ADDRESS_ATTEMPTS, 12)
    supervisor = hired(served, "boss", Role.SUPERVISOR)
    terminal = served.office.terminal
    attempts = [lambda login=f"nobody-{number}": sign_in(served, login, "a guess") for number in range(ATTEMPTS)]
    assert Counter(answer.status_code for answer in at_once(attempts)) == {401: 12, 429: 28}
    assert sign_in(served, supervisor, PASSWORD).status_code == 429
    at_desk = at_once([lambda: sign_in(served, "cashier", PASSWORD, terminal=terminal)] * 5)
    assert [answer.status_code for answer in at_desk] == [201] * 5
    assert len(facts_of(served.office, ADDRESS_THROTTLED)) == 1


def test_the_cashier_gets_in_while_the_own_login_is_attacked_from_outside(served: Served) -> None:
    assert served.cashier
    terminal = served.office.terminal
    attacks = [lambda: sign_in(served, "cashier", "a guess")] * ATTEMPTS
    entries = [lambda: sign_in(served, "cashier", PASSWORD, terminal=terminal)] * 5
    answers = at_once([*attacks, *entries])
    assert Counter(answer.status_code for answer in answers[:ATTEMPTS]) == {401: 5, 429: 35}
    assert [answer.status_code for answer in answers[ATTEMPTS:]] == [201] * 5


def test_many_who_sign_in_at_once_do_not_eat_the_memory(served: Served) -> None:
    """Each checks a password at the house's own cost and hashes it anew; a worker does two of that at a time."""
    logins = [hired(served, f"one-of-many-{number}") for number in range(sized(16, 40))]
    before = {worker: memory(worker, "VmRSS") for worker in served.workers.processes()}
    answers = at_once([lambda login=login: sign_in(served, login, PASSWORD) for login in logins])
    assert {answer.status_code for answer in answers} == {201}
    grown = {worker: memory(worker, "VmHWM") - was for worker, was in before.items()}
    assert 0 < max(grown.values()) < AT_ONCE * MEMORY + SLACK, grown


def memory(process: int, figure: str) -> int:
    """KiB a process holds now (``VmRSS``) or held at the most (``VmHWM``)."""
    lines = Path(f"/proc/{process}/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(figure))
