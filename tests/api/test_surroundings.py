"""What is said where the surroundings are wrong: all of it at once, each by its variable, and no traceback."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from api.surroundings import VARIABLES, misspelled, refuse_incomplete, refuse_malformed
from db.errors import SetupError
from tests.office import KEYS

ROOT = Path(__file__).parents[2]
SECRET = "hunter2"
APP = f"postgresql://till:{SECRET}@db.example/office"
WRONG = {
    "APP_ENV": "prod",
    "OPERATOR_NAME": " ",
    "OPERATOR_TIME_ZONE": "Mars/X",
    "THREADS": "x",
    "WORKERS": "0",
    "STREAM_CLIENTS": "-1",
    "STREAM_WORKERS": "1.5",
    "LOG_FORMAT": "xml",
    "TRUSTED_PROXIES": "proxy.example",
    "ALARM_WEBHOOK_URL": "http://alarms.example",
}
WRONG_TO_SERVE = {
    "DATABASE_URL": "foo",
    "DATABASE_OWNER_URL": f"mysql://owner:{SECRET}@db.example/office",
    "CODE_HMAC_KEY": SECRET,
    "DATA_KEYS": SECRET,
}


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of ours is set; each test says what is."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


def complaints(monkeypatch: pytest.MonkeyPatch, given: dict[str, str]) -> list[str]:
    """What a service says of an environment, a line each."""
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SetupError) as caught:
        refuse_incomplete()
    assert SECRET not in str(caught.value)
    return str(caught.value).splitlines()


def test_nothing_need_be_set_for_a_demonstration() -> None:
    refuse_malformed()
    refuse_incomplete()


def test_production_names_all_that_is_missing_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    addresses, keys = complaints(monkeypatch, {"APP_ENV": "production"})
    assert addresses.startswith("Set DATABASE_URL ")
    assert keys.startswith("Set CODE_HMAC_KEY and DATA_KEYS:")


def test_production_with_the_applications_address_and_the_keys_is_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"APP_ENV": "production", "DATABASE_URL": APP, **KEYS.environment()}.items():
        monkeypatch.setenv(name, value)
    refuse_incomplete()


def test_all_that_is_malformed_is_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = complaints(monkeypatch, {**WRONG, **WRONG_TO_SERVE})
    for name in (*WRONG, *WRONG_TO_SERVE):
        assert sum(re.match(rf"(Set )?{name}\b", line) is not None for line in lines) == 1, (name, lines)
    assert len(lines) == len(WRONG) + len(WRONG_TO_SERVE)


@pytest.mark.parametrize(("name", "value"), (WRONG | WRONG_TO_SERVE).items(), ids=WRONG | WRONG_TO_SERVE)
def test_each_is_refused_alone(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    rest = {"DATABASE_URL": APP, **KEYS.environment()}
    (line,) = complaints(monkeypatch, {**rest, name: value})
    assert name in line


@pytest.mark.parametrize("name", ["CODE_HMAC_KEY", "DATA_KEYS"])
def test_a_key_that_is_malformed_is_refused_though_the_other_is_left_to_be_made(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (line,) = complaints(monkeypatch, {name: WRONG_TO_SERVE[name]})
    assert line.startswith(name)


def test_a_secret_that_signs_nothing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    (line,) = complaints(monkeypatch, {"ALARM_WEBHOOK_SECRET": SECRET})
    assert line.startswith("Set ALARM_WEBHOOK_URL too")


def test_a_name_that_is_nearly_ours_is_noticed() -> None:
    given = {"DATABASE_URI", "OPERATOR_TIMEZONE", "TRUSTED_PROXY", "WORKER", "PATH", "HOME", "DATABASE", *VARIABLES}
    assert misspelled(given) == [
        ("DATABASE_URI", "DATABASE_URL"),
        ("OPERATOR_TIMEZONE", "OPERATOR_TIME_ZONE"),
        ("TRUSTED_PROXY", "TRUSTED_PROXIES"),
        ("WORKER", "WORKERS"),
    ]


def test_every_variable_the_program_reads_is_known_and_told() -> None:
    sources = [path for room in ("api", "db", "office", "migrations") for path in (ROOT / room).rglob("*.py")]
    read = {
        name
        for path in sources
        for name in re.findall(r'os\.environ(?:\.get\(|\[)"([A-Z_]+)"', path.read_text("utf-8"))
    }
    assert read - {"PROMETHEUS_MULTIPROC_DIR"} <= VARIABLES
    assert told_in("README.md", "## Configuration") == VARIABLES - {"ADMINISTRATOR_PASSWORD"}
    assert told_in("docs/operations.md", "## Environment") == VARIABLES


def told_in(document: str, heading: str) -> set[str]:
    """The variables in the first column of the table under a heading."""
    chapter = (ROOT / document).read_text("utf-8").partition(f"\n{heading}\n")[2].partition("\n## ")[0]
    firsts = [row.split("|")[1] for row in chapter.splitlines() if row.startswith("| `")]
    return {name for first in firsts for name in re.findall(r"`([A-Z_]+)`", first)}


@pytest.mark.parametrize("command", ["audit", "gunicorn"])
def test_a_process_says_it_in_one_message_and_without_a_traceback(command: str) -> None:
    given = {"APP_ENV": "production", "THREADS": "x", "LOG_FORMAT": "xml"}
    run = {
        "audit": ("flask", "--app", "wsgi", "audit"),
        "gunicorn": ("gunicorn", "--config", "python:api.gunicorn_settings", "--bind", "127.0.0.1:0", "wsgi:app"),
    }[command]
    kept = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    ended = subprocess.run(
        (sys.executable, "-m", *run), cwd=ROOT, env={**kept, **given}, capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 1
    first, *rest = ended.stderr.splitlines()
    assert first.startswith("Error: THREADS ")
    assert rest[0].startswith("LOG_FORMAT ")
    # A command asks for what it needs when it needs it; a service wants all of it before it begins.
    missing = ["DATABASE_URL", "CODE_HMAC_KEY"] if command == "gunicorn" else []
    assert [line.split()[1] for line in rest[1:]] == missing
