"""The addresses of one database, a role each, and the forms in which others want them."""

from dataclasses import dataclass, field
from typing import Any

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from db.errors import SetupError

SCHEMES = ("postgresql://", "postgres://")
LIBPQ_VARIABLES = {
    "host": "PGHOST",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "dbname": "PGDATABASE",
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
}


@dataclass(frozen=True)
class DatabaseUrls:
    """One database as seen by its three roles: `app` works, `owner` migrates, `admin` makes roles and database.

    Each is `postgresql://user:password@host:port/name`. They carry passwords, so they are never shown.
    `owner` is only there where somebody migrates, `admin` where a bootstrap is wanted: whoever sells needs neither.
    `pooled` leads requests to the application's role through PgBouncer in transaction pooling; what a connection must
    outlast its transaction for (a lock held alone, LISTEN, a look with a limit of its own) goes by `app` all the same.
    """

    app: str = field(repr=False)
    owner: str | None = field(default=None, repr=False)
    admin: str | None = field(default=None, repr=False)
    pooled: str | None = field(default=None, repr=False)

    def of_owner(self) -> str:
        """The owner's address.

        Raises:
            SetupError: it was not given, for whoever only sells should not have it.
        """
        if self.owner is None:
            raise SetupError("Set DATABASE_OWNER_URL (the role that owns the database and migrates) for this command.")
        return self.owner

    def environment(self) -> dict[str, str]:
        """The variables that hand these addresses to a child process."""
        named = {
            "DATABASE_URL": self.app,
            "DATABASE_OWNER_URL": self.owner,
            "DATABASE_ADMIN_URL": self.admin,
            "DATABASE_POOLED_URL": self.pooled,
        }
        return {name: url for name, url in named.items() if url is not None}


def parts(url: str) -> dict[str, Any]:
    """What an address says: user, password, host, port, dbname. SetupError if it is not one of PostgreSQL's."""
    if not url.startswith(SCHEMES):
        raise SetupError("A database address must look like postgresql://user:password@host:port/name.")
    try:
        said = conninfo_to_dict(url)
    except ProgrammingError:
        # The cause may quote the address, and with it the password.
        raise SetupError("A database address cannot be read; percent-encode special characters in it.") from None
    missing = [name for name in ("user", "dbname") if not said.get(name)]
    if missing:
        raise SetupError(f"A database address must name its {' and '.join(missing)}.")
    return said


def conninfo(url: str, dbname: str | None = None) -> str:
    """The address for psycopg, at another database of the same server if one is named."""
    return make_conninfo(**{**parts(url), **({"dbname": dbname} if dbname else {})})


def sqlalchemy_url(url: str) -> str:
    """The address with psycopg 3 named as its driver, as SQLAlchemy wants it."""
    parts(url)
    return "postgresql+psycopg://" + url.split("://", 1)[1]


def libpq_environment(url: str) -> dict[str, str]:
    """The address as variables for pg_dump and psql: a password among the arguments is seen by every user."""
    said = parts(url)
    return {variable: str(said[name]) for name, variable in LIBPQ_VARIABLES.items() if said.get(name)}
