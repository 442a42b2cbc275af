"""Whose an account is, in the words of the accountant: no file tells the ledger's codes."""

from __future__ import annotations

import pytest

from reports.registers.subjects import whose
from tests.office import Office
from tests.reports.registers.conftest import MARCH
from tests.reports.registers.reading import exported, table
from tote.games.register import GAMES


@pytest.mark.parametrize(
    ("subject", "said"),
    [("desk:K-1", "касса K-1"), ("pool:P1", "пул P1"), ("player:12", "игрок № 12"), ("operator", "организатор")],
)
def test_the_subject_of_an_account_is_said_in_words(subject: str, said: str) -> None:
    assert whose(subject) == said


def test_the_jackpot_of_every_game_has_the_name_of_its_family() -> None:
    assert {game.family_title for game in GAMES.values()} == {whose(game.family) for game in GAMES.values()}


@pytest.mark.parametrize(
    ("report", "title", "said"),
    [
        (
            "daily-movement",
            "Аналитика",
            {"организатор", "касса K-1", "игрок № 1", "Тотолот", *(f"пул P{number}" for number in range(1, 5))},
        ),
        ("fund-cover-statement", "Касса", {"", "касса K-1"}),
        ("expired-tickets", "Джек-пот", {"Тотолот"}),
    ],
)
def test_files_say_whose_an_account_is(march: Office, report: str, title: str, said: set[str]) -> None:
    titles, *rows = table(exported(march, report, as_of=MARCH))
    assert {row[titles.index(title)] for row in rows} == said
