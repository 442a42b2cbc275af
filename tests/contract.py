"""The API's description held against what its routes really answer: every answer of every test is looked at."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

from flask import Flask, Response, request
from jsonschema import Draft202012Validator

METHODS = ("get", "post", "put", "patch", "delete")

# Alike for every application of a process, and dear to put together for each of a thousand tests.
_DESCRIBED: list[dict[str, Any]] = []
_VALIDATORS: dict[tuple[str, str], Draft202012Validator] = {}


class Contract:
    """What the description of an application promises; ``breaches`` are the answers that kept no promise."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self.begin_anew()
        app.after_request(self._look_at)

    def begin_anew(self) -> None:
        """Forget what was seen, and go by the description all applications share."""
        self.breaches: set[str] = set()
        self._known, self._validators = _DESCRIBED, _VALIDATORS

    def stand_apart(self) -> None:
        """Have a description of one's own, for a test that spoils it."""
        self._known, self._validators = [deepcopy(self.description)], {}

    @property
    def description(self) -> dict[str, Any]:
        """What /api/openapi.json says."""
        if not self._known:
            self._known.append(dict(self._app.test_client().get("/api/openapi.json").json))
        return self._known[0]

    def _look_at(self, answer: Response) -> Response:
        rule = request.url_rule
        if rule is not None and rule.rule.startswith("/api/v1") and request.method.lower() in METHODS:
            path = re.sub(r"<(?:.+?:)?(.+?)>", r"{\1}", rule.rule)
            operation = self.description["paths"].get(path, {}).get(request.method.lower())
            if operation is not None:
                name = f"{request.method} {path}"
                self.breaches.update(f"{name}: {breach}" for breach in self._breaches(name, operation, answer))
        return answer

    def _breaches(self, name: str, operation: dict[str, Any], answer: Response) -> list[str]:
        told = operation["responses"].get(str(answer.status_code))
        if told is None:
            return [f"answers {answer.status_code}, which it does not tell: {_code_of(answer)}"]
        content = told["content"].get(answer.mimetype)
        if content is None:
            return [f"{answer.status_code} is {answer.mimetype}"]
        headers = [header for header, form in told.get("headers", {}).items() if form.get("required")]
        return [
            *(f"{answer.status_code} lacks {header}" for header in headers if header not in answer.headers),
            *(f"{answer.status_code}: {error.json_path}: {error.message:.200}" for error in self._errors(name, answer)),
            *_undeclared(content, answer),
        ]

    def _errors(self, name: str, answer: Response) -> list[Any]:
        if not (answer.mimetype or "").endswith("json"):
            return []
        place = (name, str(answer.status_code))
        if place not in self._validators:
            path, method = name.partition(" ")[2], name.partition(" ")[0].lower()
            told = self.description["paths"][path][method]["responses"][place[1]]["content"][answer.mimetype]
            self._validators[place] = Draft202012Validator(
                {**told["schema"], "components": self.description["components"]}
            )
        return list(self._validators[place].iter_errors(answer.get_json(force=True)))


def _code_of(answer: Response) -> str:
    return str((answer.get_json(silent=True, force=True) or {}).get("code"))


def _undeclared(content: dict[str, Any], answer: Response) -> list[str]:
    """A refusal whose code the route does not name, or which lacks a member that its example has."""
    if "examples" not in content:
        return []
    problem = answer.get_json(force=True)
    example = content["examples"].get(problem["code"])
    if example is None:
        return [f"refuses with {problem['code']}: name it in @refuses"]
    lacking = example["value"].keys() - problem.keys()
    return [f"{problem['code']} lacks {', '.join(sorted(lacking))}"] if lacking else []
