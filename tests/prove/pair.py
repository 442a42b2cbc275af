"""Servers of a test's own, and two of which one copies the other: commits are answered when both have them.

What is done to them here is what `docs/operations/standby.md` and `backup.md` tell an operator to do.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, LiteralString, Self

import psycopg

from db.cluster import HOST, Cluster, free_port
from db.embedded import DATABASE, ROLES
from db.lodging import lodging
from db.urls import DatabaseUrls

PATIENCE = 30.0
SETTINGS = {"synchronous_commit": "on", "wal_keep_size": "256MB"}
SYNCHRONOUS: LiteralString = "ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'"
ALONE: LiteralString = "ALTER SYSTEM SET synchronous_standby_names = ''"
# Nothing that was committed before the question is on this server alone any more.
CAUGHT_UP: LiteralString = """
    SELECT count(*) = 1 FROM pg_stat_replication
    WHERE sync_state IN ('sync', 'quorum') AND state = 'streaming' AND flush_lsn >= %s::pg_lsn
"""


@dataclass(frozen=True)
class Server:
    """One of the two: its data, and the port it keeps whatever it is."""

    cluster: Cluster
    port: int

    def start(self) -> None:
        """Start it as what its data say it is."""
        assert self.cluster.start(self.port) == self.port, "somebody took the port"

    def ask(self, question: LiteralString, *values: object) -> Any:
        """One figure, asked as the administrator of this server."""
        with self._connected() as connection:
            row = connection.execute(question, values).fetchone()
        return None if row is None else row[0]

    def order(self, *orders: LiteralString) -> None:
        """Statements that no transaction may hold."""
        with self._connected() as connection:
            for order in orders:
                connection.execute(order)

    def kill(self) -> None:
        """Kill every process of the server at once, as when its machine goes out; its data stay as they lie."""
        server = int((self.cluster.data / "postmaster.pid").read_text().splitlines()[0])
        sessions = Path(f"/proc/{server}/task/{server}/children").read_text("ascii").split()
        # The first one first, so that none is started in place of another.
        for process in (server, *map(int, sessions)):
            _kill(process)
        until(lambda: not self.cluster.running(), "a killed server to be gone")

    def hold_back(self) -> None:
        """Send its standby nothing any more, as when the line breaks a moment before the machine does."""
        os.kill(self.ask("SELECT pid FROM pg_stat_replication WHERE state = 'streaming'"), signal.SIGSTOP)

    def promote(self) -> None:
        """Let the standby take writes."""
        self.run("pg_ctl", "promote", f"--pgdata={self.cluster.data}", "--wait")

    def copy(self, primary: Server) -> None:
        """Begin anew as a standby of another server: nothing of what lay here is used again."""
        shutil.rmtree(self.cluster.data, ignore_errors=True)
        self.back_up(primary, self.cluster.data, "--write-recovery-conf")
        self.start()

    def back_up(self, source: Server, folder: Path, *options: str) -> None:
        """Take a base backup of a server, itself perhaps, into a folder of this one's account."""
        whose = f"host={HOST} port={source.port} user={self.cluster.superuser} passfile={self._passwords(source)}"
        self.run("pg_basebackup", f"--dbname={whose}", f"--pgdata={folder}", "--checkpoint=fast", *options)

    def run(self, program: str, *arguments: str) -> None:
        """Run a program as the server's account; it must succeed."""
        done = self.cluster.lodging.run(program, *arguments)
        assert done.returncode == 0, done.stderr

    def erase(self) -> None:
        """Stop it and leave nothing behind."""
        self.cluster.stop()
        (self.cluster.lodging.home / "passwords").unlink(missing_ok=True)
        self.cluster.erase()

    def _passwords(self, primary: Server) -> Path:
        path = self.cluster.lodging.home / "passwords"
        path.touch(mode=0o600)
        path.write_text(f"{HOST}:{primary.port}:*:{self.cluster.superuser}:{self.cluster.password}\n", "ascii")
        self.cluster.lodging.hand_over(path)
        return path

    def _connected(self) -> psycopg.Connection[Any]:
        return psycopg.connect(
            host=HOST,
            port=self.port,
            user=self.cluster.superuser,
            password=self.cluster.password,
            dbname="postgres",
            autocommit=True,
            connect_timeout=5,
        )


class Pair:
    """A primary and its synchronous standby, erased with the block; `urls` name both."""

    def __init__(self, folder: Path, homes: Path | None) -> None:
        self._passwords = fresh_passwords()
        self.primary, self.standby = (
            server_in(folder / name, homes, self._passwords, SETTINGS) for name in ("one", "other")
        )
        self._servers = (self.primary, self.standby)

    def __enter__(self) -> Self:
        try:
            self.primary.cluster.initialise()
            self.primary.start()
        except BaseException:
            self._erase()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._erase()

    @property
    def urls(self) -> DatabaseUrls:
        """The addresses as an operator of two servers writes them; they stay whoever of the two is the primary."""
        return urls_on(self._passwords, *self._servers)

    def app_on(self, server: Server) -> str:
        """The application's address of one of the two, whether it takes writes or not."""
        return urls_on(self._passwords, server).app.partition("?")[0]

    def attach(self) -> None:
        """Make whoever is not the primary its standby, and return when nothing is on the primary alone any more."""
        self.standby.copy(self.primary)
        for server in (self.standby, self.primary):
            server.order(SYNCHRONOUS, "SELECT pg_reload_conf()")
        until(lambda: self._caught_up("0/0"), "a standby that is waited for")
        # By now all processes were told; the checkpointer, which tells the others to wait, reads that before it works.
        self.primary.order("CHECKPOINT")
        written = self.primary.ask("SELECT pg_current_wal_flush_lsn()")
        until(lambda: self._caught_up(written), "a standby that has everything")

    def change_places(self) -> None:
        """Promote the standby of a primary that is gone, and let it go on alone."""
        self.standby.promote()
        self.primary, self.standby = self.standby, self.primary
        # It was told to wait for a standby as well: it answers no commit until somebody decides this or attaches one.
        self.primary.order(ALONE, "SELECT pg_reload_conf()")

    def _caught_up(self, written: str) -> bool:
        return bool(self.primary.ask(CAUGHT_UP, written))

    def _erase(self) -> None:
        for server in self._servers:
            server.erase()


def fresh_passwords() -> dict[str, str]:
    """A password for each role."""
    return {role: secrets.token_urlsafe(24) for role in ROLES}


def server_in(folder: Path, homes: Path | None, passwords: Mapping[str, str], settings: Mapping[str, str]) -> Server:
    """A server that has no data yet, named by a new folder."""
    folder.mkdir()
    return Server(Cluster(lodging(folder, homes), ROLES["admin"], passwords["admin"], settings), free_port())


def urls_on(passwords: Mapping[str, str], *servers: Server) -> DatabaseUrls:
    """The house's addresses on any of these servers, whichever takes writes."""
    hosts = ",".join(f"{HOST}:{server.port}" for server in servers)
    app, owner, admin = (
        f"postgresql://{ROLES[role]}:{passwords[role]}@{hosts}/{database}?target_session_attrs=read-write"
        for role, database in (("app", DATABASE), ("owner", DATABASE), ("admin", "postgres"))
    )
    return DatabaseUrls(app=app, owner=owner, admin=admin)


def until(holds: Callable[[], bool], what: str) -> None:
    """Return when something holds that is bound to."""
    patient_until = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < patient_until, f"waited in vain for {what}"
        time.sleep(0.02)


def _kill(process: int) -> None:
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return
