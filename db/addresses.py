"""Which database this installation works on: the one the environment names, or an embedded one."""

import atexit
import os
from pathlib import Path

from db.embedded import EmbeddedServer
from db.environment import in_production
from db.errors import SetupError
from db.urls import DatabaseUrls, parts

NEEDED = ("DATABASE_URL", "DATABASE_OWNER_URL")
ADMIN = "DATABASE_ADMIN_URL"
HOW = "as postgresql://user:password@host:port/name"

_held: dict[Path, EmbeddedServer] = {}


def database_urls(root: Path) -> DatabaseUrls:
    """The addresses of the application's database.

    Those of the environment; if it names none, the server in `root/var/postgres` is started, or joined, and kept for
    the life of this process. SetupError if they are malformed, half set, or absent under APP_ENV=production.
    """
    given = {name: os.environ[name] for name in (*NEEDED, ADMIN) if os.environ.get(name)}
    if given:
        return _of_environment(given)
    if in_production():
        raise SetupError(
            f"Set DATABASE_URL (the application's role) and DATABASE_OWNER_URL (the role that migrates) {HOW}: "
            "under APP_ENV=production no embedded server is started."
        )
    return _of_embedded(root.resolve() / "var" / "postgres")


def keep_embedded_up() -> None:
    """Start the embedded server that this process holds, if there is one and it was killed. SetupError if it fails."""
    for server in _held.values():
        server.keep_up()


def _of_environment(given: dict[str, str]) -> DatabaseUrls:
    missing = [name for name in NEEDED if name not in given]
    if missing:
        raise SetupError(
            f"{' and '.join(given)} is set alone: set {' and '.join(missing)} too, {HOW}, or none of them."
        )
    for name, url in given.items():
        try:
            parts(url)
        except SetupError as error:
            raise SetupError(f"{name}: {error}") from None
    return DatabaseUrls(app=given["DATABASE_URL"], owner=given["DATABASE_OWNER_URL"], admin=given.get(ADMIN))


def _of_embedded(folder: Path) -> DatabaseUrls:
    if folder not in _held:
        server = EmbeddedServer(folder).start()
        atexit.register(server.release)
        _held[folder] = server
    return _held[folder].urls
