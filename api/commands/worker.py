"""The task worker by command: any number of them on any number of machines."""

from __future__ import annotations

import asyncio
import logging

import click
import structlog
from flask.cli import with_appcontext
from procrastinate.exceptions import ConnectorException
from procrastinate.signals import on_stop
from psycopg import OperationalError

from api.commands.database import refuse_wrong_database
from api.commands.processes import end_on_signals
from api.house import House, house
from api.surroundings import refuse_incomplete, warn_of_misspelled
from api.tasks import task_app
from db.errors import SetupError

log = structlog.get_logger()
PATIENCE = 20.0
PAUSE = 1.0
READY = "task_worker_ready"
HANDS = 3
"""Jobs at once: while one audits for minutes and one waits for a receiver, a pool is still closed in time."""


@click.command()
@with_appcontext
def worker() -> None:
    """Do the scheduled work until SIGTERM or Ctrl-C: close due pools, seal, send alarms, requeue what a crash left."""
    end_on_signals()
    here = house()
    try:
        refuse_incomplete()
        refuse_wrong_database(here)
        channels = sorted(here.alarm_channels)
    except SetupError as error:
        raise click.ClickException(str(error)) from error
    warn_of_misspelled()
    logging.getLogger("procrastinate").setLevel(logging.INFO)
    log.info(READY, alarms_go_out_through=channels)
    asyncio.run(_work_until_told(here))


async def _work_until_told(here: House) -> None:
    """Work until SIGTERM or Ctrl-C, beginning anew whenever the database was lost.

    The queue ends its worker in good order when the connection it listens on breaks, as if it had been told to; whoever
    watches this process would end the whole house for it, or take it for a worker that is no longer wanted.
    """
    told = asyncio.Event()
    with on_stop(told.set):
        while not told.is_set():
            working, telling = asyncio.create_task(_work(here)), asyncio.create_task(told.wait())
            await asyncio.wait((working, telling), return_when=asyncio.FIRST_COMPLETED)
            telling.cancel()
            working.cancel()
            try:
                await working
            except asyncio.CancelledError:
                return
            except (ConnectorException, OperationalError) as error:
                log.warning("task_worker_without_database", error=type(error).__name__)
            if not told.is_set():
                log.warning("task_worker_begins_anew")
                await asyncio.sleep(PAUSE)


async def _work(here: House) -> None:
    """Do jobs until this is cancelled; returns or raises when the database is lost."""
    app = task_app(here)
    async with app.open_async():
        await app.run_worker_async(
            concurrency=HANDS,
            delete_jobs="successful",
            shutdown_graceful_timeout=PATIENCE,
            install_signal_handlers=False,
        )
