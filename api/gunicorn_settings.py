"""How gunicorn serves the API: ``gunicorn -c python:api.gunicorn_settings wsgi:app``; WORKERS and THREADS are yours."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time

from gunicorn.arbiter import Arbiter
from gunicorn.config import Config
from gunicorn.glogging import Logger
from gunicorn.workers.base import Worker
from sqlalchemy.exc import OperationalError

# The processes count together in this folder. The library of figures decides by it how to count when it is first
# imported, so it is made before anything of the application is; each master has one of its own.
FOLDER = os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="totalizator-figures-")

from api import logs
from api.commands.database import refuse_wrong_database
from api.proxies import trusted_proxies
from api.surroundings import refuse_incomplete, warn_of_misspelled
from api.watch.figures import count_worker_end
from db.environment import whole_number
from db.errors import SetupError

PAUSE = 1.0

try:
    refuse_incomplete()
except SetupError as error:
    # Before any worker is made: each would die of it in turn.
    shutil.rmtree(FOLDER)
    sys.exit(f"Error: {error}")
logs.configure()
warn_of_misspelled()


class HouseLog(Logger):
    """gunicorn's own log, in the form of the house's."""

    def setup(self, cfg: Config) -> None:
        """Write where the house writes, and nowhere else."""
        super().setup(cfg)
        logs.configure()
        self.error_log.propagate = True


worker_class = "gthread"
workers = whole_number("WORKERS", 2)
threads = whole_number("THREADS", 8)
timeout = 60
graceful_timeout = 20
# Longer than a proxy keeps an idle connection: else it sends a bet into one that was just closed here.
keepalive = 75
# The application writes a line for each request; gunicorn's would repeat it, and its handler the others.
accesslog = None
errorlog = None
logger_class = HouseLog
# Whose X-Forwarded-For the application believes, their X-Forwarded-Proto gunicorn does, and nobody else's.
forwarded_allow_ips = ",".join(map(str, trusted_proxies()))
# It would be made in the home of whoever starts the server.
control_socket_disable = True


def post_worker_init(worker: Worker) -> None:
    """Let no worker serve a database at another revision, nor in production one whose clock was ever shifted.

    That ends the server; but a database that is away for a moment must not, when a worker dies in just that moment.
    """
    try:
        refuse_wrong_database(worker.wsgi.extensions["house"])
    except SetupError as error:
        worker.log.critical("%s", error)
        sys.exit(Arbiter.WORKER_BOOT_ERROR)
    except OperationalError:
        worker.log.critical("The database does not answer: another worker will look again.")
        time.sleep(PAUSE)
        sys.exit(1)


def child_exit(_server: Arbiter, worker: Worker) -> None:
    """What a worker that is gone has counted stays; what it held does not."""
    count_worker_end(worker.pid)


def on_exit(_server: Arbiter) -> None:
    """Take the folder of figures away."""
    shutil.rmtree(FOLDER, ignore_errors=True)
