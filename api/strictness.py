"""What a request may not bring: a body or a query its route does not take, or one parameter twice.

What would be passed over in silence is refused, for whoever sent it meant something by it. A view's ``takes`` tells
which parts it reads (`api.requests.Blueprint.arguments`), so a new route is as strict by itself.
"""

from __future__ import annotations

from flask import current_app, request
from werkzeug.exceptions import BadRequest

from api import words
from api.auth import OPEN_ENDPOINTS
from api.errors import invalid

TWICE = "Параметр передан больше одного раза."


def check() -> None:
    """Refuse what the route does not read (before every request whose caller was let in)."""
    endpoint = request.endpoint
    if endpoint is None or endpoint in OPEN_ENDPOINTS:
        return
    view = current_app.view_functions[endpoint]
    takes: frozenset[str] = getattr(view, "takes", frozenset())
    request.max_content_length = getattr(view, "largest_body", request.max_content_length)
    if "json" not in takes and (request.content_length or "Transfer-Encoding" in request.headers):
        raise BadRequest("У этого запроса нет тела: передайте его без тела.")
    wrong = {name: [TWICE] for name, values in request.args.lists() if len(values) > 1}
    if "query" not in takes:
        wrong |= {name: [words.SCHEMA["unknown"]] for name in request.args}
    if wrong:
        raise invalid("query", wrong)
