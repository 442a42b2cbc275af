"""What all tests share: one PostgreSQL server for the run, whatever the number of workers."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from db.embedded import EmbeddedServer
from db.urls import DatabaseUrls
from tests.databases import create_database, drop_database


@pytest.fixture(scope="session")
def folder_of_run(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A folder that the workers of this run share and no other run does."""
    base = tmp_path_factory.getbasetemp()
    return base if worker_id == "master" else base.parent


@pytest.fixture(scope="session")
def server(folder_of_run: Path) -> Iterator[EmbeddedServer]:
    """The run's server: the first worker starts it, the last one stops and erases it."""
    started = EmbeddedServer(folder_of_run / "postgres", fast=True).start()
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
