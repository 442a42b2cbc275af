"""The description of the API: valid OpenAPI 3.1, complete, and a page that needs no other host."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from openapi_spec_validator import OpenAPIV31SpecValidator

from api.application import create_app
from api.errors import CONTENT_TYPE, PROBLEMS
from api.house import House
from office.operator import Operator
from tests.office import KEYS, MINSK


def no_database() -> None:
    raise AssertionError("describing the API needs no database")


@pytest.fixture(scope="module")
def app() -> Flask:
    """The application of a house without a database: its description needs none."""
    return create_app(House(Operator("ООО «Проба»", MINSK), no_database, lambda: KEYS))


@pytest.fixture(scope="module")
def description(app: Flask) -> dict:
    """What /api/openapi.json says."""
    return app.test_client().get("/api/openapi.json").json


def operations(description: dict) -> dict[str, dict]:
    """The described acts by method and path."""
    return {
        f"{method.upper()} {path}": operation
        for path, acts in description["paths"].items()
        for method, operation in acts.items()
        if method in ("get", "post", "put", "patch", "delete")
    }


def test_it_is_valid_openapi_3_1(description: dict) -> None:
    assert description["openapi"].startswith("3.1")
    assert list(OpenAPIV31SpecValidator(description).iter_errors()) == []


def test_every_route_is_described(app: Flask, description: dict) -> None:
    routes = {
        f"{method} " + re.sub(r"<(?:.+?:)?(.+?)>", r"{\1}", rule.rule)
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/v1")
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    described = operations(description)
    assert described.keys() == routes
    assert all(operation["summary"] for operation in described.values())


def test_every_route_tells_its_answer_and_its_problems(description: dict) -> None:
    problem = {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    answers = description["components"]["responses"]
    for name, operation in operations(description).items():
        good = [status for status in operation["responses"] if status.startswith("2")]
        assert len(good) == 1, name
        (content,) = operation["responses"][good[0]]["content"].values()
        assert content["schema"], name
        for status in operation["responses"].keys() - set(good):
            told = answers[operation["responses"][status]["$ref"].rpartition("/")[2]]
            assert told["content"] == problem, (name, status)
        assert "default" in operation["responses"], name
    required = description["components"]["schemas"]["Problem"]["required"]
    assert set(required) == {"type", "title", "status", "code", "detail"}


KEYED = {
    "POST /api/v1/pool-bets",
    "POST /api/v1/deposits",
    "POST /api/v1/payouts",
    "POST /api/v1/payout-proposals",
    "POST /api/v1/approvals/{approval_id}/decision",
    "POST /api/v1/treasury-movements",
    "POST /api/v1/shifts/{shift_id}/closing",
    "POST /api/v1/pools/{code}/closing",
    "POST /api/v1/pools/{code}/settlement",
}
"""The acts that move money or let it be moved; each needs a key (DESIGN 4)."""


def test_what_moves_money_needs_a_key(description: dict) -> None:
    keyed = {
        name
        for name, operation in operations(description).items()
        for parameter in operation.get("parameters", [])
        if parameter["in"] == "header" and parameter["name"] == "Idempotency-Key" and parameter["required"]
    }
    assert keyed == KEYED


def test_money_and_coefficients_are_strings_everywhere(description: dict) -> None:
    money = {"stake", "amount", "balance", "pool", "withdrawal", "fund", "wins", "win", "minimum_stake", "coefficient"}
    for name, schema in description["components"]["schemas"].items():
        for field in money & schema.get("properties", {}).keys():
            assert "string" in schema["properties"][field]["type"], (name, field)


def test_the_page_and_its_parts_come_from_this_host(app: Flask) -> None:
    client = app.test_client()
    page = client.get("/api/docs/").text
    assert set(re.findall(r"https?://([^/\"']+)", page)) <= {"localhost"}, "the host that served it"
    assert re.search(r'"?validatorUrl"?\s*:\s*null', page), "else the page asks a validator elsewhere"
    parts = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert len(parts) >= 4
    for part in parts:
        answer = client.get(part)
        assert answer.status_code == 200 and len(answer.data) > 100, part
        if part.endswith(".css"):
            assert not re.findall(r"@import|url\(\s*[\"']?https?:", answer.text), part


def test_the_front_door_leads_to_the_page(app: Flask) -> None:
    answer = app.test_client().get("/", follow_redirects=True)
    assert answer.status_code == 200 and "swagger-ui" in answer.text
    assert app.test_client().get("/api/docs", follow_redirects=True).status_code == 200


def test_every_code_is_told_beforehand_and_signing_in_needs_no_token(description: dict) -> None:
    assert description["components"]["schemas"]["Problem"]["properties"]["code"]["enum"] == list(PROBLEMS)
    assert description["paths"]["/api/v1/sessions"]["post"]["security"] == []
    assert "security" not in description["paths"]["/api/v1/pool-bets"]["post"]
