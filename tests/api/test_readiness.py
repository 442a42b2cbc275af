"""Alive and ready: what a balancer and a supervisor ask, without a token and whatever state the database is in."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import event
from werkzeug.test import TestResponse

from api.application import create_app
from api.commands.database import refuse_wrong_database
from db.embedded import EmbeddedServer
from db.engines import PROBE_PATIENCE
from db.errors import SetupError
from db.urls import DatabaseUrls, conninfo, parts
from migrations.upgrade import downgrade, upgrade
from tests.api.served import house_on
from tests.databases import copy_database, drop_database
from tests.office import Office

SLOW = 6.0
"""Seconds that a busy machine may take for two answers, beside the wait for the database."""


@pytest.fixture(autouse=True)
def looking_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every question is looked into; that an answer is kept for a second has a test of its own."""
    monkeypatch.setattr("api.watch.readiness.KEPT", 0.0)


@contextmanager
def address_of(listening: bool) -> Iterator[DatabaseUrls]:
    """A database's address where nobody answers: the port refuses, or takes connections and says nothing."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        if listening:
            held.listen()
        url = f"postgresql://nobody:hidden-word@127.0.0.1:{held.getsockname()[1]}/none"
        yield DatabaseUrls(url, url)


def assert_not_ready(answer: TestResponse, code: str) -> None:
    """A problem document that says come again, and names nothing of the database."""
    assert (answer.status_code, answer.json["code"]) == (503, code)
    assert answer.content_type == "application/problem+json"
    assert answer.headers["Retry-After"] == "1"
    assert not [word for word in ("hidden-word", "127.0.0.1", "psycopg", "SELECT") if word in answer.text]


def test_a_house_in_order_is_ready(office: Office) -> None:
    answer = office.client.get("/readyz")
    assert (answer.status_code, answer.json) == (200, {"status": "ready"})


def test_a_database_that_takes_no_writes_is_not_ready(office: Office) -> None:
    app = parts(office.urls.app)
    with psycopg.connect(conninfo(office.urls.admin or ""), autocommit=True) as admin:
        told = sql.SQL("ALTER ROLE {} IN DATABASE {}").format(*map(sql.Identifier, (app["user"], app["dbname"])))
        admin.execute(told + sql.SQL(" SET default_transaction_read_only = on"))
        try:
            assert_not_ready(office.client.get("/readyz"), "database_read_only")
        finally:
            admin.execute(told + sql.SQL(" RESET default_transaction_read_only"))
    assert office.client.get("/readyz").status_code == 200


def test_a_database_whose_commits_wait_for_a_standby_is_not_ready(office: Office, monkeypatch: Any) -> None:
    """The tests' server waits for nobody; one session of the house does, and the standby it waits for is none."""
    monkeypatch.setattr("api.watch.readiness.HELD_UP", 0.2)
    with psycopg.connect(conninfo(office.urls.admin or ""), autocommit=True) as admin, ThreadPoolExecutor(1) as thread:
        admin.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
        admin.execute("SELECT pg_reload_conf()")
        try:
            told = thread.submit(_let_commits_wait, office)
            until(lambda: office.client.get("/readyz").status_code == 503)
            assert_not_ready(office.client.get("/readyz"), "database_read_only")
            assert not told.done()
        finally:
            admin.execute("ALTER SYSTEM RESET synchronous_standby_names")
            admin.execute("SELECT pg_reload_conf()")
        told.result(timeout=10)
    assert office.client.get("/readyz").status_code == 200


def _let_commits_wait(office: Office) -> None:
    """Commit until a commit waits: the server learns a moment later that it is to wait."""
    with psycopg.connect(conninfo(office.urls.app)) as connection:
        connection.execute("SET synchronous_commit = on")
        connection.commit()
        patient_until = time.monotonic() + SLOW
        began = time.monotonic()
        while time.monotonic() - began < 0.2 and time.monotonic() < patient_until:
            began = time.monotonic()
            connection.execute("SELECT pg_logical_emit_message(true, 'test', 'a commit that writes')")
            connection.commit()


def until(holds: Callable[[], bool]) -> None:
    """Return when something holds that is bound to."""
    patient_until = time.monotonic() + SLOW
    while not holds():
        assert time.monotonic() < patient_until, "never seen"
        time.sleep(0.05)


@pytest.mark.parametrize("listening", [False, True])
def test_without_a_server_it_is_alive_but_not_ready_and_says_so_soon(tmp_path: Path, listening: bool) -> None:
    with address_of(listening) as urls:
        client = create_app(house_on(urls, tmp_path)).test_client()
        began = time.monotonic()
        alive, ready = client.get("/healthz"), client.get("/readyz")
        waited = time.monotonic() - began
    assert (alive.status_code, alive.json) == (200, {"status": "alive"})
    assert_not_ready(ready, "database_unavailable")
    assert waited < PROBE_PATIENCE + SLOW


def test_at_another_revision_it_is_not_ready_until_it_is_migrated(database: DatabaseUrls, tmp_path: Path) -> None:
    here = house_on(database, tmp_path)
    client = create_app(here).test_client()
    downgrade(database.owner, "-1")
    assert_not_ready(client.get("/readyz"), "wrong_revision")
    with pytest.raises(SetupError, match="not at the newest revision"):
        refuse_wrong_database(here)
    upgrade(database.owner)
    assert client.get("/readyz").status_code == 200
    refuse_wrong_database(here)


def test_an_empty_database_is_not_ready(fresh_database: DatabaseUrls, tmp_path: Path) -> None:
    client = create_app(house_on(fresh_database, tmp_path)).test_client()
    assert_not_ready(client.get("/readyz"), "wrong_revision")


def test_production_is_not_ready_on_a_database_whose_clock_was_shifted(office: Office, monkeypatch: Any) -> None:
    monkeypatch.setenv("APP_ENV", "production")
    assert_not_ready(office.client.get("/readyz"), "clock_shifted")
    with pytest.raises(SetupError, match="clock of this database was shifted"):
        refuse_wrong_database(office.house)


def test_production_is_ready_on_a_database_whose_clock_tells_the_time(
    database: DatabaseUrls, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setenv("APP_ENV", "production")
    assert create_app(house_on(database, tmp_path)).test_client().get("/readyz").status_code == 200


def test_requests_must_not_go_to_another_database_than_the_rest(
    server: EmbeddedServer, migrated_template: str, database: DatabaseUrls, tmp_path: Path
) -> None:
    """Both are at the newest revision, and either alone would be served."""
    other = copy_database(server, migrated_template)
    try:
        for pooled, wrong in ((database.app, None), (other.app, "two_databases")):
            here = house_on(replace(database, pooled=pooled), tmp_path)
            answer = create_app(here).test_client().get("/readyz")
            if wrong is None:
                assert answer.status_code == 200
                refuse_wrong_database(here)
            else:
                assert_not_ready(answer, wrong)
                with pytest.raises(SetupError, match="leads to another database"):
                    refuse_wrong_database(here)
    finally:
        drop_database(other)


def test_it_neither_needs_nor_keeps_a_connection_of_the_pool(office: Office) -> None:
    assert office.client.get("/readyz").status_code == 200
    pool = office.house.engine.pool
    held = [office.house.engine.connect() for _ in range(pool.size())]
    try:
        assert office.client.get("/readyz").status_code == 200
    finally:
        for connection in held:
            connection.close()
    assert pool.checkedout() == 0


def test_whoever_asks_without_end_is_told_what_was_seen_last(office: Office, monkeypatch: Any) -> None:
    monkeypatch.setattr("api.watch.readiness.KEPT", 60.0)
    looks: list[object] = []
    event.listen(office.house.probe, "connect", lambda *connection: looks.append(connection))
    assert {office.client.get("/readyz").status_code for _ in range(20)} == {200}
    assert len(looks) == 1
