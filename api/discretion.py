"""What a log must never hold is taken out of it: values out of the database's errors, addresses out of foreign words.

An address may hold a person's name or a ticket's code in its query, an error of the database the row it could not
write, and a task its arguments (FIELD-FAULTS 117).
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator
from types import TracebackType
from typing import Any

import psycopg

WITHHELD = "(withheld)"
DATA_EXCEPTION = "22"
"""The class of errors whose very message quotes the value that was wrong."""
QUOTING = (
    re.compile(r"^(Invalid request from ip=\S*?): .*", re.DOTALL),
    re.compile(r"^(Error handling request)\b.*", re.DOTALL),
    re.compile(r"^(Exception on) .*", re.DOTALL),
)
"""Messages of gunicorn and Flask that go on with the request's line, a header or the path."""

ExceptionInfo = tuple[type[BaseException], BaseException, TracebackType | None]


def without_quotations(_logger: Any, _method: str, event: Any) -> Any:
    """A foreign message, cut off where it begins to quote a request."""
    for quoting in QUOTING:
        event["event"] = quoting.sub(r"\1 " + WITHHELD, event["event"])
    return event


def without_arguments(_logger: Any, _method: str, event: Any) -> Any:
    """A message of the task queue by its action, task and number alone: its own words repeat the arguments."""
    record = event["_record"]
    if not record.name.startswith("procrastinate"):
        return event
    event["event"] = getattr(record, "action", event["event"])
    job = getattr(record, "job", None)
    return {**event, "job_id": job["id"], "task": job["task_name"]} if job else event


def traceback_without_values(exc_info: ExceptionInfo) -> str:
    """A traceback that names lines of the program, and of the database's errors what names no value."""
    told = "".join(traceback.format_exception(*exc_info)).rstrip("\n")
    for quoted in sorted(_quoted_in(exc_info[1], set()), key=len, reverse=True):
        told = told.replace(quoted, WITHHELD)
    return told


def _quoted_in(error: BaseException | None, seen: set[int]) -> Iterator[str]:
    """The lines of an error, its causes and its parts that may quote a row."""
    if error is None or id(error) in seen:
        return
    seen.add(id(error))
    if isinstance(error, psycopg.Error):
        said = [error.diag.message_detail, error.diag.context, error.diag.internal_query]
        if (error.sqlstate or "").startswith(DATA_EXCEPTION):
            said.append(error.diag.message_primary)
        yield from (line for text in said if text for line in text.splitlines() if line.strip())
    parts = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    for further in (error.__cause__, error.__context__, getattr(error, "orig", None), *parts):
        yield from _quoted_in(further, seen)
