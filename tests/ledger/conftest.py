"""Databases with the whole schema, and the application's and the owner's way into each."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from sqlalchemy import Engine, create_engine

from db.embedded import EmbeddedServer
from db.session import Sessions, sessions_on
from db.urls import DatabaseUrls, sqlalchemy_url
from tests.databases import copy_database, drop_database


@dataclass(frozen=True)
class House:
    """A migrated database: the application's and the owner's way in."""

    urls: DatabaseUrls
    app: Engine
    owner: Engine

    @property
    def sessions(self) -> Sessions:
        return sessions_on(self.app)


@pytest.fixture
def house(server: EmbeddedServer, migrated_template: str) -> Iterator[House]:
    yield from opened(server, migrated_template)


@pytest.fixture(scope="module")
def shared_house(server: EmbeddedServer, migrated_template: str) -> Iterator[House]:
    """For tests that roll back all they do."""
    yield from opened(server, migrated_template)


def opened(server: EmbeddedServer, template: str) -> Iterator[House]:
    urls = copy_database(server, template)
    made = House(urls, create_engine(sqlalchemy_url(urls.app)), create_engine(sqlalchemy_url(urls.owner)))
    try:
        yield made
    finally:
        made.app.dispose()
        made.owner.dispose()
        drop_database(urls)
