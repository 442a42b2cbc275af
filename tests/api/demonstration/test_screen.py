"""What the screen tells of the demonstration, once and at every later start."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest

from tests.api.demonstration.staged import Stage

WHY = {"reason": "проба"}
TOLD = (
    "22.11.2022 12:55 Окончание приёма ставок: Аргентина — Саудовская Аравия",
    "тот же билет № 1, деньги взяты один раз",
    "[stake_over_maximum]",
    "[insufficient_funds]",
    "Ставка 57.00 (билет № 20) отменена организатором",
    "[not_payable_yet]",
    "120.00 / 45.00 = 8/3 (2.6666)",
    "никто не выиграл, фонд 37.50 — в джек-пот",
    "Изъятие возвращено, ставки и 10 % сверху: 55.06, за счёт организатора 5.01",
    "изъятие 20.00 возвращено в фонд, все ставки (50.00) возвращаются",
    "Возврат ставки прерванного матча выдаётся сразу: 25.00",
    "протокол № 4 (2:1) исправлен протоколом № 7 (2:0)",
    "90.00 / 30.00 = 3/1 (3.0000)",
    "По билету ставки 20.00 доплачена разница: 36.00",
    "24.02.2023 08:00 Три месяца спустя",
    "Разница сальдо: 0.00",
    "расхождений нет",
    "Печати целы",
    "demonstration-2022",
)


@pytest.mark.parametrize("words", TOLD)
def test_the_screen_tells_each_step(played: Stage, words: str) -> None:
    # Long lines are wrapped.
    assert words in " ".join(played.screen.getvalue().split())


def test_the_screen_tells_where_to_go_on(played: Stage) -> None:
    told = played.screen.getvalue()

    assert f"{played.url}/api/docs/" in told
    for login in ("administrator", "organizer", "second-organizer", "supervisor", "cashier", "accountant", "ivan"):
        assert login in told.split("Работа с API")[1]


def test_a_second_start_plays_nothing_and_tells_the_same(played: Stage) -> None:
    before, told = played.rows(), played.screen.getvalue()

    again = Stage(played.here, played.url, io.StringIO())
    again.play_all()

    assert again.rows() == before
    assert "День уже сыгран" in again.screen.getvalue()
    figures = "Что показывает учёт"
    shown = [_but_for_the_last_seal(screen.split(figures)[1]) for screen in (again.screen.getvalue(), told)]
    assert shown[0] == shown[1]


def _but_for_the_last_seal(screen: str) -> list[str]:
    """What is shown, line by line: who signed in is noted, and so there may be one seal more."""
    return [line for line in screen.splitlines() if "следняя №" not in line]


def test_a_start_after_ordinary_use_says_which_logins_do_not_open_and_shows_the_rest(
    played: Stage, worn: Stage
) -> None:
    """One player's registration is locked, a supervisor is sent away, the terminal's secret is lost."""
    worn.play_all()

    told, before = worn.screen.getvalue(), played.screen.getvalue()
    assert _books(told) == _books(before)
    doors = {line.split()[0]: line for line in told.split("Пароль у всех")[1].splitlines() if line.strip()}
    for login in ("ivan", "supervisor"):
        assert "войти нельзя: Неверный логин или пароль" in doors[login]
    assert "войти нельзя: Ключ терминала потерян" in doors["cashier"]
    assert "POST /api/v1/player-sessions" in doors["anna"]
    assert "войти нельзя" not in doors["accountant"]


def test_without_its_accountant_the_demonstration_shows_no_books_and_goes_on(worn: Stage) -> None:
    worn.cast().administrator.post(f"/users/{_user_id(worn, 'accountant')}/locking", WHY)

    worn.play_all()

    told = worn.screen.getvalue()
    assert "бухгалтеру (accountant) войти нельзя: Неверный логин или пароль" in told
    assert "расхождений нет" in told
    assert f"{worn.url}/api/docs/" in told


@pytest.fixture
def worn(played: Stage) -> Iterator[Stage]:
    """The played days after ordinary use: a player and a supervisor are locked, the terminal's secret is gone."""
    administrator = played.cast().administrator
    secret = played.here.folder / "var" / "demonstration.json"
    kept = secret.read_bytes()
    player = f"/players/{played.cast().records.player_id('ivan')}"
    supervisor = f"/users/{_user_id(played, 'supervisor')}"
    for path in (player, supervisor):
        administrator.post(f"{path}/locking", WHY)
    secret.unlink()
    yield Stage(played.here, played.url, io.StringIO())
    secret.write_bytes(kept)
    accountant = f"/users/{_user_id(played, 'accountant')}"
    for path in (player, supervisor, accountant):
        administrator.post(f"{path}/unlocking", WHY)


def _user_id(stage: Stage, login: str) -> int:
    users = stage.cast().administrator.get("/users", limit=200)["items"]
    return next(user["id"] for user in users if user["login"] == login)


def _books(screen: str) -> str:
    """What the screen shows of the books, up to the seals."""
    return screen.split("Что показывает учёт")[1].split("Печати")[0]
