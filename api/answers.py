"""What a route can answer, told in the API's description: its success with an example, and each refusal by its code.

A view names the refusals of the trade beside its roles (`refuses`); what follows from the form of a route, that it has
a body, a key, a path or a guard, is added by itself. The tests compare all of it with what routes really answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from apispec import APISpec, BasePlugin
from apispec.ext.marshmallow.common import resolve_schema_instance
from flask import Flask
from werkzeug.routing import Rule

from api.errors import CONTENT_TYPE, PROBLEMS
from api.examples import example_of
from api.marks import View, marked
from api.problem import PROBLEM, example_of_problem
from office.callers import Role

ALWAYS = ("bad_request", "validation_failed", "internal_error", "too_busy")
GUARDED = ("unauthenticated", "forbidden")
RESTRICTED = ("password_change_needed",)
WITH_BODY = ("invalid_json", "length_required", "payload_too_large", "unsupported_media_type")
WITH_PATH = ("not_found",)
KEYED = ("idempotency_key_reused", "amount_out_of_range")
TEXT = {"schema": {"type": "string"}}
HEADERS: dict[int, dict[str, Any]] = {
    401: {"WWW-Authenticate": {**TEXT, "description": "Как войти: Bearer.", "required": True}},
    429: {"Retry-After": {**TEXT, "description": "Через сколько секунд повторить.", "required": True}},
    503: {"Retry-After": {**TEXT, "description": "Через сколько секунд повторить.", "required": True}},
}
REPLAY_MARK: dict[str, Any] = {
    "Idempotency-Replayed": {
        "schema": {"type": "string", "enum": ["true"]},
        "description": "Стоит, если этот ответ уже был дан на запрос с тем же ключом.",
    }
}


def refuses(*codes: str) -> Callable[[View], View]:
    """Name the refusals of the trade that a route can answer with.

    A code that the one table lacks is a fault of the program, so it raises ``KeyError`` when the route is made.
    """
    unknown = [code for code in codes if code not in PROBLEMS]
    if unknown:
        raise KeyError(f"not in the table of errors: {', '.join(unknown)}")

    def name(view: View) -> View:
        return marked(view, refusals=frozenset(codes))

    return name


class Answers(BasePlugin):
    """Tells each described operation its name, its roles and all its answers."""

    def __init__(self, app: Flask) -> None:
        self._app = app

    def init_spec(self, spec: APISpec) -> None:
        """Know where schemas are kept; the form of a problem is one of them, whether a route names it or not."""
        self._schemas: Mapping[str, Any] = spec.components.schemas

    def schema_helper(self, name: str, definition: dict[Any, Any], **kwargs: Any) -> dict[Any, Any] | None:
        """Let a form whose requests name one of several fields say so in words that every generator reads."""
        if "schema" not in kwargs:
            return None
        exactly = getattr(resolve_schema_instance(kwargs["schema"]), "properties_told", lambda: None)()
        return None if exactly is None else {"minProperties": exactly, "maxProperties": exactly}

    def operation_helper(
        self,
        path: str | None = None,
        operations: dict[str, Any] | None = None,
        *,
        rule: Rule | None = None,
        **_named: Any,
    ) -> None:
        """Complete what the blueprint has told of the operations of a route."""
        if rule is None:
            return
        view = self._app.view_functions[rule.endpoint]
        for operation in (operations or {}).values():
            operation.setdefault("operationId", view.__name__)
            _tell_roles(operation, getattr(view, "allowed_roles", frozenset()))
            self._tell_request(operation)
            self._tell_answers(operation, refusals_of(rule, view))

    def _tell_request(self, operation: dict[str, Any]) -> None:
        for told in operation.get("requestBody", {}).get("content", {}).values():
            if "examples" not in told:
                told.setdefault("example", example_of(told["schema"], self._schemas))

    def _tell_answers(self, operation: dict[str, Any], codes: Iterable[str]) -> None:
        answers = operation["responses"]
        keyed = REPLAY_MARK if "idempotency_key_reused" in codes else {}
        for answer in filter(_is_told, answers.values()):
            for told in answer["content"].values():
                told.setdefault("example", example_of(told["schema"], self._schemas))
            if keyed:
                answer["headers"] = {**answer.get("headers", {}), **keyed}
        for status, refusals in _by_status(codes):
            if not _is_told(answers.get(status)):
                answers[status] = _refused(refusals, {**HEADERS.get(status, {}), **(keyed if status < 500 else {})})
        operation["responses"] = dict(sorted(answers.items(), key=lambda told: int(told[0])))


def refusals_of(rule: Rule, view: Callable[..., Any]) -> frozenset[str]:
    """Every code a route can refuse with: those its view names, and those that its form brings."""
    takes: frozenset[str] = getattr(view, "takes", frozenset())
    roles: frozenset[Role] | None = getattr(view, "allowed_roles", frozenset())
    guarded = () if roles is None else GUARDED[: 1 if roles == set(Role) else 2]
    restricted = () if roles is None or hasattr(view, "before_own_password") else RESTRICTED
    return frozenset(ALWAYS).union(
        getattr(view, "refusals", ()),
        guarded,
        restricted,
        WITH_BODY if "json" in takes else (),
        WITH_PATH if rule.arguments else (),
        KEYED if "headers" in takes else (),
    )


def _is_told(answer: object) -> bool:
    """Whether a route tells an answer itself; flask-smorest names a common one for whatever has a schema."""
    return isinstance(answer, Mapping) and "content" in answer


def _tell_roles(operation: dict[str, Any], roles: frozenset[Role] | None) -> None:
    if roles is None:
        operation.setdefault("security", [])
        return
    names = [role.value for role in Role if role in roles]
    operation["x-roles"] = names
    said = operation.get("description")
    operation["description"] = (f"{said}\n\n" if said else "") + f"Роли: {', '.join(names)}."


def _by_status(codes: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """The codes under their statuses, in the order of the table."""
    wanted = set(codes)
    for status in sorted({PROBLEMS[code][0] for code in wanted}):
        yield status, [code for code, (under, _) in PROBLEMS.items() if code in wanted and under == status]


def _refused(codes: list[str], headers: dict[str, Any]) -> dict[str, Any]:
    titles = [f"`{code}`: {PROBLEMS[code][1]}" for code in codes]
    examples = {code: {"summary": PROBLEMS[code][1], "value": example_of_problem(code)} for code in codes}
    answer = {"description": "; ".join(titles), "content": {CONTENT_TYPE: {"schema": PROBLEM, "examples": examples}}}
    return {**answer, "headers": headers} if headers else answer
