"""Servers and processes of their own, for tests that stop and kill them."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from db.addresses import ADDRESSES
from db.embedded import EmbeddedServer
from db.errors import SetupError
from db.keys import NAMES

PROJECT = Path(__file__).parents[2]

VISIT = """
import sys
from pathlib import Path
from db.embedded import EmbeddedServer
with EmbeddedServer(Path(sys.argv[1]), fast=True) as server:
    print(server.urls.admin, flush=True)
    sys.stdin.readline()
"""


class Visitor:
    """Another process that uses the server of a folder until told to leave."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", VISIT, str(folder)],
            cwd=PROJECT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def admin_url(self) -> str:
        """Wait until it has the server; the address it was given."""
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def leave(self) -> int:
        """Let it end in good order; its exit code."""
        self._process.communicate("\n", timeout=60)
        return self._process.returncode

    def die(self) -> None:
        """kill -9."""
        self._process.kill()
        self._process.communicate()


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """The folder of a server of the test's own; whatever state the test leaves it in, it is erased."""
    path = tmp_path / "postgres"
    yield path
    if (path / "passwords").exists():
        with suppress(SetupError):
            EmbeddedServer(path, fast=True).start().release(erase=True)


@pytest.fixture
def visitor(folder: Path) -> Iterator[Callable[[], Visitor]]:
    """Sends another process to the folder's server."""
    sent: list[Visitor] = []

    def send() -> Visitor:
        sent.append(Visitor(folder))
        return sent[-1]

    yield send
    for one in sent:
        one.die()


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller's own settings must not reach these tests."""
    for name in ("APP_ENV", *ADDRESSES, *NAMES):
        monkeypatch.delenv(name, raising=False)


def answers(url: str) -> bool:
    """Whether a server answers a query at the address."""
    try:
        with psycopg.connect(url, connect_timeout=5) as connection:
            return connection.execute("SELECT 1").fetchone() == (1,)
    except psycopg.OperationalError:
        return False
