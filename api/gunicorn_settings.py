"""How gunicorn serves the API: ``gunicorn -c python:api.gunicorn_settings wsgi:app``; WORKERS and THREADS are yours."""

from __future__ import annotations

import os
import sys

from gunicorn.arbiter import Arbiter
from gunicorn.workers.base import Worker

from api.commands.database import refuse_wrong_database
from api.proxies import trusted_proxies
from db.errors import SetupError

worker_class = "gthread"
workers = int(os.environ.get("WORKERS", "2"))
threads = int(os.environ.get("THREADS", "8"))
timeout = 60
graceful_timeout = 20
# Whose X-Forwarded-For the application believes, their X-Forwarded-Proto gunicorn does, and nobody else's.
forwarded_allow_ips = ",".join(map(str, trusted_proxies()))
# The path without its query: what is searched for may be a person's name.
accesslog = "-"
access_log_format = '%(h)s %(t)s "%(m)s %(U)s" %(s)s %(B)s %(M)sms'
# It would be made in the home of whoever starts the server.
control_socket_disable = True


def post_worker_init(worker: Worker) -> None:
    """Let no worker serve a database at another revision, nor in production one whose clock was ever shifted."""
    try:
        refuse_wrong_database(worker.wsgi.extensions["house"])
    except SetupError as error:
        worker.log.critical("%s", error)
        sys.exit(Arbiter.WORKER_BOOT_ERROR)
