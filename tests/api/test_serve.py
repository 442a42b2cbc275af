"""The supervisor as an operator meets it: it serves, and whatever way it ends, no process and no server is left."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from api.commands.administrator import VARIABLE as PASSWORD
from api.commands.bind import Address, chosen_address, chosen_addresses
from db.addresses import ADDRESSES
from db.embedded import EmbeddedServer
from db.errors import SetupError
from db.keys import NAMES
from db.lodging import lodging
from db.urls import DatabaseUrls
from tests.api.lines import lines_of
from tests.office import KEYS

CHECKOUT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0


class Installation:
    """A folder with wsgi.py, which keeps its database and keys beside it as a clone does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "wsgi.py").write_text((CHECKOUT / "wsgi.py").read_text("utf-8"), "utf-8")
        foreign = {"APP_ENV", *ADDRESSES, *NAMES}
        kept = {name: value for name, value in os.environ.items() if name not in foreign}
        self.temporary = folder / "temporary"
        self.temporary.mkdir()
        few = {"WORKERS": "1", "THREADS": "2", "STREAM_CLIENTS": "2", "TMPDIR": str(self.temporary)}
        self.environment = {**kept, "PYTHONPATH": str(CHECKOUT), **few, PASSWORD: "of another command"}

    def serve(self) -> Served:
        """`serve` as a process of its own."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        command = [sys.executable, "-m", "flask", "--app", "wsgi", "serve", "--bind", f"127.0.0.1:{port}"]
        process = subprocess.Popen(
            command,
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return Served(process, f"http://127.0.0.1:{port}", self.folder)

    def database_answers(self) -> bool:
        """Whether anything listens where the embedded server did."""
        port = int((self.folder / "var" / "postgres" / "port").read_text())
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    def postmaster(self) -> int:
        """The process of its database server, as the data's own note says."""
        note = lodging(self.folder / "var" / "postgres").home / "data" / "postmaster.pid"
        return int(note.read_text("ascii").splitlines()[0])


class Served:
    """A running supervisor and the processes it started."""

    def __init__(self, process: subprocess.Popen[str], url: str, folder: Path) -> None:
        self.process = process
        self.url = url
        self.folder = folder
        assert process.stdout is not None
        self.told = ""
        for line in process.stdout:
            self.told += line
            if "Работает" in line:
                break
        self.children = _children_of(process.pid) if "Работает" in self.told else []

    def end(self, number: signal.Signals) -> int:
        """Send a signal; the exit code."""
        self.process.send_signal(number)
        out, _ = self.process.communicate(timeout=PATIENCE)
        self.told += out
        return self.process.returncode

    @property
    def streams(self) -> str:
        """Where streams listen, as the screen says."""
        found = re.search(r"Потоки: (http://[0-9.:]+)/", self.told)
        assert found is not None, self.told
        return found[1]

    def nobody_is_left(self) -> bool:
        """Whether API, streams and worker are gone."""
        return not any(Path(f"/proc/{child}").exists() for child in self.children)


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """One installation for all tests of this file: its database is made once."""
    made = Installation(tmp_path_factory.mktemp("installation"))
    yield made
    EmbeddedServer(made.folder / "var" / "postgres").start().release(erase=True)


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.prove)])
def test_it_answers_and_ends_with_all_it_started(installation: Installation, number: signal.Signals) -> None:
    served = installation.serve()
    answer = httpx.get(f"{served.url}/api/openapi.json?surname=secret", trust_env=False)
    told = httpx.get(f"{served.streams}/api/openapi.json", trust_env=False).json()
    refused = httpx.get(f"{served.streams}/api/v1/streams/pools?pools=P1", trust_env=False)
    given = {_mighty_of(child) for child in served.children}

    code = served.end(number)

    assert answer.json()["openapi"] == "3.1.0"
    # The owner could switch off what keeps facts as they are: its address stays with the supervisor.
    assert given == {frozenset(), frozenset({"DATABASE_URL"})}
    assert (list(told["paths"]), refused.status_code) == (["/api/v1/streams/pools"], 401)
    assert code == 0, served.told
    assert served.nobody_is_left()
    assert not installation.database_answers()
    logs = installation.folder / "var" / "log"
    api, streams, worker = ((logs / name).read_text("utf-8") for name in ("api", "streams", "worker"))
    assert "/api/v1/streams/pools" in [line.get("route") for line in lines_of(streams)]
    assert [line["status"] for line in lines_of(api) if line.get("route") == "/api/openapi.json"][-1:] == [200]
    assert "Booting worker with pid" in api and "secret" not in api
    assert "task_worker_ready" in [line["event"] for line in lines_of(worker)]
    assert list(installation.temporary.iterdir()) == []


@pytest.mark.prove
def test_killed_it_leaves_nobody_either(installation: Installation) -> None:
    served = installation.serve()

    served.end(signal.SIGKILL)

    assert _becomes(served.nobody_is_left)
    assert _becomes(lambda: not installation.database_answers())


@pytest.mark.prove
def test_a_killed_database_is_there_again(installation: Installation) -> None:
    """The worker starts the embedded server anew at its old address, and the API finds it without being told."""
    served = installation.serve()
    killed = installation.postmaster()
    os.kill(killed, signal.SIGKILL)

    assert _becomes(lambda: installation.postmaster() != killed)
    assert _becomes(lambda: httpx.get(f"{served.url}/readyz", trust_env=False).status_code == 200)

    assert served.end(signal.SIGTERM) == 0, served.told
    assert not installation.database_answers()


@pytest.mark.prove
def test_it_says_which_child_died_and_stops(installation: Installation) -> None:
    served = installation.serve()
    worker = next(child for child in served.children if "worker" in _command_of(child))

    os.kill(worker, signal.SIGKILL)
    out, _ = served.process.communicate(timeout=PATIENCE)

    assert served.process.returncode == 1
    assert "Исполнитель заданий: процесс завершился с кодом -9" in out
    assert served.nobody_is_left()
    assert _becomes(lambda: not installation.database_answers())


def test_workers_refuse_a_database_of_another_revision(fresh_database: DatabaseUrls, tmp_path: Path) -> None:
    installation = Installation(tmp_path)
    environment = {**installation.environment, **fresh_database.environment(), **KEYS.environment()}
    gunicorn = ["-m", "gunicorn", "--config", "python:api.gunicorn_settings", "--bind", "127.0.0.1:0", "wsgi:app"]

    done = subprocess.run(
        [sys.executable, *gunicorn],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )

    assert done.returncode == 3
    assert "The schema is not at the newest revision" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_database_that_does_not_answer_is_named(tmp_path: Path) -> None:
    installation = Installation(tmp_path)
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{nobody.getsockname()[1]}/totalizator"
        urls = DatabaseUrls(app=f"postgresql://app:secret@{address}", owner=f"postgresql://owner:secret@{address}")
        installation.environment |= urls.environment()

        served = installation.serve()

    assert served.process.wait(PATIENCE) == 1
    assert "База данных не отвечает" in served.told
    assert "secret" not in served.told
    assert "Traceback" not in served.told


def test_a_taken_port_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        with pytest.raises(SetupError, match=f"127.0.0.1:{port} не годится: порт занят"):
            chosen_address(f"127.0.0.1:{port}")


def test_api_and_streams_do_not_listen_at_the_same_place() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(SetupError, match=f"разные адреса, а 127.0.0.1:{port} указан дважды"):
        chosen_addresses(f"127.0.0.1:{port}", f"127.0.0.1:{port}")


def test_without_an_address_the_next_free_port_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken, socket.socket() as free:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        free.bind(("127.0.0.1", 0))
        ports = (taken.getsockname()[1], free.getsockname()[1])
        free.close()
        monkeypatch.setattr("api.commands.bind.PORTS", ports)

        assert chosen_address(None) == Address("127.0.0.1", ports[1])


@pytest.mark.parametrize("asked", ["8000", ":8000", "127.0.0.1:", "127.0.0.1:http", "127.0.0.1:0", "127.0.0.1:70000"])
def test_an_address_that_cannot_be_read_is_refused(asked: str) -> None:
    with pytest.raises(SetupError, match="не читается"):
        chosen_address(asked)


def test_an_address_of_every_interface_is_shown_as_one_to_open() -> None:
    assert Address("0.0.0.0", 8000).url == "http://127.0.0.1:8000"
    assert Address("::", 8000).url == "http://[::1]:8000"


def _children_of(parent: int) -> list[int]:
    """The processes a process started, and those they started."""
    direct = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [int(child) for child in direct] + [below for child in direct for below in _children_of(int(child))]


def _command_of(process: int) -> str:
    return Path(f"/proc/{process}/cmdline").read_text().replace("\0", " ")


def _mighty_of(process: int) -> frozenset[str]:
    """Which addresses of the database a process was given, and whether a password."""
    given = Path(f"/proc/{process}/environ").read_bytes().decode().split("\0")
    return frozenset((*ADDRESSES, PASSWORD)) & {name for name, _, _ in (variable.partition("=") for variable in given)}


def _becomes(state: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE
    while not state() and time.monotonic() < deadline:
        time.sleep(0.1)
    return state()
