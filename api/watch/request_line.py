"""A line in the log and a place in the figures for every request, and the number it is known by (decision 0013).

A line tells who did what by numbers and templates: never a query, a body, a name, a token or a code.
"""

from __future__ import annotations

import re
import secrets
import time
from typing import Any

import structlog
from flask import Flask, Response, g, request

from api.idempotency import REPLAYED
from api.paths import KEY
from api.watch.figures import count_request

log = structlog.get_logger()
HEADER = "X-Request-Id"
GOOD = re.compile(KEY)
UNMATCHED = "unmatched"
"""The route of a path that is none of ours; the path itself is the caller's word and is not repeated."""
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def install(app: Flask) -> None:
    """Begin each request before anything else looks at it, and tell it when its answer is ready to be sent."""
    app.before_request(_begin)
    app.after_request(_tell)
    app.teardown_request(_forget)


def request_id() -> str:
    """The number of this request: the caller's if it is fit to be repeated, else one of ours."""
    if "request_id" not in g:
        sent = request.headers.get(HEADER, "")
        g.request_id = sent if GOOD.fullmatch(sent) else secrets.token_hex(16)
    known: str = g.request_id
    return known


def route() -> str:
    """The template of this request's path."""
    return request.url_rule.rule if request.url_rule else UNMATCHED


def _begin() -> None:
    g.began = time.perf_counter()
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(request_id=request_id())


def _tell(response: Response) -> Response:
    seconds = time.perf_counter() - g.get("began", time.perf_counter())
    method = request.method if request.method in METHODS else "other"
    response.headers[HEADER] = request_id()
    count_request(method, route(), response.status_code, seconds, g.get("problem"))
    log.info("request", method=method, route=route(), status=response.status_code, **_particulars(response, seconds))
    return response


def _forget(_error: BaseException | None) -> None:
    structlog.contextvars.clear_contextvars()


def _particulars(response: Response, seconds: float) -> dict[str, Any]:
    """How long it took, who called, why it was refused, whether it was a repeat; what is not there is left out."""
    caller = g.get("caller")
    known = {
        "duration_ms": round(seconds * 1000, 1),
        "role": caller and caller.role.value,
        "user_id": caller and caller.user_id,
        "player_id": caller and caller.player_id,
        "terminal_id": caller and caller.terminal_id,
        "problem": g.get("problem"),
        "replayed": all(name in response.headers for name in REPLAYED) or None,
    }
    return {name: value for name, value in known.items() if value is not None}
