"""Databases of the tests' own: made in a moment, empty or as copies of a template, and dropped."""

import os
import secrets
import shutil
from pathlib import Path

import psycopg
from psycopg import sql

from db.bootstrap import bootstrap
from db.embedded import EmbeddedServer
from db.urls import DatabaseUrls, conninfo, parts

MEMORY = Path("/dev/shm")
ENOUGH = 2**31


def homes_in_memory() -> str:
    """A folder of the machine's memory for servers of test runs, or nothing where there is too little of it.

    A test's database is a thousand files made and deleted, most of a run's time on a disk.
    """
    roomy = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free >= ENOUGH
    return str(MEMORY / f"totalizator-{os.geteuid()}") if roomy else ""


def create_database(server: EmbeddedServer, template: str | None = None) -> DatabaseUrls:
    """A bootstrapped database of a name not used before; with `template` it holds what that database holds.

    Nobody may be connected to the template. Roles belong to the whole server and are shared by its databases.
    """
    urls = server.urls_of(f"test_{secrets.token_hex(6)}")
    if template is not None:
        names = (parts(urls.app)["dbname"], template)
        _as_admin(urls, "CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy", *names)
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
