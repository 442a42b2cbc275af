"""Strict reading of requests, and keyed acts: what DESIGN 4 asks of every POST."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from flask import request
from flask_smorest import Blueprint as SmorestBlueprint
from marshmallow import RAISE
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import BadRequest, UnsupportedMediaType

from api.house import caller, session
from api.idempotency import Request, once

REPLAYED = {"Idempotency-Replayed": "true"}


class StrictParser(FlaskParser):
    """JSON with each name once, no NaN, nothing unknown; any other body is told what is wrong with it."""

    DEFAULT_UNKNOWN_BY_LOCATION = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, "query": RAISE}  # noqa: RUF012

    def _raw_load_json(self, req: Any) -> Any:
        if not req.is_json:
            raise UnsupportedMediaType("Передайте тело запроса как application/json.")
        try:
            return json.loads(req.get_data(cache=True), object_pairs_hook=_each_once, parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            wrong = BadRequest(f"Тело запроса не читается: {error}")
            wrong.data = {"code": "invalid_json"}  # type: ignore[attr-defined]
            raise wrong from error


class Blueprint(SmorestBlueprint):
    """A folder's routes, read by the strict parser."""

    ARGUMENTS_PARSER = StrictParser()


def keyed(key: str, body: dict[str, Any], act: Callable[[], int]) -> tuple[int, dict[str, str]]:
    """Do a money act once under the caller's key; the id of what it made and the headers of the answer."""
    meant = Request(
        caller().key_scope, key, f"{request.method} {request.url_rule}", {**body, **(request.view_args or {})}
    )
    reference, replayed = once(session(), meant, act)
    return reference, REPLAYED if replayed else {}


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) < len(pairs):
        raise ValueError("a name stands twice in one object")
    return read


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
