"""GET /healthz, /readyz and /metrics: for those who keep the house running, outside the API and its description."""

from __future__ import annotations

import hmac
import os

from flask import Blueprint, Response, request
from prometheus_client import CONTENT_TYPE_LATEST
from werkzeug.exceptions import NotFound, Unauthorized

from api.auth import anybody
from api.errors import problem
from api.house import house
from api.watch import figures
from api.watch.readiness import WRONGS
from api.watch.standing import Standing

watch = Blueprint("watch", __name__)
TOKEN = "METRICS_TOKEN"


@watch.get("/healthz")
@anybody
def alive() -> dict[str, str]:
    """The process answers; whether it can serve, ``/readyz`` tells."""
    return {"status": "alive"}


@watch.get("/readyz")
@anybody
def ready() -> Response | dict[str, str]:
    """The process can serve, or 503 with what keeps it from that."""
    wrong = house().readiness.wrong()
    if wrong is None:
        return {"status": "ready"}
    return problem(wrong, WRONGS[wrong].in_answer)


@watch.get("/metrics")
@anybody
def metrics() -> Response:
    """The figures of the house for whoever holds METRICS_TOKEN; where none is set there is no such page."""
    expected = os.environ.get(TOKEN)
    if not expected:
        raise NotFound("Показатели не открыты: задайте METRICS_TOKEN.")
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer" or not hmac.compare_digest(token.encode(), expected.encode()):
        raise Unauthorized("Нужен токен показателей.")
    return Response(Standing(house().probe).exposition() + figures.exposition(), content_type=CONTENT_TYPE_LATEST)
