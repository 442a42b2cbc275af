"""Databases of the tests' own: made in a moment, empty or as copies of a template, and dropped."""

import secrets

import psycopg
from psycopg import sql

from db.bootstrap import bootstrap
from db.embedded import EmbeddedServer
from db.urls import DatabaseUrls, conninfo, parts


def create_database(server: EmbeddedServer, template: str | None = None) -> DatabaseUrls:
    """A bootstrapped database of a name not used before; with `template` it holds what that database holds.

    Nobody may be connected to the template. Roles belong to the whole server and are shared by its databases.
    """
    urls = server.urls_of(f"test_{secrets.token_hex(6)}")
    if template is not None:
        names = (parts(urls.app)["dbname"], template)
        _as_admin(urls, "CREATE DATABASE {} TEMPLATE {}", *names)
    # Rights on a database are not copied with it, so a copy is bootstrapped as well.
    bootstrap(urls)
    return urls


def drop_database(urls: DatabaseUrls) -> None:
    """Drop the database, sessions that a test left open included."""
    _as_admin(urls, "DROP DATABASE {} WITH (FORCE)", parts(urls.app)["dbname"])


def _as_admin(urls: DatabaseUrls, statement: str, *names: str) -> None:
    assert urls.admin is not None
    with psycopg.connect(conninfo(urls.admin), autocommit=True) as connection:
        connection.execute(sql.SQL(statement).format(*(sql.Identifier(name) for name in names)))
