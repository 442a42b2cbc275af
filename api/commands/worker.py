"""The task worker by command: any number of them on any number of machines."""

from __future__ import annotations

import asyncio
import logging
import signal
import time
from collections.abc import Callable

import click
import structlog
from flask.cli import with_appcontext
from procrastinate import App
from procrastinate.exceptions import ConnectorException
from psycopg import OperationalError as NoServerError
from sqlalchemy.exc import OperationalError

from api.commands.database import refuse_wrong_database
from api.commands.processes import ENDINGS, end_on_signals
from api.house import House, house
from api.surroundings import refuse_incomplete, warn_of_misspelled
from api.tasks import task_app
from db.addresses import keep_embedded_up
from db.errors import SetupError

log = structlog.get_logger()
PATIENCE = 20.0
PAUSE = 1.0
READY = "task_worker_ready"
AWAY = "database_unavailable"
HANDS = 3
"""Jobs at once: while one audits for minutes and one waits for a receiver, a pool is still closed in time."""


@click.command()
@with_appcontext
def worker() -> None:
    """Do the scheduled work until SIGTERM or Ctrl-C: close due pools, seal, send alarms, requeue what a crash left."""
    here = house()
    logging.getLogger("procrastinate").setLevel(logging.INFO)
    end_on_signals()
    _refuse(refuse_incomplete)
    warn_of_misspelled()
    while not _work(here):
        log.error(AWAY)
        here.engine.dispose()
        time.sleep(PAUSE)
        # An embedded server has nobody else who would start it again.
        _refuse(keep_embedded_up)


def _refuse(what: Callable[[], None]) -> None:
    try:
        what()
    except SetupError as error:
        raise click.ClickException(str(error)) from error


def _work(here: House) -> bool:
    """Work until told to stop, which is true, or until the database is gone: then begin anew when it is there again.

    The queue gives up its worker whenever it loses the database, at times without a word: a restart of the database
    must not leave a house whose pools nobody closes. Each beginning looks at the database afresh.
    """
    try:
        refuse_wrong_database(here)
        log.info(READY, alarms_go_out_through=sorted(here.alarm_channels))
        return asyncio.run(_until_told(task_app(here)))
    except SetupError as error:
        raise click.ClickException(str(error)) from error
    except (OperationalError, ConnectorException, NoServerError):
        return False
    finally:
        # The queue's loop took the signals over, and has left them to nobody.
        end_on_signals()


async def _until_told(app: App) -> bool:
    """Work on the queue; whether it ended because this process was told to end, at whatever moment.

    To connect belongs to the work: whoever is told to end while a database says nothing must not wait for its word.
    """
    told = asyncio.Event()
    for ending in ENDINGS:
        if signal.getsignal(ending) is not signal.SIG_IGN:
            asyncio.get_running_loop().add_signal_handler(ending, told.set)
    working, stopping = asyncio.create_task(_empty(app)), asyncio.create_task(told.wait())
    await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    # Cancelled it finishes what it has in hand.
    working.cancel()
    await asyncio.gather(working, return_exceptions=told.is_set())
    return told.is_set()


async def _empty(app: App) -> None:
    """Do what is in the queue and what comes into it."""
    try:
        await app.open_async()
        await app.run_worker_async(
            concurrency=HANDS,
            delete_jobs="successful",
            shutdown_graceful_timeout=PATIENCE,
            install_signal_handlers=False,
        )
    finally:
        # Also where it was never quite open: what is left of its connections would try on and on.
        await app.close_async()
