"""How gunicorn serves streams: ``gunicorn -c python:api.streams.gunicorn_settings 'wsgi:streams()'``.

A stream takes a thread for as long as it lasts, so that there are some more of them than clients: for those who are
told that there is no place, and for whoever asks after the service's health.
"""

from __future__ import annotations

from gunicorn.workers.base import Worker

from api.gunicorn_settings import (
    accesslog,
    child_exit,
    control_socket_disable,
    errorlog,
    forwarded_allow_ips,
    graceful_timeout,
    keepalive,
    logger_class,
    on_exit,
    timeout,
    worker_class,
)
from api.gunicorn_settings import post_worker_init as begin
from api.streams.application import CLIENTS, UNSET_CLIENTS
from db.environment import whole_number

__all__ = [
    "accesslog",
    "child_exit",
    "control_socket_disable",
    "errorlog",
    "forwarded_allow_ips",
    "graceful_timeout",
    "keepalive",
    "logger_class",
    "on_exit",
    "timeout",
    "worker_class",
]

SPARE_THREADS = 8

workers = whole_number("STREAM_WORKERS", 1)
threads = whole_number(CLIENTS, UNSET_CLIENTS) + SPARE_THREADS


def post_worker_init(worker: Worker) -> None:
    """Serve no wrong database, and let streams end when the worker is asked to stop."""
    begin(worker)
    worker.wsgi.extensions["hub"].stopping = lambda: not worker.alive
