"""One login for every way of writing it (FIELD-FAULTS 125)."""

from __future__ import annotations

import pytest

from office.logins import normal_login
from tests.office import PASSWORD, Office

WRITINGS = {
    "case": ("ЁЖИК", "ёжик"),
    "composition": ("Е\u0308жик", "ёжик"),
    "й of two signs": ("и\u0306од", "йод"),
    "spaces around": ("  vera ", "vera"),
    "spaces within": ("vera \u00a0petrova", "vera petrova"),
    "full width": ("Ｖｅｒａ", "vera"),
    "sharp s": ("STRASSE", "straße"),
}


@pytest.mark.parametrize(("told", "kept"), WRITINGS.values(), ids=WRITINGS)
def test_ways_of_writing_one_login(told: str, kept: str) -> None:
    assert normal_login(told) == normal_login(kept)
    assert normal_login(normal_login(told)) == normal_login(told)


def test_other_letters_are_other_logins() -> None:
    assert len({normal_login(login) for login in ("елка", "ёлка", "elka", "vera", "вера")}) == 5


def test_a_user_is_one_whatever_the_writing(office: Office) -> None:
    body = {"name": "Ёжик", "role": "organizer", "password": PASSWORD}
    assert office.administrator.post("/users", {**body, "login": "Йод"}).json["login"] == "йод"
    for login in ("ЙОД", "и\u0306од", " йод"):
        taken = office.administrator.post("/users", {**body, "login": login})
        assert (taken.status_code, taken.json["code"]) == (409, "login_taken")
        assert office.sign_in(login)
