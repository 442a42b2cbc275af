"""Logs: a line of JSON an event on standard error, ours and foreign ones alike (decision 0013).

structlog's own default prints local variables beside a traceback where rich is installed, and with them a request's
ticket code or the number of a document. Ours goes through the standard library's logging, so that gunicorn, the task
queue and whatever else logs there comes out in the same form.
"""

from __future__ import annotations

import logging
import os
import sys
from typing import Any

import structlog
from structlog.stdlib import ProcessorFormatter
from structlog.typing import EventDict, Processor

from api.discretion import traceback_without_values, without_arguments, without_quotations
from db.errors import SetupError

OURS = "totalizator"
FIRST = ("time", "level", "event", "request_id", "job_id")
RENDERERS: dict[str, Processor] = {
    "json": structlog.processors.JSONRenderer(ensure_ascii=False),
    "console": structlog.dev.ConsoleRenderer(colors=False, timestamp_key="time"),
}
"""LOG_FORMAT: ``json`` for machines, ``console`` for a person at a terminal."""
SHARED: tuple[Processor, ...] = (
    structlog.contextvars.merge_contextvars,
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
    structlog.processors.ExceptionRenderer(traceback_without_values),
)
FOREIGN: tuple[Processor, ...] = (*SHARED, structlog.stdlib.add_logger_name, without_quotations, without_arguments)


class StandardError(logging.Handler):
    """Writes a line an event to whatever standard error is at that moment."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one event in one piece, so that the lines of several processes do not mix."""
        try:
            sys.stderr.write(self.format(record) + "\n")
            sys.stderr.flush()
        except Exception:
            self.handleError(record)


def in_order(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """When, how grave and what come first: people read these lines as well."""
    return {**{name: event.pop(name) for name in FIRST if name in event}, **event}


def configure() -> None:
    """Write logs as this house does, from now on; may be repeated.

    Of foreign loggers only warnings are wanted: what werkzeug and httpx tell beneath that are addresses with their
    queries.

    Raises:
        SetupError: LOG_FORMAT names no form.
    """
    written = [ProcessorFormatter.remove_processors_meta, in_order, RENDERERS[form_of_lines()]]
    _the_handler().setFormatter(ProcessorFormatter(processors=written, foreign_pre_chain=FOREIGN))
    logging.getLogger(OURS).setLevel(logging.INFO)
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *SHARED, ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=lambda *_: logging.getLogger(OURS),
    )


def form_of_lines() -> str:
    """The form LOG_FORMAT names.

    Raises:
        SetupError: it names none.
    """
    form = os.environ.get("LOG_FORMAT") or "json"
    if form not in RENDERERS:
        raise SetupError(f"LOG_FORMAT must be one of {', '.join(RENDERERS)}.")
    return form


def _the_handler() -> StandardError:
    """The root's one handler of ours, made if it is not there yet."""
    for handler in logging.root.handlers:
        if isinstance(handler, StandardError):
            return handler
    made = StandardError()
    logging.root.addHandler(made)
    return made
