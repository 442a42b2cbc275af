"""Adding a game: one file beside the others, nothing else touched, and a pool of it is run; every figure by hand."""

from __future__ import annotations

import filecmp
import json
import os
import shutil
import subprocess
import sys
from base64 import b64decode
from collections.abc import Iterator
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest

from db.embedded import EmbeddedServer
from db.urls import DatabaseUrls
from tests.databases import copy_database, drop_database
from tests.documents.papers import pages_of

ROOT = Path(__file__).parents[3]
FIFTH = Path(__file__).parent / "fifth" / "toto_number.py"
DROPPED = Path("tote", "games", FIFTH.name)


def packages() -> list[str]:
    """The packages of the house."""
    told = ConfigParser()
    told.read(ROOT / "setup.cfg", encoding="utf-8")
    return [*told["importlinter"]["root_packages"].split(), "migrations"]


def files_of(folder: Path) -> set[Path]:
    """What lies in the packages of a folder, but for what Python keeps for itself."""
    found = (path.relative_to(folder) for name in packages() for path in (folder / name).rglob("*") if path.is_file())
    return {path for path in found if "__pycache__" not in path.parts}


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages in another folder, with a fifth game beside the four."""
    folder = tmp_path_factory.mktemp("house")
    for name in packages():
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy2(FIFTH, folder / DROPPED)
    return folder


@pytest.fixture(scope="module")
def database(server: EmbeddedServer, migrated_template: str) -> Iterator[DatabaseUrls]:
    """One database for all that is asked here of the one day."""
    urls = copy_database(server, migrated_template)
    yield urls
    drop_database(urls)


@pytest.fixture(scope="module")
def day(copied: Path, database: DatabaseUrls) -> dict[str, Any]:
    """What became of a pool of the fifth game, played by a process that knows the copied packages only."""
    path = os.pathsep.join((str(copied), str(ROOT)))
    there = {**os.environ, **database.environment(), "PYTHONPATH": path, "PYTHONSAFEPATH": "1"}
    command = [sys.executable, "-m", "tests.tote.games.fifth.day"]
    done = subprocess.run(command, env=there, cwd=copied, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert found["packages"] == [str(copied / "tote" / "games")]
    return found


def test_a_game_is_one_file_and_a_pool_of_it_is_run(day: dict[str, Any], copied: Path) -> None:
    """49.00 are staked, 65 percent 31.85; on 2 and beside it 24.00, so that a rouble brings 637/480.

    20.00 bring 26.54, 1.00 brings 1.32 and 3.00 bring 3.98: 31.84, a kopeck is the jackpot's, and so are the 1.32 that
    nobody fetches within thirty days from 23 November.
    """
    assert files_of(copied) - files_of(ROOT) == {DROPPED}
    assert filecmp.cmpfiles(ROOT, copied, map(str, files_of(ROOT)), shallow=False)[1:] == ([], [])
    assert (day["wrong"]["rule"], day["wrong"]["field"]) == ("invalid_outcome", "outcomes")
    assert (day["pool"]["game"], day["pool"]["fund_percent"]) == ("toto_number", "65")
    assert [(shown["code"], shown["coefficient"]) for shown in day["board"]] == [
        *(("0", "637/220"), ("1", "637/620"), ("2", "637/480"), ("3", "637/460"), ("5", "637/300")),
    ]
    settled = day["settled"]
    assert [settled[name] for name in ("pool", "withdrawal", "fund", "wins", "to_jackpot", "from_organizer")] == [
        *("49.00", "17.15", "31.85", "31.84", "0.01", "0.00"),
    ]
    assert (settled["coefficient"], settled["winning_bets"], settled["winning_stake"]) == ("637/480", 3, "24.00")
    assert [(ticket["status"], ticket["win"]) for ticket in day["told"]] == [
        *(("lost", "0.00"), ("won", "26.54"), ("won", "1.32"), ("lost", "0.00"), ("credited", "3.98")),
    ]
    assert (day["paid"]["amount"], day["late"]["code"]) == ("26.54", "payment_term_over")
    assert (day["jackpot"], day["revenue"]) == ("1.33", "17.15")
    assert day["calculated"]["wins"] == ["0.00", "26.54", "1.32", "0.00", "3.98"]
    assert day["wrongs"] == []


def test_its_words_are_on_paper_and_in_registers(day: dict[str, Any]) -> None:
    (paper,) = pages_of(b64decode(day["paper"]))
    for told in ("Игра Тото-Число", "Фонд 65 % суммы ставок пула", "Выигрыш выдаётся тридцать дней", "Исход 2 голов"):
        assert told in paper
    titles, *rows = day["register"]
    assert {row[titles.index("Игра")] for row in rows} == {"Тото-Число"}
    titles, lapsed = day["whose"]
    assert lapsed[titles.index("Джек-пот")] == "Числа"
