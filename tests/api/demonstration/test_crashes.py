"""The demonstration interrupted: it goes on, plays nothing twice, and never over other people's work."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from click import ClickException
from rich.console import Console

from api.commands.demonstration.day import play
from api.commands.demonstration.matches import MATCHES
from api.commands.demonstration.papers import ALL
from api.commands.demonstration.screen import Screen
from api.commands.demonstration.show import show
from tests.api.demonstration.books import ACCOUNTS, JOURNAL
from tests.api.demonstration.staged import Stage, accounts, journal, quiet
from tests.api.demonstration.test_pools import SHEETS
from tests.api.served import house_on, served
from tests.office import Office
from tote.closing import close_due
from tote.expiry import expire_due
from tote.settling import resume_settlements


class KilledError(BaseException):
    """The end of a run that nothing in it may catch."""


def _killed_after(answers: int) -> Callable[[httpx.Response], None]:
    """A hook that ends the run when this many requests were done: the last one's answer is never seen."""
    left = iter(range(answers - 1, -1, -1))

    def hook(_answer: httpx.Response) -> None:
        if next(left) == 0:
            raise KilledError

    return hook


def _sweep(stage: Stage) -> None:
    """What the task worker does of its own accord, and may have done before the demonstration comes to it."""
    close_due(stage.here.sessions, stage.here.operator)
    resume_settlements(stage.here.sessions, stage.here.operator)
    expire_due(stage.here.sessions, stage.here.operator)


@pytest.mark.prove
def test_days_killed_again_and_again_come_to_the_same_books(unplayed: Stage) -> None:
    """Each run is killed some answers later than the one before; the worker's sweeps come in between."""
    runs = 0
    finished = False
    while not finished:
        runs += 1
        cast = unplayed.cast(event_hooks={"response": [_killed_after(8 * runs)]})
        try:
            finished = play(cast, quiet())
        except KilledError:
            _sweep(unplayed)

    cast = unplayed.cast()
    assert runs > 3
    assert accounts(cast) == ACCOUNTS
    assert journal(cast) == JOURNAL
    assert {match.code: cast.accountant.get(f"/pools/{match.code}/sheet")["wins"] for match in MATCHES} == {
        code: sheet["wins"] for code, sheet in SHEETS.items()
    }
    assert {path.name for path in cast.records.papers.iterdir()} == {paper.name for paper in ALL}


def _killed_behind_an_opening(answer: httpx.Response) -> None:
    """A hook that ends the run when a shift was opened."""
    if (answer.request.method, answer.request.url.path) == ("POST", "/api/v1/shifts"):
        raise KilledError


@pytest.mark.prove
def test_a_day_killed_behind_the_opening_of_a_shift_opens_those_of_the_next_days(unplayed: Stage) -> None:
    """The opening is asked for again by the stage that is played again, and has a key no other opening has."""
    with pytest.raises(KilledError):
        play(unplayed.cast(event_hooks={"response": [_killed_behind_an_opening]}), quiet())

    cast = unplayed.cast()
    assert play(cast, quiet())
    assert accounts(cast) == ACCOUNTS


def test_a_day_whose_secret_is_lost_says_so_and_takes_no_money_twice(unplayed: Stage) -> None:
    with pytest.raises(KilledError):
        play(unplayed.cast(event_hooks={"response": [_killed_after(35)]}), quiet())
    before = unplayed.rows()
    assert before["transfers"] > 0
    (unplayed.here.folder / "var" / "demonstration.json").unlink()

    with pytest.raises(ClickException, match="ключ терминала потерян"):
        unplayed.play_all()

    # The clock was set again for the stage that was under way; nothing else happened.
    assert {**unplayed.rows(), "clock_shifts": before["clock_shifts"]} == before


def test_the_secret_is_kept_for_its_owner_alone(played: Stage) -> None:
    assert (played.here.folder / "var" / "demonstration.json").stat().st_mode & 0o777 == 0o600


def test_no_demonstration_is_played_over_other_peoples_work(office: Office, tmp_path: Path) -> None:
    here = house_on(office.urls, tmp_path)
    with served(here) as url, pytest.raises(ClickException, match="занята другой работой"):
        show(here, url, Screen(Console(file=io.StringIO())))


def test_production_refuses_the_demonstration(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APP_ENV", "production")

    answer = office.app.test_cli_runner().invoke(args=["serve", "--demonstration"])

    assert answer.exit_code == 1
    assert "APP_ENV=production демонстрация не играется" in answer.output
