"""Strict reading of requests, and keyed acts: what DESIGN 4 asks of every POST."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from apispec.ext.marshmallow.common import resolve_schema_instance
from flask import request
from flask_smorest import Blueprint as SmorestBlueprint
from marshmallow import RAISE
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import BadRequest, LengthRequired, UnsupportedMediaType

from api import strict_json
from api.errors import with_data
from api.house import caller, house, known_key, session
from api.idempotency import REPLAYED, Request, Storing, once, store_key
from api.marks import View, marked


class StrictParser(FlaskParser):
    """JSON as strict as money needs it, nothing unknown; any other body is told what is wrong with it."""

    DEFAULT_UNKNOWN_BY_LOCATION = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, "query": RAISE}  # noqa: RUF012

    def _raw_load_json(self, req: Any) -> Any:
        _refuse_other_media(req)
        if "Transfer-Encoding" in req.headers:
            # A body of unknown length is cut off at the limit without a word, and its rest would count as unsaid.
            raise LengthRequired("Передайте длину тела (Content-Length).")
        try:
            return strict_json.read(req.get_data(cache=True))
        except ValueError as error:
            wrong = with_data(BadRequest(f"Тело запроса не читается: {error}."), code="invalid_json")
            raise wrong from error


class Blueprint(SmorestBlueprint):
    """A folder's routes, read by the strict parser; each view knows which parts of a request it takes."""

    ARGUMENTS_PARSER = StrictParser()

    def arguments(self, schema: Any, *, location: str = "json", **named: Any) -> Callable[[View], View]:
        """Read a part of the request by a schema, and let nothing else be in it.

        The schema is made here once: made anew for each request it would take longer than reading one.
        """
        decorate = super().arguments(resolve_schema_instance(schema), location=location, **named)
        return lambda view: taking(location)(decorate(view))


def taking(*parts: str) -> Callable[[View], View]:
    """Name the parts of a request (``json``, ``query``, ``headers``) that a view reads; others must not be there."""

    def name(view: View) -> View:
        return marked(view, takes=getattr(view, "takes", frozenset()).union(parts))

    return name


def of_at_most(size: int) -> Callable[[View], View]:
    """Let a view's body be larger than any other's, of so many bytes; whoever calls was let in before it is read."""

    def name(view: View) -> View:
        return marked(view, largest_body=size)

    return name


def keyed(
    key: str, body: dict[str, Any], act: Callable[[], int], store: Storing = store_key
) -> tuple[int, dict[str, str]]:
    """Do a money act once under the caller's key; the id of what it made and the headers of the answer."""
    meaning = {**body, **(request.view_args or {})}
    wanted = meant(f"{request.method} {request.url_rule}", key, meaning)
    reference, replayed = once(session(), wanted, act, known=known_key(), store=store)
    return reference, REPLAYED if replayed else {}


def meant(route: str, key: str, body: dict[str, Any]) -> Request:
    """What the caller means by a key at a route."""
    return Request(caller().key_scope, key, route, body, house().keys.code_hmac)


def _refuse_other_media(req: Any) -> None:
    said = req.mimetype_params.get("charset", "utf-8").lower()
    if req.mimetype != "application/json" or said not in ("utf-8", "utf8"):
        raise UnsupportedMediaType("Передайте тело запроса как application/json в кодировке UTF-8.")
    if req.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise UnsupportedMediaType("Передайте тело запроса без сжатия (Content-Encoding).")
