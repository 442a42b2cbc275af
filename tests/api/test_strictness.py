"""Nothing of a request is passed over in silence: what a route does not read, it refuses (DESIGN 4)."""

from __future__ import annotations

import http.client
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from werkzeug.test import TestResponse

from api import strict_json
from tests.api.served import house_on, served
from tests.office import Office

RUSSIAN = re.compile(r"[А-Яа-яё]")
BET = {"pool": "P1", "outcome": "1", "stake": "1.00"}


def posted(office: Office, body: bytes | str, path: str = "/pool-bets", **headers: str) -> TestResponse:
    """What the cashier is answered to a body sent as it is."""
    told = {**office.cashier.headers, "Idempotency-Key": "strict-key-0001", "Content-Type": "application/json"}
    headers = {**told, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return office.client.post(f"/api/v1{path}", data=body, headers=headers)


def nested(depth: int) -> bytes:
    """So many lists within one another."""
    return b"[" * depth + b"]" * depth


def test_what_stands_deeper_than_thirty_two_is_refused_at_the_thirty_third() -> None:
    deepest = strict_json.read(nested(32))
    for _ in range(31):
        (deepest,) = deepest
    assert deepest == []
    assert strict_json.read(b'{"a":' * 32 + b"1" + b"}" * 32)
    for body in (nested(33), b'{"a":' * 33 + b"1" + b"}" * 33, nested(10_000), b"[" * 10_000):
        with pytest.raises(ValueError):
            strict_json.read(body)


def test_many_lists_beside_one_another_are_no_depth() -> None:
    assert strict_json.read(b"[" + b",".join([b"[[]]"] * 1000) + b"]") == [[[]]] * 1000


WRONG_BODIES = {
    "a mark of the byte order": b"\xef\xbb\xbf" + json.dumps(BET).encode(),
    "something behind it": json.dumps(BET).encode() + b" true",
    "two of them": json.dumps(BET).encode() * 2,
    "a comma too many": b'{"pool": "P1",}',
    "single quotes": b"{'pool': 'P1'}",
    "a comment": b'{"pool": "P1"} // mine',
    "a line feed within a text": b'{"pool": "P\n1"}',
    "a name twice": b'{"pool": "P1", "pool": "P1"}',
    "a name twice, written otherwise": rb'{"pool": "P1", "\u0070ool": "P1"}',
    "a number without end": b'{"stake": ' + b"9" * 5000 + b"}",
    "a number of forty-one digits": b'{"stake": ' + b"9" * 41 + b"}",
    "deeper than anybody needs": b'{"pool": ' + nested(40) + b"}",
}


@pytest.mark.parametrize("name", WRONG_BODIES)
def test_a_wrong_body_is_told_in_russian_what_is_wrong(office: Office, name: str) -> None:
    answer = posted(office, WRONG_BODIES[name])
    assert (answer.status_code, answer.json["code"]) == (400, "invalid_json")
    said = answer.json["detail"]
    assert said.startswith("Тело запроса не читается: ") and RUSSIAN.search(said.partition(": ")[2]), said


def test_the_place_of_an_error_is_told(office: Office) -> None:
    answer = posted(office, b'{"pool": "P1",\n "outcome" "1"}')
    assert answer.json["detail"] == "Тело запроса не читается: это не JSON, строка 2, знак 12."


@pytest.mark.parametrize(
    "kind", ["application/json", "application/json; charset=UTF-8", "Application/JSON;charset=utf8"]
)
def test_json_in_utf8_is_taken_however_it_is_named(office: Office, kind: str) -> None:
    office.pool()
    assert posted(office, json.dumps(BET), Content_Type=kind).status_code == 201


@pytest.mark.parametrize(
    "kind",
    [
        "application/json; charset=windows-1251",
        "application/json; charset=utf-16",
        "application/problem+json",
        "application/vnd.api+json",
        "text/json",
        "application/json, application/json",
        "multipart/form-data; boundary=x",
    ],
)
def test_another_media_type_or_charset_is_415(office: Office, kind: str) -> None:
    answer = posted(office, json.dumps(BET), Content_Type=kind)
    assert (answer.status_code, answer.json["code"]) == (415, "unsupported_media_type")


def test_a_compressed_body_is_415(office: Office) -> None:
    answer = posted(office, b"\x1f\x8b", Content_Encoding="gzip")
    assert (answer.status_code, answer.json["code"]) == (415, "unsupported_media_type")


def test_a_body_where_none_is_read_is_refused_and_does_nothing(office: Office) -> None:
    """A closing whose body says something else than the path would be obeyed in silence."""
    office.pool()
    closing = office.organizer.post("/pools/P1/closing", {"pool": "P2"})
    read = office.client.get("/api/v1/pools", data=b"{}", headers=office.organizer.headers)
    streamed = office.client.get(
        "/api/v1/pools",
        input_stream=io.BytesIO(b"{}"),
        headers={**office.organizer.headers, "Transfer-Encoding": "chunked"},
    )
    for answer in (closing, read, streamed):
        assert (answer.status_code, answer.json["code"]) == (400, "bad_request")
        assert RUSSIAN.search(answer.json["detail"])
    assert office.organizer.get("/pools/P1").json["status"] == "open"


def test_a_query_where_none_is_read_is_refused_and_does_nothing(office: Office) -> None:
    pool = office.pool()
    for answer in (
        office.organizer.get("/pools/P1", status="open"),
        office.organizer.get(f"/events/{pool['event_id']}", status="open"),
        office.client.post("/api/v1/pools/P1/closing?status=open", headers={**office.organizer.headers, **KEY}),
        office.client.post("/api/v1/calculators/tote?status=open", json={}),
        office.organizer.get("/pools", status="open"),
    ):
        assert (answer.status_code, answer.json["code"]) == (422, "validation_failed")
        assert answer.json["errors"]["query"] == {"status": ["Неизвестное поле."]}
    assert office.organizer.get("/pools/P1").json["status"] == "open"


KEY = {"Idempotency-Key": "strict-key-0002"}


def test_a_parameter_said_twice_is_refused_even_if_it_says_the_same(office: Office) -> None:
    for query in ("limit=1&limit=2", "limit=1&limit=1", "cursor=0&limit=1&cursor=0"):
        answer = office.client.get(f"/api/v1/pools?{query}", headers=office.organizer.headers)
        assert answer.status_code == 422
        (said,) = answer.json["errors"]["query"].values()
        assert said == ["Параметр передан больше одного раза."]


TEXTS_KEPT = {
    "/users": {"login": "x\0", "name": "Имя", "role": "auditor", "password": "long enough pass"},
    "/desks": {"code": "K-9", "place": "Минск\0", "certificate": "1", "cash_register": "1"},
    "/players": {
        "login": "x\0",
        "password": "long enough pass",
        "surname": "И",
        "name": "П",
        "birth_date": "1990-01-01",
    },
}


def test_nul_in_a_text_is_422_and_nothing_is_kept(office: Office) -> None:
    """PostgreSQL keeps no such text: what a field lets through is refused all the same, and not by a 500."""
    office.pool()
    for path, body in TEXTS_KEPT.items():
        member = office.cashier if path == "/players" else office.administrator
        answer = member.post(path, body)
        assert (answer.status_code, answer.json["code"]) == (422, "validation_failed"), path
    for signing in ({"login": "a\0", "password": "b"}, {"login": "administrator", "password": "b\0"}):
        answer = office.client.post("/api/v1/sessions", json=signing)
        assert answer.status_code in (401, 422), answer.json
    assert office.client.post("/api/v1/calculators/tote", json={"calculator": "tote", "id": "\0"}).status_code == 422


def test_nul_that_reaches_the_database_is_422(office: Office, monkeypatch: Any) -> None:
    """The net under all fields: a route to come whose field lets it through."""

    def look_up(session: Any, code: str) -> Any:
        return session.connection().exec_driver_sql("SELECT id FROM pools WHERE code = %(code)s", {"code": "P1\0"})

    monkeypatch.setattr("api.tote.routes.pool_by_code", look_up)
    answer = office.organizer.get("/pools/P1")
    assert (answer.status_code, answer.json["code"]) == (422, "validation_failed")
    assert answer.json["detail"] == "Уберите из текста знак с кодом 0."


def test_a_header_sent_twice_is_refused(office: Office, tmp_path: Path) -> None:
    """Two keys are no key: nobody could say which of them the bet was made under."""
    office.pool()
    with served(house_on(office.urls, tmp_path)) as url:
        address = urlsplit(url)
        connection = http.client.HTTPConnection(address.hostname or "", address.port)
        body = json.dumps(BET).encode()
        connection.putrequest("POST", "/api/v1/pool-bets")
        for name, value in (
            *office.cashier.headers.items(),
            ("Idempotency-Key", "twice-key-0001"),
            ("Idempotency-Key", "twice-key-0001"),
            ("Content-Type", "application/json"),
            ("Content-Length", str(len(body))),
        ):
            connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        told = json.loads(answer.read())
        connection.close()
    assert (answer.status, told["code"]) == (422, "validation_failed")
    assert list(told["errors"]["headers"]) == ["Idempotency-Key"]
    assert office.balance("pool", "pool:P1") == "0.00"


ANYTHING = {("NewSettingVersion", "value")}
"""What a setting's own kind limits, which the register knows and no form."""
LIMITS = {
    "string": {"maxLength", "pattern", "enum", "format"},
    "integer": {"maximum"},
    "array": {"maxItems"},
    "object": {"$ref", "anyOf", "enum", "maxProperties"},
    "boolean": {"type"},
}


def forms_sent(office: Office) -> Iterator[tuple[str, dict[str, Any]]]:
    """The schemas of all that is sent, those within one another included, by name."""
    description = office.contract.description
    acts = [act for acts in description["paths"].values() for act in acts.values() if "requestBody" in act]
    told = json.dumps([act["requestBody"] for act in acts])
    wanted, seen = set(re.findall(r"schemas/(\w+)", told)), set()
    while wanted - seen:
        name = (wanted - seen).pop()
        seen.add(name)
        form = description["components"]["schemas"][name]
        wanted |= set(re.findall(r"schemas/(\w+)", json.dumps(form)))
        yield name, form


def test_every_field_that_is_sent_tells_its_limits(office: Office) -> None:
    """A text without a longest length or a number without a largest is a door left open, in whatever route."""
    forms = dict(forms_sent(office))
    assert {"NewPool", "Outcome", "NewPayout", "NewDocument", "BatchLine"} <= forms.keys()
    for name, form in forms.items():
        assert form["additionalProperties"] is False, name
        for field, limited in form["properties"].items():
            kind = limited.get("type", "enum" if "enum" in limited else "object")
            if (name, field) in ANYTHING:
                continue
            wanted = LIMITS.get(kind if isinstance(kind, str) else kind[0], {"$ref", "anyOf", "enum"})
            assert wanted & limited.keys(), (name, field)
