"""The database by command: made, migrated, and refused when it is not what the application needs."""

from __future__ import annotations

from contextlib import ExitStack

import click
from flask.cli import with_appcontext

from api.house import House, house
from api.watch.readiness import WRONGS, wrong_with
from db.bootstrap import bootstrap
from db.errors import SetupError
from migrations.upgrade import upgrade


@click.command()
@with_appcontext
def migrate() -> None:
    """Make roles and database where an administrator's address is known, then bring the schema to the newest."""
    prepare(house())
    click.echo("Схема базы данных обновлена.")


def prepare(here: House) -> None:
    """Bootstrap and migrate; safe to repeat, and one machine at a time.

    Raises:
        SetupError: the owner's address is not there, or what `bootstrap` refuses.
    """
    owner = here.urls.of_owner()
    if here.urls.admin is not None:
        bootstrap(here.urls)
    upgrade(owner)


def refuse_wrong_database(here: House) -> None:
    """Let no worker start on a database it must not serve.

    Raises:
        SetupError: the schema stands at another revision; in production, the trade's clock was ever shifted; the pooler
            leads to another database.
    """
    ways = (here.engine,) if here.urls.pooled is None else (here.engine, here.probe)
    with ExitStack() as looking:
        wrong = wrong_with(*(looking.enter_context(way.connect()) for way in ways))
    here.engine.dispose()
    if wrong is not None:
        raise SetupError(WRONGS[wrong].on_screen)
