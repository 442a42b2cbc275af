"""One PostgreSQL cluster on disk: made, started, asked, stopped. Who may do so when is `db.embedded`'s matter."""

import os
import shlex
import shutil
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import psycopg

from db.errors import SetupError
from db.lodging import Lodging

HOST = "127.0.0.1"
# No process can have this number, so whoever finds it in postmaster.pid sees that its writer is gone.
NO_PROCESS = 2**31 - 1
PATIENCE = 60.0
PAUSE = 0.05
ORPHANS_LEAVE = 5.0
ATTEMPTS = 3
SHARED_STILL = "pre-existing shared memory block"
"""What PostgreSQL logs when it does not start beside processes of its former life."""
INITDB = (
    "--no-locale",
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--auth=scram-sha-256",
    "--no-instructions",
)
SETTINGS = {
    "listen_addresses": HOST,
    "unix_socket_directories": "",
    "max_connections": "200",
    "shared_buffers": "128MB",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "%m [%p] %q%u@%d ",
    "password_encryption": "scram-sha-256",
}
# For tests only: a crash of the machine may cost the data.
WITHOUT_SAFETY = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


@dataclass(frozen=True)
class Cluster:
    """The data of one server and the superuser it is asked as."""

    lodging: Lodging
    superuser: str
    password: str
    settings: Mapping[str, str]

    @property
    def data(self) -> Path:
        return self.lodging.home / "data"

    @property
    def log(self) -> Path:
        """Where the server writes what happens to it."""
        return self.lodging.home / "server.log"

    def initialise(self) -> None:
        """Make the data unless they are there. They get their name when whole: a crash leaves no half cluster."""
        if self.data.exists():
            return
        draft = self.lodging.home / "data.draft"
        shutil.rmtree(draft, ignore_errors=True)
        password = self._password_file()
        try:
            done = self.lodging.run(
                "initdb", *INITDB, f"--username={self.superuser}", f"--pwfile={password}", f"--pgdata={draft}"
            )
        finally:
            password.unlink()
        if done.returncode:
            raise SetupError(f"PostgreSQL's data could not be made in {self.lodging.home}: {done.stderr.strip()}")
        draft.rename(self.data)

    def set_aside(self) -> None:
        """Move data away whose passwords are lost with their folder; nothing is deleted."""
        if self.data.exists():
            self.stop()
            self.data.rename(self.lodging.home / f"data-{time.time_ns()}")

    def erase(self) -> None:
        """Delete data and log of a stopped server, and the home it had of its own."""
        shutil.rmtree(self.data, ignore_errors=True)
        self.log.unlink(missing_ok=True)
        self.lodging.leave()

    def answers(self, port: int) -> bool:
        """Whether our own server, not a stranger on its port, answers a query."""
        if not self.running():
            return False
        try:
            with psycopg.connect(
                host=HOST, port=port, user=self.superuser, password=self.password, dbname="postgres", connect_timeout=5
            ) as connection:
                row = connection.execute("SHOW data_directory").fetchone()
        except psycopg.Error:
            return False
        return row == (str(self.data),)

    def running(self) -> bool:
        """Whether the process named in postmaster.pid is this cluster's server."""
        process = self._noted_process()
        return process is not None and self._is_server(process)

    def start(self, port: int) -> int:
        """Start or wait for the server; the port it answers on, a new one if another program took `port`.

        SetupError with the end of its log if it does not answer within a minute.
        """
        deadline = time.monotonic() + PATIENCE
        attempts = 0
        while not self.answers(port):
            if time.monotonic() > deadline or (attempts >= ATTEMPTS and not self.running()):
                raise SetupError(f"PostgreSQL does not start; {self.log} ends with:\n{self._end_of_log()}")
            if self.running():
                # Someone who died meanwhile started it or told it to stop; it is on its way to either.
                port = self._noted_port() or port
                time.sleep(PAUSE)
                continue
            port = port if self._comes_free(port) else free_port()
            self._launch(port)
            if self._held_by_orphans():
                time.sleep(PAUSE)
            else:
                attempts += 1
        return port

    def stop(self) -> None:
        """Stop at once in good order: sessions are cut off, what was committed is kept."""
        if self.running():
            done = self.lodging.run("pg_ctl", "stop", f"--pgdata={self.data}", "--mode=fast", "--timeout=60")
            if done.returncode and self.running():
                raise SetupError(f"PostgreSQL does not stop: {done.stderr.strip()}. Look into {self.log}.")

    def _held_by_orphans(self) -> bool:
        """Whether the start just now was refused because sessions of a server that was killed are still at work.

        One that computes does not notice the death before it is done: it is waited for, as the port is.
        """
        return not self.running() and SHARED_STILL in self._end_of_log()

    def _comes_free(self, port: int) -> bool:
        """Whether the port can be listened on; sessions of a server that was killed hold it a moment longer."""
        crashed = (self.data / "postmaster.pid").exists()
        deadline = time.monotonic() + (ORPHANS_LEAVE if crashed else 0)
        while not is_free(port):
            if time.monotonic() >= deadline:
                return False
            time.sleep(PAUSE)
        return True

    def _launch(self, port: int) -> None:
        self._disown_stale_pid()
        options = {**SETTINGS, "port": str(port), **self.settings}
        words = " ".join(shlex.quote(word) for name, value in options.items() for word in ("-c", f"{name}={value}"))
        self.lodging.run(
            "pg_ctl", "start", f"--pgdata={self.data}", f"--log={self.log}", f"--timeout={PATIENCE:.0f}", "-o", words
        )

    def _password_file(self) -> Path:
        path = self.lodging.home / "password.draft"
        path.unlink(missing_ok=True)
        path.touch(mode=0o600)
        path.write_text(self.password, encoding="ascii")
        self.lodging.hand_over(path)
        return path

    def _noted_process(self) -> int | None:
        return self._noted(line=1)

    def _noted_port(self) -> int | None:
        return self._noted(line=4)

    def _noted(self, line: int) -> int | None:
        """A number from postmaster.pid; its lines are PostgreSQL's: process, data, start, port and more."""
        try:
            return int((self.data / "postmaster.pid").read_text().splitlines()[line - 1])
        except (FileNotFoundError, IndexError, ValueError):
            return None

    def _is_server(self, process: int) -> bool:
        """After a crash or a reboot the number may be another program's, or a dead child nobody collected."""
        if not Path("/proc/self/cmdline").exists():
            return _is_alive(process)
        try:
            words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
        except (FileNotFoundError, ProcessLookupError):
            return False
        return os.fsencode(self.data) in words

    def _disown_stale_pid(self) -> None:
        """PostgreSQL will not start while the noted number is any living process of its user.

        The rest of the file stays: by it the server finds orphaned sessions that still write to these data.
        """
        path = self.data / "postmaster.pid"
        if not path.exists():
            return
        process = self._noted_process()
        if process is None:
            path.unlink()
        elif not self._is_server(process):
            _, _, rest = path.read_text().partition("\n")
            path.write_text(f"{NO_PROCESS}\n{rest}")

    def _end_of_log(self) -> str:
        try:
            return "\n".join(self.log.read_text(errors="replace").splitlines()[-8:])
        except FileNotFoundError:
            return "(nothing was logged)"


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def is_free(port: int) -> bool:
    """Whether the port could be listened on now."""
    with socket.socket() as probe:
        # As the server does: connections that linger after its last stop do not count.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
        return True


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
