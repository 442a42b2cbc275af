"""Changing logins of the office: what is noted of it, and that an administrator is always left."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from db.session import transaction
from ledger.refusals import Refusal
from office.callers import Caller, Role
from office.significant.kinds import (
    ADMINISTRATOR_RESCUED,
    USER_CREATED,
    USER_LOCKED,
    USER_RENAMED,
    USER_ROLE_CHANGED,
    USER_UNLOCKED,
)
from office.user_changes import change_role, lock_user, rename_user, rescue_administrator, unlock_user
from office.users import User, create_user
from tests.office import PASSWORD, Office
from tests.records import facts_of, noted

BOSS = Caller(Role.ADMINISTRATOR, user_id=1)


@pytest.fixture
def deputy(office: Office) -> Caller:
    """A second administrator."""
    with transaction(office.house.sessions) as session:
        user = create_user(session, "deputy", "Заместитель", Role.ADMINISTRATOR, PASSWORD, BOSS)
        return Caller(Role.ADMINISTRATOR, user_id=user.id)


def active_administrators(session: Session) -> list[str]:
    """The logins that could still hire somebody."""
    query = select(User.login).where(User.role == "administrator", User.blocked_at.is_(None))
    return list(session.scalars(query))


def test_two_administrators_who_lock_one_another(office: Office, deputy: Caller) -> None:
    """The second one waits for the first, and finds that it may lock nobody any more."""
    assert deputy.user_id is not None
    with ThreadPoolExecutor(1) as thread, office.house.sessions() as session:
        lock_user(session, deputy.user_id, "ссора", BOSS)
        answer = thread.submit(locked_by, office, deputy)
        assert not answer.done()
        session.commit()
        assert answer.result() == "forbidden"
        assert active_administrators(session) == ["administrator"]
    assert [event.subject for event in noted(office, USER_LOCKED)] == [f"user:{deputy.user_id}"]


def test_two_administrators_who_demote_one_another_at_once(office: Office, deputy: Caller) -> None:
    """Whichever is first: one of them stays an administrator, the other is none."""
    with ThreadPoolExecutor(2) as threads:
        answers = list(threads.map(lambda pair: demoted_by(office, *pair), [(deputy.user_id, BOSS), (1, deputy)]))
    assert sorted(answers, key=str) == ["auditor", "forbidden"]
    with office.house.sessions() as session:
        assert len(active_administrators(session)) == 1


def test_nobody_locks_or_demotes_themself(office: Office) -> None:
    for act in (
        lambda session: lock_user(session, 1, "x", BOSS),
        lambda session: change_role(session, 1, Role.AUDITOR, BOSS),
    ):
        with office.house.sessions() as session, pytest.raises(Refusal, match="own_login"):
            act(session)


def test_every_change_is_noted_with_what_was_and_what_is(office: Office, deputy: Caller) -> None:
    with transaction(office.house.sessions) as session:
        vera = create_user(session, "vera", "Вера", Role.TRADER, PASSWORD, deputy)
        rename_user(session, vera.id, "Вера Петрова", deputy)
        rename_user(session, vera.id, "Вера Петрова", deputy)
        change_role(session, vera.id, Role.ORGANIZER, deputy)
        change_role(session, vera.id, Role.ORGANIZER, deputy)
        lock_user(session, vera.id, "отпуск", deputy)
        lock_user(session, vera.id, "ещё раз", deputy)
        unlock_user(session, vera.id, "вернулась", deputy)
        unlock_user(session, vera.id, "ещё раз", deputy)
    subject = f"user:{vera.id}"
    assert facts_of(office, USER_CREATED)[-1] == (subject, {"role": "trader"})
    assert facts_of(office, USER_RENAMED) == [(subject, {"old": "Вера", "new": "Вера Петрова"})]
    changed = {"old": "trader", "new": "organizer", "sessions_ended": 0}
    assert facts_of(office, USER_ROLE_CHANGED) == [(subject, changed)]
    assert facts_of(office, USER_LOCKED) == [(subject, {"reason": "отпуск", "sessions_ended": 0})]
    assert facts_of(office, USER_UNLOCKED) == [(subject, {"reason": "вернулась"})]
    assert {event.user_id for event in noted(office, USER_LOCKED)} == {deputy.user_id}


def test_a_change_of_nobody_is_refused(office: Office) -> None:
    for act in (lock_user, unlock_user, rename_user):
        with office.house.sessions() as session, pytest.raises(Refusal, match="not_found"):
            act(session, 404, "x", BOSS)


def test_a_lost_administrator_is_rescued_and_the_alarm_tells(office: Office, deputy: Caller) -> None:
    assert deputy.user_id is not None
    with transaction(office.house.sessions) as session:
        lock_user(session, deputy.user_id, "ссора", BOSS)
    with transaction(office.house.sessions) as session:
        given = rescue_administrator(session, "Deputy")
        assert given.password not in str(given.until)
    ((subject, facts),) = facts_of(office, ADMINISTRATOR_RESCUED)
    assert (subject, facts) == (f"user:{deputy.user_id}", {"was_locked": True, "sessions_ended": 0})
    answer = office.client.post("/api/v1/sessions", json={"login": "deputy", "password": given.password})
    assert (answer.status_code, answer.json["password_change_needed"]) == (201, True)


def test_no_one_else_is_rescued_by_command(office: Office) -> None:
    assert office.organizer
    for login in ("organizer", "nobody"):
        with office.house.sessions() as session, pytest.raises(Refusal, match="not_found"):
            rescue_administrator(session, login)


def locked_by(office: Office, by: Caller) -> str:
    """Try to lock the first administrator; the refusal's code."""
    try:
        with transaction(office.house.sessions) as session:
            lock_user(session, 1, "месть", by)
    except Refusal as refusal:
        return refusal.code
    return "locked"


def demoted_by(office: Office, user_id: int, by: Caller) -> str:
    """Try to make an administrator an auditor; the role there is now, or the refusal's code."""
    try:
        with transaction(office.house.sessions) as session:
            return change_role(session, user_id, Role.AUDITOR, by).role
    except Refusal as refusal:
        return refusal.code
