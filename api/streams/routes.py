"""The stream of boards: ``text/event-stream``, as long as anything of the pools may change."""

from __future__ import annotations

from typing import Any

from flask import Response, current_app, request

from api.answers import refuses
from api.auth import allowed
from api.house import caller, house, session
from api.requests import Blueprint
from api.streams.frames import MEDIA
from api.streams.hub import Hub
from api.streams.lines import Line
from api.streams.schemas import StreamQuery
from api.streams.watchers import Watcher
from office.callers import Role

streams = Blueprint("streams", __name__, url_prefix="/api/v1/streams", description="Потоки табло")
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""No proxy may keep the events back, or for others."""


@streams.get("/pools")
@streams.doc(operationId="follow_pools")
@streams.arguments(StreamQuery, location="query")
@streams.response(200, {"type": "string"}, content_type=MEDIA, description="events `totals`, at the end `settled`")
@allowed(*Role)
@refuses("unknown_pool", "streams_full")
def follow(asked: dict[str, Any]) -> Response:
    """Follow the boards of pools: first each as it is, then whatever changes, a second late at most.

    The data of an event is what ``GET /pools/{code}/totals`` answers. Whoever comes again with ``Last-Event-ID`` is
    told nothing twice. The stream ends when every pool is settled, when the session ends, or when the server stops.
    """
    pools = [house().catalogue.terms(session(), code).pool for code in dict.fromkeys(asked["pools"])]
    token = caller().token_id
    assert token is not None, "who was let in came with a token"
    if request.method == "HEAD":
        return Response(content_type=MEDIA, headers=HEADERS)
    hub: Hub = current_app.extensions["hub"]
    watcher = Watcher(pools, token, Line.of(request.environ), request.headers.get("Last-Event-ID"))
    hub.join(watcher)
    answer = Response(hub.stream(watcher), content_type=f"{MEDIA}; charset=utf-8", headers=HEADERS)
    answer.call_on_close(lambda: hub.leave(watcher))
    return answer
