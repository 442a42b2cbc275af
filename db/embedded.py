"""A PostgreSQL of one's own for demonstration and tests: started by the first who comes, stopped by the last."""

import json
import secrets
from pathlib import Path
from types import TracebackType
from typing import Self

from db.cluster import HOST, WITHOUT_SAFETY, Cluster, free_port
from db.errors import SetupError
from db.flocks import Attendance, one_at_a_time
from db.lodging import lodging
from db.secret_files import made_once
from db.urls import DatabaseUrls

DATABASE = "totalizator"
ROLES = {"admin": "totalizator_admin", "owner": "totalizator_owner", "app": "totalizator_app"}


class EmbeddedServer:
    """The server of one folder, shared by all processes that start it.

    Every started instance counts as one user; a process that dies in whatever way stops being counted. As a context
    manager it is started and released. The folder keeps port, passwords (mode 0600) and locks; the data too,
    but under root, where they live with the system user (`db.lodging`). With `fast` the server that this call
    starts trusts the machine not to crash: for tests only; with `homes` its data lie in a folder there.
    Roles and database are made by `db.bootstrap`.
    """

    def __init__(self, folder: Path, *, fast: bool = False, homes: Path | None = None) -> None:
        self.folder = folder.resolve()
        self._homes = homes
        self._settings = WITHOUT_SAFETY if fast else {}
        self._attendance: Attendance | None = None
        self._passwords: dict[str, str] = {}
        self._port = 0

    def start(self) -> Self:
        """Start the server or join the running one. SetupError if it cannot be."""
        if self._attendance is None:
            self._make_folder()
            with one_at_a_time(self._turn):
                attendance = Attendance(self.folder / "users.lock")
                try:
                    self._settle_in()
                except BaseException:
                    attendance.leave()
                    raise
                self._attendance = attendance
        return self

    def keep_up(self) -> None:
        """Start the server anew where it was, if it was killed; while it runs, nothing.

        Raises:
            SetupError: it cannot be, or somebody else has its port: elsewhere those who have its address would miss it.
        """
        if self._attendance is None:
            return
        before = self._port
        with one_at_a_time(self._turn):
            self._settle_in()
        if self._port != before:
            raise SetupError(f"Another program took port {before} of the embedded server: start everything anew.")

    def release(self, *, erase: bool = False) -> None:
        """Stop using the server; the last one out stops it, and with `erase` deletes its data.

        In a process that was forked off the one that started it, this changes nothing for the parent.
        """
        attendance, self._attendance = self._attendance, None
        if attendance is None:
            return
        if attendance.inherited:
            attendance.forget()
            return
        with one_at_a_time(self._turn):
            if attendance.leave():
                self._close(erase=erase)

    @property
    def urls(self) -> DatabaseUrls:
        """The addresses of the application's database."""
        return self.urls_of(DATABASE)

    def urls_of(self, database: str) -> DatabaseUrls:
        """The addresses of a database on this server; the admin's leads to `postgres`, where databases are made."""
        if self._attendance is None:
            raise SetupError("The embedded server is not started: call start() or use it in a with statement.")
        return DatabaseUrls(
            app=self._url("app", database), owner=self._url("owner", database), admin=self._url("admin", "postgres")
        )

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    @property
    def _turn(self) -> Path:
        return self.folder / "turn.lock"

    @property
    def _port_file(self) -> Path:
        return self.folder / "port"

    @property
    def _passwords_file(self) -> Path:
        return self.folder / "passwords"

    def _make_folder(self) -> None:
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._turn.touch(mode=0o600)
        except PermissionError as error:
            raise SetupError(
                f"{error.filename} belongs to another user: run as that user or set DATABASE_URL."
            ) from error

    def _settle_in(self) -> None:
        cluster_is_ours = self._passwords_file.exists()
        self._passwords = json.loads(made_once(self._passwords_file, _fresh_passwords))
        cluster = self._cluster()
        if not cluster_is_ours:
            # Data under /var/lib outlive a folder that was deleted; a new folder of the same name begins anew.
            cluster.set_aside()
        cluster.initialise()
        self._port = cluster.start(self._remembered_port())
        self._port_file.write_text(str(self._port))

    def _close(self, *, erase: bool) -> None:
        cluster = self._cluster()
        cluster.stop()
        if erase:
            cluster.erase()
            self._passwords_file.unlink()
            self._port_file.unlink()

    def _cluster(self) -> Cluster:
        return Cluster(lodging(self.folder, self._homes), ROLES["admin"], self._passwords["admin"], self._settings)

    def _remembered_port(self) -> int:
        try:
            return int(self._port_file.read_text())
        except (FileNotFoundError, ValueError):
            return free_port()

    def _url(self, role: str, database: str) -> str:
        return f"postgresql://{ROLES[role]}:{self._passwords[role]}@{HOST}:{self._port}/{database}"


def _fresh_passwords() -> str:
    return json.dumps({role: secrets.token_urlsafe(24) for role in ROLES})
