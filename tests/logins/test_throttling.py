"""Counts of attempts: no more than the limit in any minute, one line for all who try at once, a bounded journal."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from sqlalchemy import text

from db.session import transaction
from ledger.refusals import Refusal
from office.significant.kinds import ADDRESS_THROTTLED, CODES_GUESSED, GUESSING_FLOOD, LOGIN_THROTTLED
from office.throttling.counts import count, forget, give_back, sweep_counts
from office.throttling.doors import (
    ADDRESS,
    EVENTS_OF_GUESSING,
    LOGIN_ATTEMPTS,
    TICKET_CODES,
    USER_LOGIN,
    Door,
    Knock,
)
from tests.office import KEYS, Office
from tests.records import facts_of, let_pass, set_to

SECRET = KEYS.code_hmac
VERA = Knock(USER_LOGIN, "vera@outside", about="user:7")


def knock(office: Office, *knocks: Knock) -> Refusal | None:
    """An attempt, counted for good."""
    with transaction(office.house.sessions) as session:
        return count(session, SECRET, *(knocks or (VERA,)))


def let_in(office: Office, attempts: int, *knocks: Knock) -> int:
    """How many of so many attempts may be tried."""
    return sum(knock(office, *knocks) is None for _ in range(attempts))


def counts(office: Office) -> int:
    """How many counts are kept."""
    with office.owner() as session:
        return session.scalar(text("SELECT count(*) FROM attempt_counts"))


def test_the_sixth_attempt_of_a_minute_is_refused_with_the_seconds_to_wait(office: Office) -> None:
    assert let_in(office, 5) == 5
    refused = knock(office)
    assert refused is not None and refused.code == "too_many_attempts"
    assert 58 <= refused.facts["retry_after"] <= 60


def test_never_more_than_the_limit_in_any_minute(office: Office) -> None:
    """Two, then three half a minute later: after the minute the first two are over, the three are not."""
    assert let_in(office, 2) == 2
    let_pass(office, 30)
    assert let_in(office, 5) == 3
    let_pass(office, 31)
    assert let_in(office, 5) == 2
    refused = knock(office)
    # The three were made 31 seconds ago; the first of them leaves the minute in 29.
    assert refused is not None and 27 <= refused.facts["retry_after"] <= 29


def test_refused_attempts_are_not_counted_or_nobody_would_get_in_again(office: Office) -> None:
    assert let_in(office, 500) == 5
    let_pass(office, 61)
    assert let_in(office, 500) == 5


def test_subjects_and_doors_are_counted_apart(office: Office) -> None:
    assert let_in(office, 9) == 5
    assert let_in(office, 9, Knock(USER_LOGIN, "ivan@outside")) == 5
    assert let_in(office, 11, Knock(TICKET_CODES, VERA.subject)) == 10


def test_an_attempt_given_back_leaves_those_that_failed(office: Office) -> None:
    let_in(office, 4)
    for _ in range(10):
        assert knock(office) is None
        with transaction(office.house.sessions) as session:
            give_back(session, SECRET, VERA)
    assert let_in(office, 9) == 1


def test_a_success_forgets_what_failed(office: Office) -> None:
    let_in(office, 5)
    with transaction(office.house.sessions) as session:
        forget(session, SECRET, VERA)
        give_back(session, SECRET, VERA)
    assert let_in(office, 9) == 5


def test_giving_back_what_was_swept_is_nothing(office: Office) -> None:
    with transaction(office.house.sessions) as session:
        give_back(session, SECRET, VERA)
        forget(session, SECRET, VERA)
    assert counts(office) == 0


def test_an_attempt_at_a_shut_first_door_does_not_count_at_the_second(office: Office) -> None:
    """Who is throttled by address uses up nobody's login."""
    address = Knock(ADDRESS, "192.0.2.1")
    let_in(office, 100, address)
    assert let_in(office, 50, address, VERA) == 0
    assert let_in(office, 9) == 5


def test_of_forty_at_once_exactly_the_limit_may_be_tried(office: Office) -> None:
    start = Barrier(8)

    def five_attempts(_: int) -> int:
        start.wait()
        return let_in(office, 5)

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(five_attempts, range(8))) == 5


def test_the_limit_is_a_setting(office: Office) -> None:
    set_to(office, LOGIN_ATTEMPTS, 2)
    assert let_in(office, 9) == 2


def test_a_login_and_an_address_are_kept_as_digests(office: Office) -> None:
    knock(office, Knock(ADDRESS, "192.0.2.77"), Knock(USER_LOGIN, "my password typed as a login"))
    with office.owner() as session:
        rows = session.scalars(text("SELECT attempt_counts::text FROM attempt_counts")).all()
        raw = b"".join(session.scalars(text("SELECT digest FROM attempt_counts")).all())
    assert len(rows) == 2
    for secret in ("192.0.2.77", "my password"):
        assert secret not in " ".join(rows) and secret.encode() not in raw


def test_a_shut_door_is_noted_once_an_hour_whatever_knocks(office: Office) -> None:
    let_in(office, 40)
    assert facts_of(office, LOGIN_THROTTLED) == [("user:7", {"door": "user_login", "failures": 5})]
    let_pass(office, 59 * 60)
    let_in(office, 40)
    assert len(facts_of(office, LOGIN_THROTTLED)) == 1
    let_pass(office, 2 * 60)
    let_in(office, 40)
    assert len(facts_of(office, LOGIN_THROTTLED)) == 2


def test_who_guesses_slowly_is_noted_as_well(office: Office) -> None:
    """Four attempts a minute never hit the limit; the fiftieth without a success is noted."""
    for _ in range(12):
        assert let_in(office, 4) == 4
        let_pass(office, 61)
    assert facts_of(office, LOGIN_THROTTLED) == []
    assert let_in(office, 2) == 2
    assert facts_of(office, LOGIN_THROTTLED) == [("user:7", {"door": "user_login", "failures": 50})]


def test_after_an_hours_pause_a_new_count_begins(office: Office) -> None:
    for _ in range(12):
        let_in(office, 4)
        let_pass(office, 61)
    let_pass(office, 3601)
    assert let_in(office, 5) == 5
    assert facts_of(office, LOGIN_THROTTLED) == []


def test_an_unknown_login_is_noted_by_a_part_of_its_digest(office: Office) -> None:
    let_in(office, 6, Knock(USER_LOGIN, "nobody"))
    ((subject, _),) = facts_of(office, LOGIN_THROTTLED)
    digest = Knock(USER_LOGIN, "nobody").digest(SECRET).hex()
    assert subject == f"user_login:{digest[:12]}"


def test_a_flood_of_shut_doors_is_told_in_few_events(office: Office) -> None:
    """Thirty addresses hit their limit; five are noted by name, then one alarm says that there are more."""
    set_to(office, EVENTS_OF_GUESSING, 5)
    for number in range(30):
        address = Knock(ADDRESS, f"192.0.2.{number}")
        let_in(office, 102, address)
    assert len(facts_of(office, ADDRESS_THROTTLED)) == 5
    assert facts_of(office, GUESSING_FLOOD) == [("house:journal", {"door": "events", "failures": 5})]


def test_codes_guessed_at_a_terminal_raise_the_alarm(office: Office) -> None:
    let_in(office, 11, Knock(TICKET_CODES, "terminal:3", about="terminal:3"))
    assert facts_of(office, CODES_GUESSED) == [("terminal:3", {"door": "ticket_codes", "failures": 10})]


def test_old_counts_are_swept_and_young_ones_stay(office: Office) -> None:
    let_in(office, 1, Knock(ADDRESS, "192.0.2.1"), VERA)
    let_pass(office, 3601)
    let_in(office, 1, Knock(ADDRESS, "192.0.2.2"))
    assert counts(office) == 3

    assert sweep_counts(office.house.sessions) == 2

    assert counts(office) == 1


def test_a_sweep_waits_for_nobody(office: Office) -> None:
    """A count somebody holds is left to the next sweep."""
    let_in(office, 1, Knock(ADDRESS, "192.0.2.1"), VERA)
    let_pass(office, 3601)
    with office.house.sessions() as session:
        assert count(session, SECRET, VERA) is None
        assert sweep_counts(office.house.sessions) == 1
        session.rollback()
    assert sweep_counts(office.house.sessions) == 1


def test_a_door_cannot_remember_longer_than_counts_are_kept() -> None:
    with pytest.raises(ValueError, match="forgotten"):
        Door("annual", LOGIN_ATTEMPTS, LOGIN_THROTTLED, period=timedelta(hours=2))
