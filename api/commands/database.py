"""The database by command: made, migrated, and refused when it is not what the application needs."""

from __future__ import annotations

import os

import click
from flask.cli import with_appcontext

from api.house import House, house
from db.bootstrap import bootstrap
from db.clock import was_shifted
from db.errors import SetupError
from db.session import transaction
from migrations.upgrade import is_current, upgrade


@click.command()
@with_appcontext
def migrate() -> None:
    """Make roles and database where an administrator's address is known, then bring the schema to the newest."""
    prepare(house())
    click.echo("Схема базы данных обновлена.")


def prepare(here: House) -> None:
    """Bootstrap and migrate; safe to repeat, and one machine at a time."""
    if here.urls.admin is not None:
        bootstrap(here.urls)
    upgrade(here.urls.owner)


def refuse_wrong_database(here: House) -> None:
    """Let no worker start on a database it must not serve.

    Raises:
        SetupError: the schema stands at another revision; or, in production, the trade's clock was ever shifted.
    """
    if not is_current(here.engine):
        raise SetupError("The schema is not at the newest revision: run `flask --app wsgi migrate` first.")
    with transaction(here.sessions) as session:
        if os.environ.get("APP_ENV") == "production" and was_shifted(session):
            raise SetupError("The clock of this database was shifted: it is a demonstration's, not production's.")
    here.engine.dispose()
