"""What a password must be: long enough, no login, no name, nothing that is tried first; any signs one likes."""

from __future__ import annotations

import pytest

from db.session import transaction
from ledger.refusals import Refusal
from office.common_passwords import is_common, without_ornament
from office.password_rules import OFFICE_LENGTH, PLAYER_LENGTH, check_password
from office.settings.kinds import Setting
from tests.office import Office
from tests.records import set_to

GOOD = (
    "correct horse battery",
    "лошадь скрепка батарея",
    "demonstration-2022",
    "4071 8826 5513 9902",
    "         x  y        ",
    "пробел в начале и 🙂",
)
REFUSED = {
    "eleven signs": "hedgehog fo",
    "over two hundred": "hedgehog fog " * 16,
    "the login": "vera.petrova",
    "the login in capitals": "VERA.PETROVA",
    "the login with a year": "Vera.Petrova2022",
    "the login backwards": "avortep.arev",
    "the name": "Вера Петрова",
    "the name in one word": "ВераПетрова1",
    "the surname with digits": "12345петрова!!!",
    "a word and digits": "password123456",
    "a word over and over": "parolparolparol",
    "a Russian word and digits": "пароль12345678",
    "one sign": "aaaaaaaaaaaaaa",
    "two signs": "121212121212",
    "four signs": "ы1В2ы1В2ы1В2ы1В",
    "digits in a row": "123456789012",
    "digits backwards": "109876543210",
    "the keyboard's row": "qwertyuiopas",
    "the Russian keyboard's row": "йцукенгшщзхъ",
    "full-width signs": "ｐａｓｓｗｏｒｄ１２３４",
}


def verdict(office: Office, password: str, least: Setting[int] = OFFICE_LENGTH) -> str | None:
    """The refusal's detail, none when the password will do."""
    try:
        with transaction(office.house.sessions) as session:
            check_password(session, password, least, "vera.petrova", ["Вера Петрова"])
    except Refusal as refusal:
        assert (refusal.code, refusal.facts["field"]) == ("password_refused", "password")
        assert password not in str(refusal)
        return refusal.detail
    return None


@pytest.mark.parametrize("password", GOOD)
def test_any_signs_will_do(office: Office, password: str) -> None:
    assert verdict(office, password) is None


def test_what_others_would_guess_is_refused(office: Office) -> None:
    taken = [name for name, password in REFUSED.items() if verdict(office, password) is None]
    assert taken == []


def test_the_least_length_is_a_setting_for_users_and_players_apart(office: Office) -> None:
    """By default twelve signs for the office, ten for players."""
    ten, eleven = "hedgehogs!", "hedgehogs!!"
    assert (verdict(office, ten), verdict(office, eleven)) == (
        "Пароль короче 12 знаков: придумайте длиннее, можно несколько слов.",
        "Пароль короче 12 знаков: придумайте длиннее, можно несколько слов.",
    )
    assert verdict(office, ten, PLAYER_LENGTH) is None
    set_to(office, OFFICE_LENGTH, 15)
    assert verdict(office, "fourteen signs") is not None
    assert verdict(office, "fifteen signs !") is None


def test_length_is_counted_in_signs_as_typed_not_as_composed(office: Office) -> None:
    """Six letters й, each of two code points: six signs, not twelve."""
    decomposed = "и\u0306" * 6
    assert len(decomposed) == 12
    assert verdict(office, decomposed, PLAYER_LENGTH) is not None


def test_ornament_is_what_stands_around_the_letters() -> None:
    assert without_ornament("123пароль!!!") == "пароль"
    assert without_ornament("12345") == ""
    assert without_ornament("p4ss") == "p4ss"


def test_a_long_phrase_with_a_common_word_is_not_common() -> None:
    assert is_common("dragon2022")
    assert not is_common("dragon eats moss")


def test_one_rule_wherever_a_password_is_made(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Users, players, one's own change and the command refuse the same password."""
    common = "password123456"
    user = {"login": "vera", "name": "Вера", "role": "organizer", "password": common}
    player = {"login": "ivan", "password": common, "surname": "Иванов", "name": "Иван", "birth_date": "1990-05-17"}
    own = {"old_password": "correct horse battery", "password": common}
    answers = [
        office.administrator.post("/users", user),
        office.cashier.post("/players", player),
        office.client.put("/api/v1/own-password", json=own, headers=office.administrator.headers),
    ]
    assert [(answer.status_code, answer.json["code"]) for answer in answers] == [(422, "password_refused")] * 3
    assert len({answer.json["detail"] for answer in answers}) == 1
    monkeypatch.setenv("ADMINISTRATOR_PASSWORD", common)
    command = office.app.test_cli_runner().invoke(args=["create-administrator", "olga", "Ольга"])
    assert (command.exit_code, answers[0].json["detail"] in command.output) == (1, True)
