"""The task worker by command: any number of them on any number of machines."""

from __future__ import annotations

import logging

import click
import structlog
from flask.cli import with_appcontext

from api.commands.database import refuse_wrong_database
from api.commands.processes import end_on_signals
from api.house import house
from api.surroundings import refuse_incomplete, warn_of_misspelled
from api.tasks import task_app
from db.errors import SetupError

log = structlog.get_logger()
PATIENCE = 20.0
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
    task_app(here).run_worker(concurrency=HANDS, delete_jobs="successful", shutdown_graceful_timeout=PATIENCE)
