"""Databases of the tests' own: made in a moment, empty or as copies of a template, and dropped."""

import os
import secrets
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from db.bootstrap import bootstrap, grant_database
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


def create_database(server: EmbeddedServer) -> DatabaseUrls:
    """An empty bootstrapped database, of a name not used before."""
    urls = server.urls_of(f"test_{secrets.token_hex(6)}")
    bootstrap(urls)
    return urls


def copy_database(server: EmbeddedServer, template: str, name: str | None = None) -> DatabaseUrls:
    """A database that holds what the template holds, to which nobody may be connected; of a new name unless told.

    Roles belong to the whole server and are shared by its databases.
    """
    urls = server.urls_of(name or f"test_{secrets.token_hex(6)}")
    database, app, owner = (
        str(parts(urls.app)["dbname"]),
        *(str(parts(url)["user"]) for url in (urls.app, urls.owner)),
    )
    _as_admin(urls, "CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy", database, template)
    grant_database(_admin(urls), database, app, owner)
    return urls


def drop_database(urls: DatabaseUrls) -> None:
    """Drop the database, sessions that a test left open included."""
    _as_admin(urls, "DROP DATABASE {} WITH (FORCE)", str(parts(urls.app)["dbname"]))


def _as_admin(urls: DatabaseUrls, statement: str, *names: str) -> None:
    _admin(urls).execute(sql.SQL(statement).format(*(sql.Identifier(name) for name in names)))


@cache
def _admin_at(address: str) -> psycopg.Connection[Any]:
    """One connection for all databases that a worker makes and drops."""
    return psycopg.connect(address, autocommit=True)


def _admin(urls: DatabaseUrls) -> psycopg.Connection[Any]:
    assert urls.admin is not None
    return _admin_at(conninfo(urls.admin))
