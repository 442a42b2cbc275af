"""Registering players: of age in the operator's zone, one login whatever its case, one no to every wrong sign-in."""

from __future__ import annotations

from werkzeug.test import TestResponse

from db.session import transaction
from tests.office import PASSWORD, Office


def enrol(office: Office, login: str, born: str = "1990-05-17") -> TestResponse:
    """Register a player at the desk."""
    person = {"surname": "Тайный", "name": f"Пробный-{login.lower()}", "birth_date": born}
    return office.cashier.post("/players", {"login": login, "password": PASSWORD, **person})


def sign_in(office: Office, login: str, password: str = PASSWORD) -> TestResponse:
    """Sign a player in."""
    return office.client.post("/api/v1/player-sessions", json={"login": login, "password": password})


def test_of_age_on_the_birthday_itself_by_the_calendar_of_minsk(office: Office) -> None:
    """At 21:00 UTC on 21 November it is already the 22nd in Minsk: whoever was born on 22.11.2004 is 18."""
    office.clock("2022-11-21T20:59:30+00:00")
    refused = enrol(office, "eve", "2004-11-22")
    assert (refused.status_code, refused.json["code"], refused.json["field"]) == (422, "under_age", "birth_date")
    office.clock("2022-11-21T21:00:00+00:00")
    assert enrol(office, "eve", "2004-11-22").status_code == 201
    assert enrol(office, "kid", "2004-11-23").json["code"] == "under_age"
    assert enrol(office, "late", "9999-12-31").json["code"] == "under_age"


def test_born_on_29_february_of_age_on_1_march(office: Office) -> None:
    office.clock("2022-02-28T12:00:00+03:00")
    assert enrol(office, "leap", "2004-02-29").json["code"] == "under_age"
    office.clock("2022-03-01T00:00:00+03:00")
    assert enrol(office, "leap", "2004-02-29").status_code == 201


def test_a_login_is_one_whatever_its_case(office: Office) -> None:
    """FIELD-FAULTS 125: Cyrillic letters as well."""
    assert enrol(office, "Ёжик").json["login"] == "ёжик"
    for login in ("ёжик", "ЁЖИК", "Ёжик"):
        taken = enrol(office, login)
        assert (taken.status_code, taken.json["code"]) == (409, "login_taken")
        assert sign_in(office, login).status_code == 201
    assert office.cashier.post("/deposits", {"player": "ЁЖИК", "amount": "1.00"}).status_code == 201


def test_every_wrong_sign_in_gets_one_answer(office: Office) -> None:
    """FIELD-FAULTS 111: a wrong password, an unknown login and a blocked player cannot be told apart."""
    for login in ("ivan", "gone"):
        assert enrol(office, login).status_code == 201
    with transaction(office.house.sessions) as session:
        session.connection().exec_driver_sql("UPDATE players SET blocked_at = now() WHERE login = 'gone'")
    answers = [sign_in(office, "ivan", "wrong password"), sign_in(office, "nobody"), sign_in(office, "gone")]
    assert {answer.status_code for answer in answers} == {401}
    assert len({answer.text for answer in answers}) == 1
    office_answers = [
        office.client.post("/api/v1/sessions", json={"login": login, "password": "wrong password"})
        for login in ("administrator", "nobody")
    ]
    assert len({answer.text for answer in office_answers}) == 1
    assert "терминала" not in answers[0].json["detail"], "that is advice for cashiers"


def test_a_blocked_player_neither_bets_nor_is_paid_into(office: Office) -> None:
    office.pool()
    player = office.player("ivan", "10.00")
    with transaction(office.house.sessions) as session:
        session.connection().exec_driver_sql("UPDATE players SET blocked_at = now()")
    assert office.bet(player, "1", "1.00").json["code"] == "player_blocked"
    assert office.cashier.post("/deposits", {"player": "ivan", "amount": "1.00"}).json["code"] == "player_blocked"
    assert office.balance("player", "player:1") == "10.00"


def test_who_the_person_is_lies_encrypted(office: Office) -> None:
    assert enrol(office, "ivan").status_code == 201
    with transaction(office.house.sessions) as session:
        tables = ("person_versions", "person_words", "person_identities", "players")
        rows = session.connection().exec_driver_sql(
            " UNION ALL ".join(f"SELECT {name}::text FROM {name}" for name in tables)
        )
        kept = " ".join(rows.scalars())
    assert "ivan" in kept
    words = ("Тайный", "тайный", "1990-05-17", PASSWORD)
    assert not [word for word in words if word in kept or word.encode().hex() in kept]
