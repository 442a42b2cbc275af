"""Which database this installation works on: the one the environment names, or an embedded one."""

import atexit
import os
from functools import partial
from pathlib import Path

from db.embedded import EmbeddedServer
from db.environment import in_production, refuse_all_wrong
from db.errors import SetupError
from db.urls import DatabaseUrls, parts

APP = "DATABASE_URL"
OWNER = "DATABASE_OWNER_URL"
ADMIN = "DATABASE_ADMIN_URL"
POOLED = "DATABASE_POOLED_URL"
ADDRESSES = (APP, OWNER, ADMIN, POOLED)
HOW = "as postgresql://user:password@host:port/name"

_held: dict[Path, EmbeddedServer] = {}


def database_urls(root: Path) -> DatabaseUrls:
    """The addresses of the application's database.

    Those of the environment; if it names none, the server in `root/var/postgres` is started, or joined, and kept for
    the life of this process. SetupError if they are malformed, without the application's, or absent under
    APP_ENV=production.
    """
    return urls_of_environment() or _of_embedded(root.resolve() / "var" / "postgres")


def urls_of_environment() -> DatabaseUrls | None:
    """The addresses the environment names, none if it leaves them to the embedded server; nothing is started.

    Raises:
        SetupError: as `database_urls`.
    """
    given = {name: os.environ[name] for name in ADDRESSES if os.environ.get(name)}
    refuse_all_wrong(partial(_check, name, url) for name, url in given.items())
    if APP in given:
        return DatabaseUrls(app=given[APP], owner=given.get(OWNER), admin=given.get(ADMIN), pooled=given.get(POOLED))
    if given:
        raise SetupError(f"Set {APP} too, {HOW}: without it {' and '.join(given)} cannot be used.")
    if in_production():
        raise SetupError(
            f"Set {APP} (the application's role) {HOW}: under APP_ENV=production no embedded server is started."
        )
    return None


def _check(name: str, url: str) -> None:
    try:
        parts(url)
    except SetupError as error:
        raise SetupError(f"{name}: {error}") from None


def keep_embedded_up() -> None:
    """Start the embedded server that this process holds, if there is one and it was killed. SetupError if it fails."""
    for server in _held.values():
        server.keep_up()


def _of_embedded(folder: Path) -> DatabaseUrls:
    if folder not in _held:
        server = EmbeddedServer(folder).start()
        atexit.register(server.release)
        _held[folder] = server
    return _held[folder].urls
