"""Logs: a line of JSON an event on standard error, tracebacks without the values of variables (FIELD-FAULTS 117).

structlog's own default prints local variables beside a traceback where rich is installed, and with them a request's
ticket code or the number of a document.
"""

from __future__ import annotations

import sys

import structlog


def configure() -> None:
    """Write logs as this house does, from now on."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
    )
