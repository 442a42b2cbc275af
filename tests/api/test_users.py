"""The administrator's view of logins: pages, changes that end sessions at once, locks."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from db.session import transaction
from office.callers import Role
from office.passwords import hash_password
from office.sign_in import holder_of, prove
from office.users import User
from tests.office import PASSWORD, Member, Office


def patch(member: Member, path: str, body: dict) -> tuple[int, dict]:
    """PATCH /api/v1 + path."""
    answer = member.client.patch("/api/v1" + path, json=body, headers=member.headers)
    return answer.status_code, answer.json


@pytest.fixture
def vera(office: Office) -> int:
    """A trader, the second login there is."""
    office.hire("vera", Role.TRADER)
    return 2


def test_logins_are_listed_page_by_page_and_by_role_and_lock(office: Office, vera: int) -> None:
    for number in range(3):
        office.hire(f"organizer-{number}", Role.ORGANIZER)
    office.administrator.post("/users/4/locking", {"reason": "отпуск"})
    first = office.administrator.get("/users", limit=2).json
    second = office.administrator.get("/users", limit=2, cursor=first["next_cursor"]).json
    third = office.administrator.get("/users", limit=2, cursor=second["next_cursor"]).json
    pages = [[user["id"] for user in page["items"]] for page in (first, second, third)]
    assert (pages, third["next_cursor"]) == ([[1, 2], [3, 4], [5]], None)
    found = {
        "organizers": office.administrator.get("/users", role="organizer").json,
        "locked": office.administrator.get("/users", blocked="true").json,
        "organizers let in": office.administrator.get("/users", role="organizer", blocked="false").json,
    }
    assert {name: [user["id"] for user in page["items"]] for name, page in found.items()} == {
        "organizers": [3, 4, 5],
        "locked": [4],
        "organizers let in": [3, 5],
    }


def test_a_login_is_shown_without_its_password(office: Office, vera: int) -> None:
    shown = office.administrator.get("/users/2").json
    assert shown.keys() == {"id", "login", "name", "role", "blocked_at", "created_at"}
    assert (shown["login"], shown["role"], shown["blocked_at"]) == ("vera", "trader", None)
    assert office.administrator.get("/users/404").json["code"] == "not_found"


def test_a_new_role_ends_the_sessions_of_the_old_one(office: Office, vera: int) -> None:
    trader = office.sign_in("vera")
    status, shown = patch(office.administrator, "/users/2", {"role": "auditor", "name": "Вера Петрова"})
    assert (status, shown["role"], shown["name"]) == (200, "auditor", "Вера Петрова")
    assert trader.get("/pools").status_code == 401
    assert office.sign_in("vera").get("/users").status_code == 200, "an auditor reads"


def test_a_new_name_ends_nothing(office: Office, vera: int) -> None:
    trader = office.sign_in("vera")
    assert patch(office.administrator, "/users/2", {"name": "Вера Иванова"})[0] == 200
    assert trader.get("/pools").status_code == 200


@pytest.mark.parametrize("body", [{}, {"role": "player"}, {"role": "king"}, {"login": "x"}, {"name": ""}])
def test_a_change_that_makes_no_sense_is_refused(office: Office, vera: int, body: dict) -> None:
    status, told = patch(office.administrator, "/users/2", body)
    assert (status, told["code"]) == (422, "validation_failed")


def test_a_half_refused_change_changes_nothing(office: Office) -> None:
    status, told = patch(office.administrator, "/users/1", {"role": "auditor", "name": "Другое имя"})
    assert (status, told["code"]) == (409, "own_login")
    assert office.administrator.get("/users/1").json["name"] == "Администратор"


def test_a_lock_ends_sessions_and_an_unlock_lets_in_again(office: Office, vera: int) -> None:
    trader = office.sign_in("vera")
    locked = office.administrator.post("/users/2/locking", {"reason": "уволена"})
    assert (locked.status_code, locked.json["blocked_at"] is not None) == (201, True)
    assert trader.get("/pools").status_code == 401
    told = {"login": "vera", "password": PASSWORD}
    assert office.client.post("/api/v1/sessions", json=told).json["code"] == "wrong_login_or_password"
    unlocked = office.administrator.post("/users/2/unlocking", {"reason": "восстановлена"})
    assert (unlocked.status_code, unlocked.json["blocked_at"]) == (201, None)
    assert office.sign_in("vera").get("/pools").status_code == 200
    assert trader.get("/pools").status_code == 401, "what was ended stays ended"


def test_a_lock_that_meets_a_sign_in_is_not_outlived(office: Office, vera: int) -> None:
    """The password was read and found right; then the lock commits, and no session begins after it."""
    with office.house.sessions() as session:
        user = holder_of(session, User, "vera")
        assert office.administrator.post("/users/2/locking", {"reason": "уволена"}).status_code == 201
        with pytest.raises(Exception, match="wrong_login_or_password"):
            prove(session, user, PASSWORD)
        session.rollback()


def test_a_reset_that_meets_a_sign_in_is_not_outlived(office: Office, vera: int) -> None:
    with office.house.sessions() as session:
        user = holder_of(session, User, "vera")
        assert office.administrator.post("/users/2/password-reset").status_code == 201
        with pytest.raises(Exception, match="wrong_login_or_password"):
            prove(session, user, PASSWORD)
        session.rollback()


def test_a_role_that_changes_during_a_sign_in_is_the_new_one(office: Office, vera: int) -> None:
    with office.house.sessions() as session:
        user = holder_of(session, User, "vera")
        with transaction(office.owner) as elsewhere:
            elsewhere.execute(text("UPDATE users SET role = 'auditor' WHERE login = 'vera'"))
        assert prove(session, user, PASSWORD).role == "auditor"
        session.rollback()


def test_two_who_sign_in_while_the_hash_is_made_anew_both_get_in(office: Office, vera: int) -> None:
    """The second one read the old hash, and waited for the first; the password is the same."""
    with office.house.sessions() as session:
        user = holder_of(session, User, "vera")
        with transaction(office.owner) as elsewhere:
            anew = {"anew": hash_password(PASSWORD)}
            elsewhere.execute(text("UPDATE users SET password_hash = :anew WHERE login = 'vera'"), anew)
        assert prove(session, user, PASSWORD).login == "vera"
        session.rollback()
