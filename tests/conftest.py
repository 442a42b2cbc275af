"""What all tests share: one PostgreSQL server for the run, whatever the number of workers."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from db.embedded import EmbeddedServer
from db.secret_files import made_once
from db.urls import DatabaseUrls, parts
from migrations.upgrade import upgrade
from tests.databases import copy_database, create_database, drop_database, homes_in_memory
from tests.office import Office


@pytest.fixture(scope="session")
def folder_of_run(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A folder that the workers of this run share and no other run does."""
    base = tmp_path_factory.getbasetemp()
    return base if worker_id == "master" else base.parent


@pytest.fixture(scope="session")
def server(folder_of_run: Path) -> Iterator[EmbeddedServer]:
    """The run's server: the first worker starts it, the last one stops and erases it."""
    homes = made_once(folder_of_run / "homes", homes_in_memory)
    started = EmbeddedServer(folder_of_run / "postgres", fast=True, homes=Path(homes) if homes else None).start()
    try:
        yield started
    finally:
        started.release(erase=True)


@pytest.fixture
def fresh_database(server: EmbeddedServer) -> Iterator[DatabaseUrls]:
    """An empty bootstrapped database, dropped after the test."""
    urls = create_database(server)
    try:
        yield urls
    finally:
        drop_database(urls)


@pytest.fixture(scope="session")
def migrated_template(server: EmbeddedServer) -> str:
    """The name of a migrated database that others are copied from; each worker makes its own."""
    urls = create_database(server)
    upgrade(urls.owner)
    return str(parts(urls.app)["dbname"])


@pytest.fixture
def database(server: EmbeddedServer, migrated_template: str) -> Iterator[DatabaseUrls]:
    """A migrated database of the test's own, dropped after it; the next test finds its own at the same address."""
    urls = copy_database(server, migrated_template, f"{migrated_template}_copy")
    try:
        yield urls
    finally:
        drop_database(urls)


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """Hash passwords at the least cost: tests sign in a thousand times, and nobody steals their database."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("office.passwords._hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        yield


@pytest.fixture
def office(database: DatabaseUrls) -> Iterator[Office]:
    """A working house on a database of its own: its logins, desk and clock are at hand.

    Whatever a test did in it, at the end its books are right, and every answer was one the API's description tells.
    """
    opened = Office(database)
    try:
        yield opened
        assert opened.wrongs() == []
        assert opened.contract.breaches == set()
    finally:
        opened.close()
