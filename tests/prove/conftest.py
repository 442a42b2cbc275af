"""A house served by real workers: one for each file of tests, at eight in the morning for each test."""

from collections.abc import Iterator

import pytest

from db.embedded import EmbeddedServer
from tests.databases import copy_database, drop_database
from tests.office import MATCH_DAY
from tests.prove.served import Served, house_on
from tests.prove.workers import AWAY, faults_in


@pytest.fixture(scope="module")
def house_of_file(
    server: EmbeddedServer, migrated_template: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """An office on a database of its own with four workers; nothing they met may have been unexpected."""
    log = tmp_path_factory.mktemp("workers") / "log"
    urls = copy_database(server, migrated_template)
    try:
        with house_on(urls, log) as served:
            yield served
    finally:
        drop_database(urls)
    assert faults_in(log, AWAY) == []


@pytest.fixture
def served(house_of_file: Served) -> Iterator[Served]:
    """The file's house in the morning of the match day; when the test is over its books hold."""
    house_of_file.office.clock(MATCH_DAY)
    yield house_of_file
    house_of_file.books_hold()
