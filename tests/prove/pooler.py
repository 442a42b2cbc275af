"""PgBouncer as `deploy/pgbouncer.ini` sets it up, in front of a test's database."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from configparser import ConfigParser
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psycopg

from db.cluster import HOST, free_port
from db.urls import DatabaseUrls, conninfo, parts

EXAMPLE = Path(__file__).resolve().parents[2] / "deploy" / "pgbouncer.ini"
PROGRAM = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
PATIENCE = 10.0


@contextmanager
def pooled(urls: DatabaseUrls, folder: Path, connections: int) -> Iterator[DatabaseUrls]:
    """The addresses with one more, which leads through a pooler of so many connections to the server."""
    assert PROGRAM is not None, "PgBouncer is not installed: apt-get install pgbouncer"
    port = free_port()
    log = folder / "pgbouncer.log"
    with log.open("wb") as told:
        process = subprocess.Popen(
            [PROGRAM, str(_settings(urls, folder, port, connections))], stdout=told, stderr=told, start_new_session=True
        )
    try:
        app = parts(urls.app)
        through = replace(urls, pooled=f"postgresql://{app['user']}:{app['password']}@{HOST}:{port}/totalizator")
        _wait_until_it_answers(process, through, log)
        yield through
    finally:
        process.terminate()
        process.wait(timeout=10)


def _settings(urls: DatabaseUrls, folder: Path, port: int, connections: int) -> Path:
    """The example with this machine's addresses in it; all else as an operator is told to have it."""
    app = parts(urls.app)
    given = ConfigParser(interpolation=None)
    assert given.read(EXAMPLE, "utf-8")
    server = given["databases"]["totalizator"].replace("port=5432", f"port={app['port']}")
    given["databases"]["totalizator"] = server.replace("dbname=totalizator", f"dbname={app['dbname']}")
    secrets = folder / "userlist.txt"
    secrets.write_text(f'"{app["user"]}" "{_secret(urls)}"\n', "ascii")
    own = {"listen_port": str(port), "auth_file": str(secrets), "default_pool_size": str(connections)}
    if os.geteuid() == 0:
        # It does not run as root; what it reads must then be readable to whom it becomes.
        own["user"] = "nobody"
        _open_to_all(folder, secrets)
    given["pgbouncer"].update(own)
    path = folder / "pgbouncer.ini"
    with path.open("w", encoding="utf-8") as file:
        given.write(file)
    path.chmod(0o644)
    return path


def _open_to_all(folder: Path, secrets: Path) -> None:
    """Only for a test's secrets: the folder and those above it may be entered."""
    secrets.chmod(0o644)
    for above in (folder, *folder.parents):
        if not above.stat().st_mode & 0o001:
            above.chmod(above.stat().st_mode | 0o011)


def _secret(urls: DatabaseUrls) -> str:
    assert urls.admin is not None
    with psycopg.connect(conninfo(urls.admin)) as admin:
        row = admin.execute(
            "SELECT rolpassword FROM pg_authid WHERE rolname = %s", (parts(urls.app)["user"],)
        ).fetchone()
    assert row is not None
    return str(row[0])


def _wait_until_it_answers(process: subprocess.Popen[bytes], urls: DatabaseUrls, log: Path) -> None:
    patient_until = time.monotonic() + PATIENCE
    while True:
        assert process.poll() is None, log.read_text("utf-8")
        try:
            psycopg.connect(conninfo(str(urls.pooled)), connect_timeout=2).close()
            return
        except psycopg.OperationalError as error:
            assert time.monotonic() < patient_until, f"{error}\n{log.read_text('utf-8')}"
            time.sleep(0.05)
