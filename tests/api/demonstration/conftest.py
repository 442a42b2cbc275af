"""Days that were played once, and a house where nothing has been played."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from db.embedded import EmbeddedServer
from db.urls import DatabaseUrls
from tests.api.demonstration.staged import Stage
from tests.api.served import house_on, served
from tests.databases import copy_database, drop_database


@pytest.fixture(scope="package")
def played(server: EmbeddedServer, migrated_template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """The days played once to their end."""
    urls = copy_database(server, migrated_template)
    here = house_on(urls, tmp_path_factory.mktemp("played"))
    try:
        with served(here) as url:
            stage = Stage(here, url, io.StringIO())
            stage.play_all()
            yield stage
    finally:
        drop_database(urls)


@pytest.fixture
def unplayed(database: DatabaseUrls, tmp_path: Path) -> Iterator[Stage]:
    """A served house on an empty database."""
    here = house_on(database, tmp_path)
    with served(here) as url:
        yield Stage(here, url, io.StringIO())
