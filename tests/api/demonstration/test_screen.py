"""What the screen tells of the demonstration, once and at every later start."""

from __future__ import annotations

import io

import pytest

from tests.api.demonstration.staged import Stage

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
