"""The addresses of one database, a role each, and the forms in which others want them."""

from dataclasses import dataclass, field
from typing import Any

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import Conninfo
from sqlalchemy import URL

from db.errors import SetupError

SCHEMES = ("postgresql://", "postgres://")
DRIVER = "postgresql+psycopg"
# libpq's own list: whatever an address may say and a variable can tell, a program is told.
LIBPQ_VARIABLES = {
    option.keyword.decode(): option.envvar.decode() for option in Conninfo.get_defaults() if option.envvar
}


@dataclass(frozen=True)
class DatabaseUrls:
    """One database as seen by its three roles: `app` works, `owner` migrates, `admin` makes roles and database.

    Each is `postgresql://user:password@host:port/name`; several servers, of which one takes writes, are
    `…@one:port,other:port/name?target_session_attrs=read-write`. They carry passwords, so they are never shown.
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
    """What an address says: user, password, host, port, dbname. SetupError if it is not one of PostgreSQL's.

    Of several servers `host` and `port` are lists by commas, in the order of the address.
    """
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
    _refuse_any_of_several(said)
    return said


def _refuse_any_of_several(said: dict[str, Any]) -> None:
    """Without being told to ask for the one that takes writes, libpq stays with the first server that answers."""
    if "," in str(said.get("host", "")) and said.get("target_session_attrs") not in ("read-write", "primary"):
        raise SetupError("A database address that names several servers must end with target_session_attrs=read-write.")


def conninfo(url: str, dbname: str | None = None) -> str:
    """The address for psycopg, at another database of the same server if one is named."""
    return make_conninfo(**{**parts(url), **({"dbname": dbname} if dbname else {})})


def sqlalchemy_url(url: str) -> str:
    """The address with psycopg 3 named as its driver, as SQLAlchemy wants it.

    SQLAlchemy reads one server from where libpq lists several; those it wants among the parameters.
    """
    said = parts(url)
    if "," not in str(said.get("host", "")):
        return f"{DRIVER}://" + url.split("://", 1)[1]
    names = {"username": said.pop("user"), "password": said.pop("password", None), "database": said.pop("dbname")}
    return URL.create(DRIVER, **names, query=said).render_as_string(hide_password=False)


def libpq_environment(url: str) -> dict[str, str]:
    """The address as variables for pg_dump and psql: a password among the arguments is seen by every user."""
    said = parts(url)
    return {variable: str(said[name]) for name, variable in LIBPQ_VARIABLES.items() if said.get(name)}
