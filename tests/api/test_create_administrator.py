"""Administrators by command: the first one, and one whose password is lost."""

from __future__ import annotations

import re

import pytest

from api.commands.administrator import VARIABLE
from tests.office import Office

PASSWORD = "a password of its own"


def test_the_password_comes_from_the_environment(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, PASSWORD)

    answer = office.app.test_cli_runner().invoke(args=["create-administrator", "Olga", "Ольга"])

    assert answer.exit_code == 0, answer.output
    assert _role_of(office, "olga") == "administrator"


def test_the_password_comes_from_standard_input(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)

    answer = office.app.test_cli_runner().invoke(args=["create-administrator", "olga", "Ольга"], input=PASSWORD + "\n")

    assert answer.exit_code == 0, answer.output
    assert _role_of(office, "olga") == "administrator"


def test_a_login_that_is_taken_is_refused(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, PASSWORD)

    answer = office.app.test_cli_runner().invoke(args=["create-administrator", "Administrator", "Другой"])

    assert answer.exit_code == 1
    assert "логин уже занят" in answer.output


def test_a_short_password_is_refused(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "eleven char")

    answer = office.app.test_cli_runner().invoke(args=["create-administrator", "olga", "Ольга"])

    assert answer.exit_code == 1
    assert "короче 12" in answer.output


def test_a_lost_administrator_gets_a_one_time_password_printed_once(office: Office) -> None:
    signed_in = office.administrator

    answer = office.app.test_cli_runner().invoke(args=["reset-administrator", "Administrator"])

    assert answer.exit_code == 0, answer.output
    given = re.search(r"пароль: (\S+)", answer.output)
    assert given is not None
    assert signed_in.get("/users").status_code == 401, "whoever else is in, is out"
    told = office.client.post("/api/v1/sessions", json={"login": "administrator", "password": given[1]}).json
    assert (told["role"], told["password_change_needed"]) == ("administrator", True)


def test_only_an_administrator_is_reset_by_command(office: Office) -> None:
    assert office.organizer
    for login in ("organizer", "nobody"):
        answer = office.app.test_cli_runner().invoke(args=["reset-administrator", login])
        assert (answer.exit_code, "Администратора с таким логином нет" in answer.output) == (1, True)


def _role_of(office: Office, login: str) -> str:
    answer = office.client.post("/api/v1/sessions", json={"login": login, "password": PASSWORD})
    return str(answer.json["role"])
