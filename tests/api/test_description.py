"""The description of the API: valid OpenAPI 3.1, complete, and a page that needs no other host."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from flask import Flask
from jsonschema import Draft202012Validator, FormatChecker
from openapi_spec_validator import OpenAPIV31SpecValidator

from api.answers import refuses
from api.application import create_app
from api.documents.files import FORMATS
from api.errors import CONTENT_TYPE, PROBLEMS
from api.house import House
from office.operator import Operator
from reports.registers.register import REPORTS
from tests.office import KEYS, MINSK, Office

PDF, XLSX, CSV = FORMATS["pdf"][0], FORMATS["xlsx"][0], FORMATS["csv"][0]
SHOWN = {
    "GET /api/v1/significant-events/export": {CSV},
    "GET /api/v1/tickets/{number}/rows": {CSV},
    "GET /api/v1/documents/payout-slips/{number}": {PDF},
    "POST /api/v1/documents/payout-slips/{number}/views": {PDF},
    "GET /api/v1/documents/protocols/{number}": {PDF},
    "GET /api/v1/documents/pool-sheets/{code}": {PDF},
    "GET /api/v1/documents/shift-reports/{shift_id}": {PDF},
    "GET /api/v1/documents/payout-journal": {PDF, XLSX, CSV},
    "POST /api/v1/documents/payout-journal/views": {PDF, XLSX, CSV},
    **{f"GET /api/v1/reports/{code}/export": {CSV, XLSX, PDF} for code in REPORTS},
}
"""What is shown in another form than JSON."""
NO_OPERATION = {
    "method_not_allowed",
    "database_unavailable",
    "database_read_only",
    "wrong_revision",
    "clock_shifted",
    "two_databases",
    "streams_full",
}
"""Codes with no operation here to tell them: for what is none, of `/readyz`, and of the streams service, which has a
description of its own."""


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


def answers(description: dict) -> Iterator[tuple[str, int, str, dict]]:
    """Every answer there is: the operation, the status, the media type, and what is told of it."""
    for name, operation in operations(description).items():
        for status, answer in operation["responses"].items():
            for media, told in answer["content"].items():
                yield name, int(status), media, told


def test_every_route_tells_one_success_and_its_refusals_by_their_status(description: dict) -> None:
    for name, operation in operations(description).items():
        statuses = sorted(map(int, operation["responses"]))
        assert [status for status in statuses if status < 300] == statuses[:1], name
        assert {400, 422, 500, 503} <= set(statuses), name
        assert (401 in statuses) or operation["security"] == [], name
    required = description["components"]["schemas"]["Problem"]["required"]
    assert set(required) == {"type", "title", "status", "code", "detail"}


def test_every_answer_has_an_example_that_fits(description: dict) -> None:
    for name, status, media, told in answers(description):
        assert media in (SHOWN.get(name, {"application/json"}) if status < 300 else {CONTENT_TYPE}), (name, status)
        if media in (PDF, XLSX, CSV):
            continue
        shown = [one["value"] for one in told["examples"].values()] if "examples" in told else [told["example"]]
        for value in shown:
            form = {**told["schema"], "components": description["components"]}
            Draft202012Validator(form, format_checker=FormatChecker()).validate(value)
            assert value, (name, status)


def test_every_example_of_a_request_fits(description: dict) -> None:
    for name, operation in operations(description).items():
        for told in operation.get("requestBody", {}).get("content", {}).values():
            form = {**told["schema"], "components": description["components"]}
            Draft202012Validator(form, format_checker=FormatChecker()).validate(told["example"])
            assert told["example"], name


def test_every_refusal_is_named_by_its_code_under_its_status(description: dict) -> None:
    """Each with the title of the one table; and every code of the table is a refusal of some route."""
    named = set()
    for name, status, media, told in answers(description):
        for code, example in told.get("examples", {}).items():
            named.add(code)
            value = example["value"]
            assert (media, (status, value["title"])) == (CONTENT_TYPE, PROBLEMS[code]), (name, code)
            assert (value["code"], value["status"]) == (code, status)
    assert set(PROBLEMS) - named == NO_OPERATION


def test_what_waits_or_asks_to_sign_in_says_so_in_a_header(description: dict) -> None:
    for name, operation in operations(description).items():
        told = {status: set(answer.get("headers", {})) for status, answer in operation["responses"].items()}
        assert "Retry-After" in told["503"], name
        assert "WWW-Authenticate" in told.get("401", {"WWW-Authenticate"}), name
        if name in KEYED:
            assert all("Idempotency-Replayed" in headers for status, headers in told.items() if status < "500"), name


def test_a_refusal_is_named_by_its_code_when_the_route_is_made() -> None:
    with pytest.raises(KeyError, match="no_such_code"):
        refuses("pool_closed", "no_such_code")


def test_every_operation_has_a_name_of_its_own(description: dict) -> None:
    """A generated client calls its functions so: the names are part of the contract."""
    names = [operation["operationId"] for operation in operations(description).values()]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", name) for name in names), names
    assert {"start_session", "announce_event", "announce_pool", "place_bet", "show_ticket"} <= set(names)


def test_every_operation_tells_its_roles(app: Flask, description: dict) -> None:
    for operation in operations(description).values():
        told = operation.get("x-roles")
        assert (told is None) == (operation.get("security") == []), operation["operationId"]
        assert told is None or f"Роли: {', '.join(told)}." in operation["description"]
    bet = description["paths"]["/api/v1/pool-bets"]["post"]
    assert bet["x-roles"] == ["cashier", "player"]


def test_an_answer_that_is_not_told_is_found(office: Office) -> None:
    """The look at every answer bites: on a code, a status, a member and a field that the description lacks."""
    office.contract.stand_apart()
    responses = office.contract.description["paths"]["/api/v1/pools/{code}"]["get"]["responses"]
    schemas = office.contract.description["components"]["schemas"]
    office.pool()
    del responses["404"]["content"][CONTENT_TYPE]["examples"]["unknown_pool"]
    del responses["422"]
    schemas["PoolShown"]["properties"]["name"]["type"] = "integer"
    assert office.organizer.get("/pools/P9").status_code == 404
    assert office.organizer.get("/pools/P1", colour="red").status_code == 422
    assert office.organizer.get("/pools/P1").status_code == 200

    found = office.contract.breaches
    assert {breach.partition(": ")[2][:28] for breach in found} == {
        "refuses with unknown_pool: n",
        "answers 422, which it does n",
        "200: $.name: 'Исход матча' i",
    }
    found.clear()


KEYED = {
    "POST /api/v1/tickets/{number}/cancellation",
    "POST /api/v1/tickets/{number}/cancellation-proposals",
    "POST /api/v1/claims",
    "POST /api/v1/claims/{claim_id}/decision",
    "POST /api/v1/disputes",
    "POST /api/v1/disputes/{dispute_id}/decision",
    "POST /api/v1/pool-bets",
    "POST /api/v1/deposits",
    "POST /api/v1/payouts",
    "POST /api/v1/payout-proposals",
    "POST /api/v1/account-payouts",
    "POST /api/v1/account-payout-proposals",
    "POST /api/v1/players/me/withdrawals",
    "POST /api/v1/account-withdrawals/{withdrawal_id}/ending",
    "POST /api/v1/bank-deposits",
    "POST /api/v1/approvals/{approval_id}/decision",
    "POST /api/v1/treasury-movements",
    "POST /api/v1/desk-floats",
    "POST /api/v1/desk-floats/{number}/reception",
    "POST /api/v1/collections",
    "POST /api/v1/collections/{number}/reception",
    "POST /api/v1/cash-deliveries/{number}/clearing",
    "POST /api/v1/shifts",
    "POST /api/v1/shifts/{shift_id}/closing",
    "POST /api/v1/pools/{code}/closing",
    "POST /api/v1/pools/{code}/settlement",
    "POST /api/v1/tickets/{number}/prints",
    "POST /api/v1/tickets/{number}/duplicates",
}
"""The acts that move money, let it be moved or put a claim to it on paper; each needs a key (DESIGN 4)."""


def test_what_moves_money_needs_a_key(description: dict) -> None:
    keyed = {
        name
        for name, operation in operations(description).items()
        for parameter in operation.get("parameters", [])
        if parameter["in"] == "header" and parameter["name"] == "Idempotency-Key" and parameter["required"]
    }
    assert keyed == KEYED


WORDS = {"status", "role", "game", "currency", "act"}
"""Fields that hold one of a few words, wherever they stand."""


def test_words_are_enumerated_wherever_they_stand(description: dict) -> None:
    for name, schema in description["components"]["schemas"].items():
        for field, form in schema.get("properties", {}).items():
            if field in WORDS and form.get("type") != "integer":
                assert form["enum"], (name, field)
    assert description["components"]["schemas"]["TransferShown"]["properties"]["kind"]["enum"][-1] == "deposit"


def test_money_and_coefficients_are_strings_everywhere(description: dict) -> None:
    money = {"stake", "amount", "balance", "pool", "withdrawal", "fund", "wins", "win", "minimum_stake", "coefficient"}
    for name, schema in description["components"]["schemas"].items():
        for field in money & schema.get("properties", {}).keys():
            assert "string" in schema["properties"][field]["type"], (name, field)
            # A pool is named by its code here and counted as money there.
            assert field == "pool" or {"pattern", "example"} <= schema["properties"][field].keys(), (name, field)


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
