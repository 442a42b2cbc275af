"""Locking a registration, and a new password against an identity document (T-Rules 35.3)."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text
from werkzeug.test import TestResponse

from office.persons.details import Details
from office.significant.kinds import PLAYER_LOCKED, PLAYER_PASSWORD_RESET, PLAYER_UNLOCKED
from tests.office import PASSWORD, Office
from tests.persons.persons import fact, person_of
from tests.records import facts_of, noted

PASSPORT = {"kind": "паспорт", "number": "MP7654321", "issued_on": "2015-03-01", "issued_by": "РУВД"}
IDENTITY = {
    "login": "ivan",
    "surname": "Игрок-ivan",
    "name": "Пробный",
    "birth_date": "1990-05-17",
    "document": PASSPORT,
}


def reset(office: Office, **changed: Any) -> TestResponse:
    """Ask for a one-time password at the desk."""
    return office.cashier.post("/players/password-resets", {**IDENTITY, **changed})


def sign_in(office: Office, password: str = PASSWORD) -> TestResponse:
    """Sign the player in."""
    return office.client.post("/api/v1/player-sessions", json={"login": "ivan", "password": password})


def test_a_locked_player_is_out_and_the_money_stays(office: Office) -> None:
    player = office.player("ivan", "10.00")
    locked = office.supervisor.post("/players/1/locking", {"reason": "второй счёт"})
    assert (locked.status_code, locked.json["login"]) == (201, "ivan")
    assert locked.json["blocked_at"] is not None
    assert player.get("/players/me").status_code == 401
    assert sign_in(office).json["code"] == "wrong_login_or_password"
    assert office.balance("player", "player:1") == "10.00"
    assert facts_of(office, PLAYER_LOCKED) == [("player:1", {"reason": "второй счёт", "sessions_ended": 1})]

    unlocked = office.administrator.post("/players/1/unlocking", {"reason": "ошибка"})
    assert unlocked.json["blocked_at"] is None
    assert sign_in(office).status_code == 201
    assert facts_of(office, PLAYER_UNLOCKED) == [("player:1", {"reason": "ошибка"})]


def test_a_win_of_a_locked_player_is_credited(office: Office) -> None:
    """10.00 against 10.00: the fund is 12.00, all of it the player's."""
    pool = office.pool()
    player = office.player("ivan", "10.00")
    assert office.bet(player, "1", "10.00").status_code == 201
    assert office.bet(office.cashier, "2", "10.00").status_code == 201
    office.supervisor.post("/players/1/locking", {"reason": "проверка"})
    office.decide(pool, "1")
    assert office.balance("player", "player:1") == "12.00"


def test_locking_nobody_is_404(office: Office) -> None:
    for act in ("locking", "unlocking"):
        assert office.supervisor.post(f"/players/404/{act}", {"reason": "x"}).json["code"] == "not_found"


def test_who_shows_the_document_gets_a_one_time_password(office: Office) -> None:
    player = office.player("ivan")
    given = reset(office)
    assert given.status_code == 201
    assert player.get("/players/me").status_code == 401
    answer = sign_in(office, given.json["password"])
    assert (answer.status_code, answer.json["password_change_needed"]) == (201, True)
    (event,) = noted(office, PLAYER_PASSWORD_RESET)
    assert (event.subject, event.terminal_id is not None) == ("player:1", True)
    details = read(office, event.facts["person_version"])
    assert (details.document.number, details.surname) == ("MP7654321", "Игрок-ivan")


@pytest.mark.parametrize(
    ("registered", "shown", "status"),
    [
        ("Петрович", "ПЕТРОВИЧ", 201),
        ("Петрович", "Иванович", 409),
        ("Петрович", None, 201),
        (None, "Петрович", 201),
    ],
)
def test_names_as_registered_and_as_papers_write_them(
    office: Office, registered: str | None, shown: str | None, status: int
) -> None:
    """Letter case and ё do not matter; a patronymic is compared where both have one."""
    body = {"login": "ivan", "password": PASSWORD, "surname": "Ёлкин", "name": "Пётр", "birth_date": "1990-05-17"}
    enrolled = {**body, **({"patronymic": registered} if registered else {})}
    assert office.cashier.post("/players", enrolled).status_code == 201
    patronymic = {"patronymic": shown} if shown else {}
    assert reset(office, surname="ЕЛКИН", name="Петр", **patronymic).status_code == status


OTHERS = {
    "login": {"login": "nobody"},
    "surname": {"surname": "Другой"},
    "name": {"name": "Другой"},
    "birth date": {"birth_date": "1990-05-18"},
}


def test_somebody_elses_document_and_an_unknown_login_get_one_answer(office: Office) -> None:
    player = office.player("ivan")
    answers = {name: reset(office, **changed) for name, changed in OTHERS.items()}
    assert {(answer.status_code, answer.json["code"]) for answer in answers.values()} == {(409, "identity_not_proven")}
    assert len({answer.text for answer in answers.values()}) == 1
    assert player.get("/players/me").status_code == 200
    with office.owner() as session:
        assert session.scalar(text("SELECT count(*) FROM person_versions")) == 1, "what was shown in vain is not kept"


def test_an_erased_player_is_not_unlocked_and_gets_no_password(office: Office) -> None:
    """The registration has ended: whose it was may register anew, and nobody plays on as nobody."""
    office.player("ivan")
    person = person_of(office, "ivan")
    office.supervisor.post("/players/1/locking", {"reason": "заявление"})
    assert office.administrator.post(f"/persons/{person}/erasures", {"reason": "заявление"}).status_code == 201
    unlocked = office.supervisor.post("/players/1/unlocking", {"reason": "ошибка"})
    assert (unlocked.status_code, unlocked.json["code"]) == (409, "registration_ended")
    assert facts_of(office, PLAYER_UNLOCKED) == []
    refused = reset(office)
    assert (refused.status_code, refused.json["code"]) == (409, "identity_not_proven")
    assert sign_in(office).status_code == 401


def enrol_ivan(office: Office, login: str, **document: Any) -> TestResponse:
    """Register Ivan, or a namesake of his born on the same day."""
    who = {name: IDENTITY[name] for name in ("surname", "name", "birth_date")}
    return office.cashier.post("/players", {"login": login, "password": PASSWORD, **who, **document})


OTHERS_PASSPORT = {**PASSPORT, "number": "MP2222222"}


def test_a_namesake_with_another_document_gets_no_password(office: Office) -> None:
    """Whether the namesake is a player as well or nobody known: the document on record decides."""
    assert enrol_ivan(office, "ivan", document=PASSPORT).status_code == 201
    assert reset(office, document=OTHERS_PASSPORT).json["code"] == "identity_not_proven"
    assert enrol_ivan(office, "namesake", document=OTHERS_PASSPORT).status_code == 201
    refused = reset(office, document=OTHERS_PASSPORT)
    assert (refused.status_code, refused.json["code"]) == (409, "identity_not_proven")
    assert reset(office, login="namesake", document=OTHERS_PASSPORT).status_code == 201
    typed = {**PASSPORT, "number": "мр 7654321", "kind": "Паспорт РБ"}
    assert reset(office, document=typed).status_code == 201, "the same document, written another way"


def test_a_renewed_document_is_recorded_by_a_supervisor_first(office: Office) -> None:
    assert enrol_ivan(office, "ivan", document=PASSPORT).status_code == 201
    renewed = {**PASSPORT, "number": "MP3333333"}
    assert reset(office, document=renewed).status_code == 409
    who = {name: IDENTITY[name] for name in ("surname", "name", "birth_date")}
    recorded = office.supervisor.post(f"/persons/{person_of(office, 'ivan')}/versions", {**who, "document": renewed})
    assert recorded.status_code == 201
    assert reset(office, document=renewed).status_code == 201


def test_the_first_document_shown_becomes_the_players(office: Office) -> None:
    """Afterwards no other document opens the registration, and with this one nobody else registers."""
    office.player("ivan")
    assert reset(office).status_code == 201
    assert reset(office, document=OTHERS_PASSPORT).status_code == 409
    assert reset(office).status_code == 201
    again = enrol_ivan(office, "again", document=PASSPORT)
    assert again.json["code"] == "person_already_registered"
    assert enrol_ivan(office, "namesake", document=OTHERS_PASSPORT).status_code == 201


def test_a_document_that_is_somebody_elses_proves_nobody(office: Office) -> None:
    """Another player's, under another name: it stays theirs."""
    office.player("ivan")
    olga = {"surname": "Ли", "name": "Ольга", "birth_date": "1980-01-01", "document": PASSPORT}
    assert office.cashier.post("/players", {"login": "olga", "password": PASSWORD, **olga}).status_code == 201
    holder = "SELECT person_id FROM person_identities WHERE sort = 'document'"
    assert fact(office, holder) == person_of(office, "olga")
    assert reset(office).json["code"] == "identity_not_proven"
    assert fact(office, holder) == person_of(office, "olga")
    assert enrol_ivan(office, "ivan-2", document=PASSPORT).json["code"] == "person_already_registered"
    assert reset(office, **{**olga, "login": "olga"}).status_code == 201


def read(office: Office, version: int) -> Details | None:
    """What is kept of a person."""
    with office.house.sessions() as session:
        return office.house.persons.read(session, version)
