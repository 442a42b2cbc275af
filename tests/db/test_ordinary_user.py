"""The embedded server of an ordinary user: everything stays inside the folder."""

import os
import pwd
import shutil
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from db import binaries, lodging
from db.bootstrap import bootstrap
from db.embedded import EmbeddedServer


@pytest.fixture
def open_place(server: EmbeddedServer) -> Iterator[Path]:
    """A place that every user can reach: the folders of pytest and of root's checkout are closed to others."""
    # The run's server is asked for because root's folder, and root's copy of the programs in it, were made for it.
    beside = lodging.MACHINE_FOLDER if os.geteuid() == 0 else None
    path = Path(tempfile.mkdtemp(prefix="totalizator-", dir=beside))
    path.chmod(0o777)
    yield path
    shutil.rmtree(path)


def a_day_of_the_server(folder: Path) -> None:
    with EmbeddedServer(folder, fast=True) as server:
        bootstrap(server.urls)
        with psycopg.connect(server.urls.app) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
        assert (folder / "data" / "postmaster.pid").stat().st_uid == os.geteuid()
    assert not (folder / "data" / "postmaster.pid").exists()


def as_nobody(folder: Path) -> None:
    """What the child of root does after it gave root up: root's own copies and home are closed to it."""
    nobody = pwd.getpwnam("nobody")
    os.setgroups([])
    os.setgid(nobody.pw_gid)
    os.setuid(nobody.pw_uid)
    os.environ["HOME"] = str(folder.parent)
    copied = lodging.MACHINE_FOLDER / f"engine-{binaries.wheel_version()}"
    binaries.site = lambda: copied
    a_day_of_the_server(folder)


def test_an_ordinary_user_has_the_server_with_its_data_in_the_folder(open_place: Path) -> None:
    if os.geteuid() != 0:
        a_day_of_the_server(open_place / "postgres")
        return
    child = os.fork()
    if child == 0:
        try:
            as_nobody(open_place / "postgres")
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert (open_place / "postgres" / "data" / "PG_VERSION").exists()
