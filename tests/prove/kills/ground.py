"""The ground on which things are killed: a server of its own with nothing switched off, API, task worker, desks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import psycopg
from sqlalchemy.exc import OperationalError

from api.commands.worker import READY
from db.bootstrap import bootstrap
from db.embedded import EmbeddedServer
from db.urls import DatabaseUrls
from migrations.upgrade import upgrade
from tests.office import KEYS, Office
from tests.prove.beside import Beside
from tests.prove.served import Served, sized
from tests.prove.workers import ROOT, Workers, clients_of

PATIENCE = 120.0
PROCESSES = sized(2, 3)
LOOK = 0.05
TICK = 0.5
"""Seconds between two rounds of the sweeps; a house at work does one a minute."""
SWEEPS = ("close_due_pools", "resume_settlements", "expire_wins", "seal", "keep_pool_totals")
PATIENT_DOORS = ("code_attempts", "registry_attempts")
DEFER = """
    INSERT INTO procrastinate_jobs (queue_name, task_name, queueing_lock, args)
    SELECT 'default', name, name, '{"timestamp": 0}' FROM unnest(%s::text[]) AS names (name)
    ON CONFLICT (queueing_lock) WHERE status = 'todo' DO NOTHING
"""


class TaskWorker:
    """The task worker by its command, in a process of its own."""

    def __init__(self, environment: dict[str, str], log: Path) -> None:
        self.log = log
        self._environment = {**os.environ, **environment, "PYTHONUNBUFFERED": "1"}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start one; what earlier ones said stays in the log."""
        self.log.touch()
        self._begins_at = self._looked_from = self.log.stat().st_size
        command = (sys.executable, "-m", "flask", "--app", "wsgi", "worker")
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                command, cwd=ROOT, env=self._environment, stdout=log, stderr=log, start_new_session=True
            )

    @property
    def number(self) -> int:
        """Its process."""
        assert self._process is not None
        return self._process.pid

    def ready(self) -> bool:
        """Whether this one has begun to work; one that ended by itself has lost its house."""
        assert self._process is not None and self._process.poll() is None, self.log.read_text("utf-8")[-4000:]
        return READY in self._said_since(self._begins_at)

    def look_from_here(self) -> None:
        """Count what is done from now on."""
        self._looked_from = self.log.stat().st_size

    def done(self) -> int:
        """How many jobs it has done since it was started, or looked at."""
        return self._said_since(self._looked_from).count("job_success")

    def _said_since(self, place: int) -> str:
        with self.log.open("rb") as log:
            log.seek(place)
            return log.read().decode("utf-8", errors="replace")

    def kill(self) -> None:
        """kill -9, and wait until it is gone."""
        assert self._process is not None and self._process.poll() is None, self.log.read_text("utf-8")[-4000:]
        self._process.kill()
        self._process.wait()

    def stop(self) -> int:
        """Ask it to end in good order; its exit code."""
        assert self._process is not None
        self._process.terminate()
        try:
            return self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()


class Ground:
    """A house with its own database server, whose crash costs nothing that was acknowledged."""

    def __init__(self, folder: Path, *, processes: int = PROCESSES, threads: int = 4, tick: float = TICK) -> None:
        self.folder = folder
        self._size, self._tick = {"processes": processes, "threads": threads}, tick
        self.digests = folder / "digests"
        self.cut_off: dict[int, str] = {}
        self._standing = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as building:
            self.server = EmbeddedServer(self.folder / "postgres").start()
            building.callback(self.server.release, erase=True)
            self.urls = self.server.urls
            self._data = _with_nothing_switched_off(self.urls)
            bootstrap(self.urls)
            upgrade(self.urls.owner)
            office = Office(self.urls)
            building.callback(office.close)
            workers = building.enter_context(Workers(self.urls, self.folder / "api", **self._size))
            self.served = Served(office, workers, building.enter_context(clients_of(workers)))
            # As where it is deployed: without the addresses of owner and administrator.
            addresses = DatabaseUrls(app=self.urls.app).environment()
            environment = {**addresses, **KEYS.environment(), "SEAL_DIGESTS": str(self.digests)}
            self.task_worker = TaskWorker(environment, self.folder / "worker")
            self.task_worker.start()
            building.callback(self.task_worker.stop)
            building.enter_context(ticks(self, self._tick))
            self._standing = building.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._standing.close()

    def ask(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """What the database says to the owner, as soon as it answers."""
        return self.patiently(lambda: self._asked(query, values))

    def one(self, query: str, *values: Any) -> Any:
        """One figure."""
        return self.ask(query, *values)[0][0]

    def clock(self, instant: str) -> None:
        """Let the trade's clock show this instant."""
        self.patiently(lambda: self.served.office.clock(instant))

    def patiently(self, act: Callable[[], Any]) -> Any:
        """Do what may be done twice, until the database is there for it."""
        patient_until = time.monotonic() + PATIENCE
        while True:
            try:
                return act()
            except (OperationalError, psycopg.OperationalError):
                assert time.monotonic() < patient_until, "the database does not come back"
                time.sleep(LOOK)

    def until(self, holds: Callable[[], bool], what: str, patience: float = PATIENCE) -> None:
        """Return when something holds."""
        patient_until = time.monotonic() + patience
        while not holds():
            assert time.monotonic() < patient_until, f"never seen: {what}"
            time.sleep(LOOK)

    def kill_task_worker(self) -> None:
        """kill -9 the task worker and start the next one; the jobs it leaves are remembered."""
        self.task_worker.kill()
        self.cut_off |= dict(self.jobs_under_way())
        self.task_worker.start()

    def jobs_under_way(self) -> list[tuple[Any, ...]]:
        """Number and name of the jobs that a worker, living or dead, has in hand."""
        return self.ask("SELECT id, task_name FROM procrastinate_jobs WHERE status = 'doing'")

    def crash_database(self) -> None:
        """kill -9 the postmaster; its sessions die by themselves, when they notice."""
        os.kill(self.postmaster(), signal.SIGKILL)

    def postmaster(self) -> int:
        """The process number of the database server."""
        return int((self._data / "postmaster.pid").read_text("ascii").splitlines()[0])

    def circles_of_locks(self) -> list[str]:
        """What the server's log, which outlives a crash, says of deadlocks that had to be broken."""
        with (self._data.parent / "server.log").open(encoding="utf-8", errors="replace") as said:
            return [line for line in said if "deadlock detected" in line]

    def start_database(self) -> None:
        """Start the server again as the next process that needs it does; it is found where it was."""
        second = EmbeddedServer(self.server.folder).start()
        second.release()
        assert second._port == self.server._port, "a database that moved is not found again"

    def defer(self, *names: str) -> None:
        """Put work into the queue, as the tick of a minute does."""
        self.ask(DEFER + " RETURNING id", list(names))

    def _asked(self, query: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.urls.owner, autocommit=True) as connection:
            return connection.execute(query.encode(), values or None).fetchall()


def prepare(office: Office) -> None:
    """Money to pay from; and attempts that die with their worker, which stay counted for a minute, shut nobody out."""
    for setting in PATIENT_DOORS:
        told = {"value": 1000, "reason": "процессы умирают"}
        changed = office.administrator.post(f"/settings/{setting}/versions", told)
        assert changed.status_code == 201, changed.json
    assert office.cashier
    for act in ("own_money_in", "special_account_in"):
        office.move(act, "50000.00")


def _with_nothing_switched_off(urls: DatabaseUrls) -> Path:
    """Where the server keeps its data, once it has said that it keeps what it commits through a crash."""
    assert urls.admin is not None
    with psycopg.connect(urls.admin) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            assert connection.execute(f"SHOW {setting}".encode()).fetchone() == ("on",)
        (data,) = connection.execute(b"SHOW data_directory").fetchone() or ("",)
    return Path(data)


def ticks(ground: Ground, pause: float) -> Beside:
    """Sweeps put into the queue many times a minute, so that one is under way whenever something is killed."""

    def tick() -> None:
        # While the database is away no minute strikes.
        with suppress(psycopg.Error):
            ground._asked(DEFER + " RETURNING id", (list(SWEEPS),))

    return Beside(tick, pause)
