"""The task worker by command: any number of them on any number of machines."""

from __future__ import annotations

import logging

import click
import structlog
from flask.cli import with_appcontext

from api.commands.database import refuse_wrong_database
from api.commands.processes import end_on_signals
from api.house import house
from api.tasks import task_app
from db.errors import SetupError

log = structlog.get_logger()
PATIENCE = 20.0
READY = "task_worker_ready"


@click.command()
@with_appcontext
def worker() -> None:
    """Do the scheduled work until SIGTERM or Ctrl-C: close due pools, seal, requeue what a crash left undone."""
    end_on_signals()
    here = house()
    try:
        refuse_wrong_database(here)
    except SetupError as error:
        raise click.ClickException(str(error)) from error
    logging.getLogger("procrastinate").setLevel(logging.INFO)
    log.info(READY)
    task_app(here).run_worker(delete_jobs="successful", shutdown_graceful_timeout=PATIENCE)
