"""The database and its roles, made by the administrator once and checked on every later run."""

from typing import Any

import psycopg
from psycopg import sql
from psycopg.rows import scalar_row

from db.errors import SetupError
from db.urls import DatabaseUrls, conninfo, parts

# The rights of tables are granted to this group, so that migrations need not know the login's name.
GROUP = "totalizator_application"
# Any number will do; the same one on every machine.
LOCK = 0x746F7465
EXTENSION = "btree_gist"
IDLE_LIMIT = "60s"
LOCALE = ("UTF8", "b", "C.UTF-8")
# Older ones do not know the builtin locale. As `server_version_num` tells it.
OLDEST = 170000

Connection = psycopg.Connection[str]


def bootstrap(urls: DatabaseUrls) -> None:
    """Make the two login roles, their group, the database, its schema and extension; harmless to repeat.

    `urls.owner` owns the database and migrates, `urls.app` only gets what migrations grant to the group. Neither may
    make roles or databases. Works with an administrator who is no superuser but may create both. SetupError if
    there is no address of admin or owner, if the roles are not three, if the server is too old, or if a database of the
    name has another encoding or locale.
    """
    if urls.admin is None:
        raise SetupError("Set DATABASE_ADMIN_URL to the address of a role that may create roles and databases.")
    app, owner = _checked(urls)
    database = str(parts(urls.of_owner())["dbname"])
    with _connected(urls.admin) as server:
        refuse_old(server.info.server_version)
        server.execute("SELECT pg_advisory_lock(%s)", (LOCK,))
        _make_group(server)
        _make_login(server, owner, parts(urls.of_owner()).get("password"))
        _make_login(server, app, parts(urls.app).get("password"))
        _join(server, app, owner)
        _make_database(server, database, owner)
        grant_database(server, database, app, owner)
        with _connected(urls.admin, database) as inside:
            _lay_ground(inside, owner)


def grant_database(server: psycopg.Connection[Any], database: str, app: str, owner: str) -> None:
    """Rights on the database itself, which are the only ones that a copy made of a template lacks."""
    names = {"database": database, "app": app, "owner": owner}
    _run(server, "ALTER DATABASE {database} OWNER TO {owner}", database=database, owner=owner)
    _run(server, "REVOKE ALL ON DATABASE {database} FROM PUBLIC", database=database)
    _run(server, "GRANT CONNECT, TEMPORARY ON DATABASE {database} TO {app}, {owner}", **names)


def refuse_old(version: int) -> None:
    """Refuse a server that lacks what a database of ours is made with, before anything is made on it.

    Raises:
        SetupError: the version, such as 150018 for 15.18, is below 17.
    """
    if version < OLDEST:
        older, minor = divmod(version, 10000)
        raise SetupError(f"PostgreSQL {OLDEST // 10000} or newer is needed, this server is {older}.{minor}.")


def _checked(urls: DatabaseUrls) -> tuple[str, str]:
    if parts(urls.app)["dbname"] != parts(urls.of_owner())["dbname"]:
        raise SetupError("DATABASE_URL and DATABASE_OWNER_URL name two databases: they must name one.")
    app, owner, admin = (str(parts(url or "")["user"]) for url in (urls.app, urls.of_owner(), urls.admin))
    if len({app, owner, admin, GROUP}) < 4:
        raise SetupError(f"Application, owner and administrator must be three roles, none of them {GROUP}.")
    return app, owner


def _connected(url: str, dbname: str | None = None) -> Connection:
    try:
        return psycopg.connect(conninfo(url, dbname), autocommit=True, row_factory=scalar_row)
    except psycopg.OperationalError as error:
        raise SetupError(f"The administrator cannot connect, check DATABASE_ADMIN_URL: {error}") from error


def _run(connection: psycopg.Connection[Any], statement: str, **names: str) -> None:
    """Run one statement with names quoted as identifiers."""
    quoted = {name: sql.Identifier(value) for name, value in names.items()}
    connection.execute(sql.SQL(statement).format(**quoted))


def _exists(connection: Connection, question: str, *values: str) -> bool:
    return connection.execute(question, values).fetchone() is not None


def _make_group(server: Connection) -> None:
    if not _exists(server, "SELECT 1 FROM pg_roles WHERE rolname = %s", GROUP):
        _run(server, "CREATE ROLE {group} NOLOGIN", group=GROUP)


def _make_login(server: Connection, role: str, password: str | None) -> None:
    if not _exists(server, "SELECT 1 FROM pg_roles WHERE rolname = %s", role):
        _run(server, "CREATE ROLE {role}", role=role)
    _run(server, "ALTER ROLE {role} LOGIN", role=role)
    too_mighty = "rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls"
    if _exists(server, f"SELECT 1 FROM pg_roles WHERE rolname = %s AND ({too_mighty})", role):
        _run(server, "ALTER ROLE {role} NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS", role=role)
    if password:
        # Hashed here, so that the server's log and its list of statements never hold it.
        verifier = server.pgconn.encrypt_password(password.encode(), role.encode(), b"scram-sha-256").decode()
        server.execute(
            sql.SQL("ALTER ROLE {} PASSWORD {}").format(sql.Identifier(role), sql.Literal(verifier)),
        )


def _join(server: Connection, app: str, owner: str) -> None:
    _run(server, "GRANT {group} TO {app}", group=GROUP, app=app)
    # A request that hangs inside a transaction would hold its gates for ever.
    _run(server, f"ALTER ROLE {{app}} SET idle_in_transaction_session_timeout = '{IDLE_LIMIT}'", app=app)
    if not _exists(server, "SELECT 1 FROM pg_roles WHERE rolname = current_user AND rolsuper"):
        # Only a superuser may give away without being a member what the owner is to own.
        _run(server, "GRANT {owner} TO CURRENT_USER", owner=owner)


def _make_database(server: Connection, database: str, owner: str) -> None:
    if not _exists(server, "SELECT 1 FROM pg_database WHERE datname = %s", database):
        _run(
            server,
            "CREATE DATABASE {database} OWNER {owner} ENCODING UTF8 LOCALE_PROVIDER builtin "
            "BUILTIN_LOCALE 'C.UTF-8' TEMPLATE template0",
            database=database,
            owner=owner,
        )
    question = (
        "SELECT 1 FROM pg_database WHERE datname = %s "
        "AND (pg_encoding_to_char(encoding), datlocprovider::text, datlocale) = (%s, %s, %s)"
    )
    if not _exists(server, question, database, *LOCALE):
        raise SetupError(
            f"The database {database} was made with another encoding or locale than UTF8 and the builtin C.UTF-8: "
            "drop it if it is empty, or name another database."
        )


def _lay_ground(inside: Connection, owner: str) -> None:
    _run(inside, "ALTER SCHEMA public OWNER TO {owner}", owner=owner)
    _run(inside, "REVOKE ALL ON SCHEMA public FROM PUBLIC")
    _run(inside, "GRANT USAGE ON SCHEMA public TO {group}", group=GROUP)
    _run(inside, "CREATE EXTENSION IF NOT EXISTS {extension}", extension=EXTENSION)
