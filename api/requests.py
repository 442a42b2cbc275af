"""Strict reading of requests, and keyed acts: what DESIGN 4 asks of every POST."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import request
from flask_smorest import Blueprint as SmorestBlueprint
from marshmallow import RAISE
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import BadRequest, LengthRequired, UnsupportedMediaType

from api import strict_json
from api.house import caller, house, session
from api.idempotency import REPLAYED, Request, once


class StrictParser(FlaskParser):
    """JSON as strict as money needs it, nothing unknown; any other body is told what is wrong with it."""

    DEFAULT_UNKNOWN_BY_LOCATION = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, "query": RAISE}  # noqa: RUF012

    def _raw_load_json(self, req: Any) -> Any:
        if not req.is_json:
            raise UnsupportedMediaType("Передайте тело запроса как application/json.")
        if "Transfer-Encoding" in req.headers:
            # A body of unknown length is cut off at the limit without a word, and its rest would count as unsaid.
            raise LengthRequired("Передайте длину тела (Content-Length).")
        try:
            return strict_json.read(req.get_data(cache=True))
        except ValueError as error:
            wrong = BadRequest(f"Тело запроса не читается: {error}")
            wrong.data = {"code": "invalid_json"}  # type: ignore[attr-defined]
            raise wrong from error


class Blueprint(SmorestBlueprint):
    """A folder's routes, read by the strict parser."""

    ARGUMENTS_PARSER = StrictParser()


def keyed(key: str, body: dict[str, Any], act: Callable[[], int]) -> tuple[int, dict[str, str]]:
    """Do a money act once under the caller's key; the id of what it made and the headers of the answer."""
    route = f"{request.method} {request.url_rule}"
    meaning = {**body, **(request.view_args or {})}
    meant = Request(caller().key_scope, key, route, meaning, house().keys.code_hmac)
    reference, replayed = once(session(), meant, act)
    return reference, REPLAYED if replayed else {}
