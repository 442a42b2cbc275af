"""The embedded server: shared, counted, and up again after every kind of end."""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

import psycopg
import pytest

from db import lodging
from db.embedded import EmbeddedServer
from db.errors import SetupError
from db.urls import conninfo, parts
from tests.db.conftest import Visitor, answers

Send = Callable[[], Visitor]
COMPUTE = """
    DO $$ DECLARE until timestamptz := clock_timestamp() + interval '2 seconds';
    BEGIN WHILE clock_timestamp() < until LOOP END LOOP; END $$
"""


def admin(server: EmbeddedServer) -> str:
    assert server.urls.admin is not None
    return server.urls.admin


def ask(url: str, statement: str) -> str:
    with psycopg.connect(url, autocommit=True) as connection:
        row = connection.execute(statement.encode()).fetchone()
    assert row is not None
    return str(row[0])


def data_of(server: EmbeddedServer) -> Path:
    return Path(ask(admin(server), "SHOW data_directory"))


def process_of(server: EmbeddedServer) -> int:
    return int((data_of(server) / "postmaster.pid").read_text().splitlines()[0])


def put_note(server: EmbeddedServer) -> None:
    with psycopg.connect(admin(server)) as connection:
        connection.execute("CREATE TABLE note AS SELECT 'kept' AS text")


def note(server: EmbeddedServer) -> str:
    return ask(admin(server), "SELECT text FROM note")


@contextmanager
def process_of_the_servers_user() -> Iterator[int]:
    """A living process that is no database, of the user who runs the server."""
    user = lodging.ACCOUNT if os.geteuid() == 0 else None
    with subprocess.Popen(["sleep", "120"], user=user, cwd="/") as process:
        yield process.pid
        process.kill()


@contextmanager
def computing(url: str) -> Iterator[None]:
    """A session computes for two seconds from before the block, and then finds nobody to answer."""

    def compute() -> None:
        with suppress(psycopg.OperationalError), psycopg.connect(conninfo(url)) as session:
            began.set()
            session.execute(COMPUTE)

    began = Event()
    thread = Thread(target=compute)
    thread.start()
    assert began.wait(10)
    time.sleep(0.2)
    yield
    thread.join()


@contextmanager
def taken(port: int) -> Iterator[None]:
    """Another program listens on a port as soon as it comes free."""
    deadline = time.monotonic() + 10
    while True:
        try:
            with socket.create_server(("127.0.0.1", port)):
                yield
            return
        except OSError:
            assert time.monotonic() < deadline, "the port never came free"
            time.sleep(0.05)


class TestSharing:
    def test_two_processes_that_start_at_once_share_one_server_and_the_last_out_stops_it(self, visitor: Send) -> None:
        first, second = visitor(), visitor()
        url = first.admin_url()
        assert second.admin_url() == url
        assert answers(url)
        assert first.leave() == 0
        assert answers(url)
        assert second.leave() == 0
        assert not answers(url)

    def test_a_process_that_was_killed_is_counted_no_more(self, folder: Path, visitor: Send) -> None:
        victim = visitor()
        url = victim.admin_url()
        with EmbeddedServer(folder, fast=True) as server:
            victim.die()
            assert admin(server) == url
            assert answers(url)
        assert not answers(url)

    def test_the_next_one_joins_the_server_that_a_killed_process_left_running(
        self, folder: Path, visitor: Send
    ) -> None:
        victim = visitor()
        url = victim.admin_url()
        started = ask(url, "SELECT pg_postmaster_start_time()")
        victim.die()
        with EmbeddedServer(folder, fast=True) as server:
            assert ask(admin(server), "SELECT pg_postmaster_start_time()") == started

    def test_a_running_server_is_found_though_its_port_was_forgotten(self, folder: Path, visitor: Send) -> None:
        victim = visitor()
        url = victim.admin_url()
        victim.die()
        (folder / "port").unlink()
        with EmbeddedServer(folder, fast=True) as server:
            assert admin(server) == url

    def test_a_forked_child_that_releases_leaves_the_server_to_its_parent(self, folder: Path, visitor: Send) -> None:
        with EmbeddedServer(folder, fast=True) as server:
            child = os.fork()
            if child == 0:
                server.release()
                os._exit(0)
            assert os.waitpid(child, 0)[1] == 0
            # Another user comes and goes: it must still find the parent counted.
            assert visitor().leave() == 0
            assert answers(admin(server))

    def test_a_forked_child_that_lives_on_holds_nothing_back(self, folder: Path, visitor: Send) -> None:
        server = EmbeddedServer(folder, fast=True).start()
        url = admin(server)
        child = os.fork()
        if child == 0:
            time.sleep(120)
            os._exit(0)
        try:
            server.release()
            assert not answers(url)
            assert answers(visitor().admin_url())
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)

    def test_addresses_are_given_only_while_it_is_started(self, folder: Path) -> None:
        with pytest.raises(SetupError, match="call start"):
            _ = EmbeddedServer(folder).urls


@pytest.mark.prove
class TestAfterACrash:
    def test_a_killed_server_starts_again_with_its_data(self, folder: Path) -> None:
        first = EmbeddedServer(folder).start()
        put_note(first)
        url, process = admin(first), process_of(first)
        os.kill(process, signal.SIGKILL)
        with EmbeddedServer(folder) as second:
            assert process_of(second) != process
            assert note(second) == "kept"
            assert admin(second) == url
            first.release()
            assert answers(url)

    def test_sessions_of_a_killed_server_that_still_compute_are_waited_for(self, folder: Path) -> None:
        """They notice its death when they are done, and no server starts beside them: not even three times in a row."""
        first = EmbeddedServer(folder).start()
        put_note(first)
        url, process = admin(first), process_of(first)
        with computing(url):
            os.kill(process, signal.SIGKILL)
            with EmbeddedServer(folder) as second:
                assert note(second) == "kept"
                assert admin(second) == url
            first.release()

    def test_a_killed_server_is_kept_up_where_it_was_or_refused(self, folder: Path) -> None:
        """Elsewhere it would be found by nobody who has its address; and what nobody finds nobody may write to."""
        with EmbeddedServer(folder) as server:
            url, process = admin(server), process_of(server)
            put_note(server)
            server.keep_up()
            assert process_of(server) == process
            os.kill(process, signal.SIGKILL)
            server.keep_up()
            assert (admin(server), note(server)) == (url, "kept")
            os.kill(process_of(server), signal.SIGKILL)
            with taken(int(parts(url)["port"])), pytest.raises(SetupError, match="took port"):
                server.keep_up()

    def test_a_number_left_behind_that_is_another_programs_now_does_not_stop_the_start(self, folder: Path) -> None:
        with EmbeddedServer(folder, fast=True) as server:
            put_note(server)
            data = data_of(server)
            left_behind = (data / "postmaster.pid").read_text().splitlines()
        with process_of_the_servers_user() as stranger:
            (data / "postmaster.pid").write_text("\n".join([str(stranger), *left_behind[1:]]) + "\n")
            with EmbeddedServer(folder, fast=True) as server:
                assert note(server) == "kept"
            os.kill(stranger, 0)

    @pytest.mark.parametrize("text", ["", "rubbish\n", "4194304\n"])
    def test_a_broken_or_dead_process_file_does_not_stop_the_start(self, folder: Path, text: str) -> None:
        with EmbeddedServer(folder, fast=True) as server:
            put_note(server)
            data = data_of(server)
        (data / "postmaster.pid").write_text(text)
        with EmbeddedServer(folder, fast=True) as server:
            assert note(server) == "kept"

    def test_a_start_that_fails_shows_the_end_of_the_log_and_counts_nobody(self, folder: Path) -> None:
        with EmbeddedServer(folder, fast=True) as server:
            settings = data_of(server) / "postgresql.auto.conf"
        settings.write_text("no_such_setting = 1\n")
        with pytest.raises(SetupError, match="no_such_setting"):
            EmbeddedServer(folder, fast=True).start()
        settings.write_text("")
        with EmbeddedServer(folder, fast=True) as server:
            url = admin(server)
        assert not answers(url)


class TestFolder:
    def test_a_port_taken_meanwhile_is_replaced_by_a_free_one(self, folder: Path) -> None:
        with EmbeddedServer(folder, fast=True) as server:
            port = int(parts(admin(server))["port"])
        with socket.socket() as squatter:
            squatter.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            squatter.bind(("127.0.0.1", port))
            squatter.listen()
            with EmbeddedServer(folder, fast=True) as server:
                assert int(parts(admin(server))["port"]) != port
                assert answers(admin(server))

    def test_the_next_start_has_the_same_addresses(self, folder: Path) -> None:
        with EmbeddedServer(folder, fast=True) as server:
            before = server.urls
        with EmbeddedServer(folder, fast=True) as server:
            assert server.urls == before

    def test_a_new_folder_begins_anew_and_old_data_are_kept_aside(self, folder: Path) -> None:
        with EmbeddedServer(folder, fast=True) as server:
            put_note(server)
            home = data_of(server).parent
        (folder / "passwords").unlink()
        with EmbeddedServer(folder, fast=True) as server:
            assert ask(admin(server), "SELECT to_regclass('note')") == "None"
        (aside,) = home.glob("data-*")
        assert (aside / "PG_VERSION").exists()
        shutil.rmtree(aside)

    def test_secrets_are_readable_to_their_owner_alone(self, server: EmbeddedServer) -> None:
        assert (server.folder / "passwords").stat().st_mode & 0o777 == 0o600
        assert parts(admin(server))["password"] not in repr(server.urls)

    def test_erasing_leaves_no_data(self, folder: Path) -> None:
        server = EmbeddedServer(folder, fast=True).start()
        data = data_of(server)
        server.release(erase=True)
        assert not data.exists()
        assert sorted(path.name for path in folder.iterdir()) == ["turn.lock", "users.lock"]

    def test_the_folder_of_another_user_is_refused(self, tmp_path: Path) -> None:
        if os.geteuid() == 0:
            (tmp_path / "data").mkdir()
            with pytest.raises(SetupError, match="not as root"):
                EmbeddedServer(tmp_path).start()
        else:
            tmp_path.chmod(0o500)
            with pytest.raises(SetupError, match="another user"):
                EmbeddedServer(tmp_path / "postgres").start()


class TestServer:
    def test_case_of_cyrillic_letters_is_known(self, server: EmbeddedServer) -> None:
        assert ask(admin(server), "SELECT lower('ЁЛКА Ў') || upper('щука і')") == "ёлка ўЩУКА І"

    @pytest.mark.parametrize(
        ("setting", "value"),
        [
            ("TimeZone", "UTC"),
            ("log_timezone", "UTC"),
            ("listen_addresses", "127.0.0.1"),
            ("unix_socket_directories", ""),
            ("max_connections", "200"),
            ("server_encoding", "UTF8"),
            ("fsync", "off"),
        ],
    )
    def test_settings(self, server: EmbeddedServer, setting: str, value: str) -> None:
        assert ask(admin(server), f'SHOW "{setting}"') == value

    def test_data_are_safe_unless_speed_was_asked_for(self, folder: Path) -> None:
        with EmbeddedServer(folder) as server:
            for setting in ("fsync", "synchronous_commit", "full_page_writes"):
                assert ask(admin(server), f"SHOW {setting}") == "on"

    def test_nobody_enters_without_the_password(self, server: EmbeddedServer) -> None:
        said = parts(admin(server))
        with pytest.raises(psycopg.OperationalError, match="password"):
            psycopg.connect(**{**said, "password": "guess"})

    def test_root_does_not_run_it(self, server: EmbeddedServer) -> None:
        assert (data_of(server) / "postmaster.pid").stat().st_uid != 0
        assert Path(f"/proc/{process_of(server)}").stat().st_uid != 0
