"""Who was locked or signed out while a request waited finishes nothing: it is looked again before the commit."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text

from tests.desk.test_shifts import PATIENCE, waits
from tests.office import PASSWORD, Office

ENDINGS = {
    "locked": "UPDATE users SET blocked_at = now() WHERE login = 'organizer'",
    "signed out": "UPDATE access_tokens SET ended_at = now() WHERE user_id = "
    "(SELECT id FROM users WHERE login = 'organizer')",
}
STOP = {"scope": "everywhere", "reason": "проба"}


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS)
def test_a_stop_of_sales_that_waited_is_not_thrown_by_whoever_was_put_out(office: Office, ending: str) -> None:
    organizer = office.organizer
    with office.owner() as holding, ThreadPoolExecutor(1) as threads:
        # The house's gate is held, as by a sale under way: the request was let in and waits.
        holding.execute(text("SELECT pg_advisory_xact_lock_shared(0, 0)"))
        sent = threads.submit(organizer.post, "/sales-stops", STOP)
        assert waits(office, sent)
        with office.owner.begin() as putting_out:
            putting_out.execute(text(ending))
        holding.rollback()
        answer = sent.result(PATIENCE)
    assert (answer.status_code, answer.json["code"]) == (401, "unauthenticated")
    with office.owner() as session:
        assert session.scalar(text("SELECT count(*) FROM sales_stops")) == 0


def test_nobody_unlocks_the_own_login(office: Office) -> None:
    answer = office.administrator.post("/users/1/unlocking", {"reason": "сам"})
    assert (answer.status_code, answer.json["code"]) == (409, "own_login")


def test_guesses_at_the_own_password_are_counted_apart_from_every_login(office: Office) -> None:
    """A player called `ivan@own` signs in as often as they like: the guesses at Ivan's password stay counted."""
    victim, other = office.player("ivan"), {"login": "ivan@own", "password": PASSWORD}
    office.player("ivan@own")
    guess = {"old_password": "a guess at it", "password": "another password 1"}
    answers = []
    for _ in range(7):
        answers.append(office.client.put("/api/v1/own-password", json=guess, headers=victim.headers).status_code)
        assert office.client.post("/api/v1/player-sessions", json=other).status_code == 201
    assert answers == [403] * 5 + [429] * 2
