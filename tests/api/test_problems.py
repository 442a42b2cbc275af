"""Every error is a problem document of RFC 9457 with a code of the one table; what is refused leaves no trace."""

from __future__ import annotations

import ast
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from api.errors import BY_STATUS, PROBLEMS
from db.session import transaction
from tests.office import Office

ROOT = Path(__file__).parents[2]
ROOMS = ("api", "bookmaker", "desk", "events", "ledger", "office", "players", "reports", "tote")
OF_THE_WEB_LAYER = set(BY_STATUS.values()) | {
    "amount_out_of_range",
    "clock_shifted",
    "database_unavailable",
    "database_read_only",
    "internal_error",
    "invalid_json",
    "rule_broken",
    "too_busy",
    "too_many_rows",
    "two_databases",
    "wrong_revision",
}
"""Codes no act refuses with: the web layer gives them itself."""


def refused_codes() -> Iterator[str]:
    """The first argument of every ``Refusal(...)`` in the source."""
    for room in ROOMS:
        for file in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "Refusal":
                    match node.args:
                        case [ast.Constant(str(code)), *_]:
                            yield code


def test_the_table_holds_every_code_that_is_used_and_no_other() -> None:
    assert set(refused_codes()) | OF_THE_WEB_LAYER == set(PROBLEMS)


def test_statuses_are_those_of_errors_and_titles_differ() -> None:
    statuses = {status for status, _ in PROBLEMS.values()}
    assert statuses <= {400, 401, 403, 404, 405, 409, 411, 413, 415, 422, 429, 500, 503}
    titles = [title for _, title in PROBLEMS.values()]
    assert all(titles) and len(set(titles)) == len(titles)


def assert_problem(answer: TestResponse, status: int, code: str) -> None:
    """A document as the standard wants it, with our stable code."""
    told = answer.get_json(force=True)
    assert (answer.status_code, told["code"]) == (status, code), told
    assert answer.content_type == "application/problem+json"
    assert told["status"] == status
    assert told["title"] == PROBLEMS[code][1] and told["type"] == "about:blank"
    assert told["detail"]


BODIES_THAT_ARE_NO_JSON = {
    "nothing": b"",
    "broken": b'{"pool": "P1",',
    "a name twice": b'{"pool": "P1", "pool": "P2", "outcome": "1", "stake": "1.00"}',
    "a name twice, deeper": b'{"pool": {"a": 1, "a": 2}}',
    "NaN": b'{"pool": "P1", "outcome": "1", "stake": NaN}',
    "Infinity": b'{"pool": "P1", "outcome": "1", "stake": -Infinity}',
    "a number that is none": b'{"pool": "P1", "outcome": "1", "stake": 1e999}',
    "endless digits": b'{"stake": ' + b"9" * 5000 + b"}",
    "nested deeply": b"[" * 100_000,
    "Latin-1": '{"pool": "\xff"}'.encode("latin-1"),
    "half a surrogate pair": rb'{"pool": "\ud800", "outcome": "1", "stake": "1.00"}',
    "half a pair as a name": rb'{"\uDFFF": 1}',
    "half a pair in bytes": b'{"pool": "\xed\xa0\x80"}',
    "UTF-16": '{"pool": "P1"}'.encode("utf-16"),
}


def test_a_body_that_is_no_strict_json_is_400(office: Office) -> None:
    headers = {**office.cashier.headers, "Idempotency-Key": "a-key-of-bodies"}
    for name, body in BODIES_THAT_ARE_NO_JSON.items():
        answer = office.client.post("/api/v1/pool-bets", data=body, content_type="application/json", headers=headers)
        assert answer.status_code == 400, name
        assert_problem(answer, 400, "invalid_json")


def test_json_that_is_no_object_is_422(office: Office) -> None:
    for body in ("[]", "null", '"P1"', "7", "true"):
        answer = office.client.post("/api/v1/sessions", data=body, content_type="application/json")
        assert_problem(answer, 422, "validation_failed")
        # `null` is no answer to a request that wants fields, and says so field by field.
        assert "_schema" not in answer.json["detail"]
    listed = office.client.post("/api/v1/sessions", data="[]", content_type="application/json")
    assert listed.json["detail"] == "Нужен объект JSON."


def test_another_type_of_body_is_415(office: Office) -> None:
    told = '{"login": "administrator", "password": "x"}'
    for kind in ("text/plain", "application/x-www-form-urlencoded", "application/xml", ""):
        answer = office.client.post("/api/v1/sessions", data=told, content_type=kind)
        assert_problem(answer, 415, "unsupported_media_type")


def test_a_body_over_four_mebibytes_is_413(office: Office) -> None:
    body = b'{"login": "' + b"a" * (4 * 1024 * 1024) + b'"}'
    answer = office.client.post("/api/v1/sessions", data=body, content_type="application/json")
    assert_problem(answer, 413, "payload_too_large")


WRONG_AMOUNTS = {
    "a number": 10,
    "a fraction": 0.1,
    "more digits than a float keeps": 12345678901234567.89,
    "true": True,
    "null": None,
    "a list": ["1.00"],
    "nothing": "",
    "zero": "0.00",
    "minus zero": "-0",
    "negative": "-100.00",
    "with a plus": "+1.00",
    "an exponent": "1e2",
    "a capital exponent": "1E2",
    "three places": "1.005",
    "three places of zero": "1.000",
    "a comma": "1,00",
    "spaces": " 1.00",
    "a line feed": "1.00\n",
    "groups": "1 000.00",
    "underscores": "1_000.00",
    "no digits before the point": ".50",
    "no digits behind the point": "1.",
    "NaN": "NaN",
    "Infinity": "Infinity",
    "Arabic digits": "١٢.٠٠",
    "wide digits": "１２.００",
    "a Cyrillic О for a zero": "1О.00",
    "a kopeck over what is told": "100000000000.01",
    "a kopeck over BIGINT": "92233720368547758.08",
    "endless": "9" * 5000,
    "NUL": "1.00\x00",
}


def test_a_wrong_amount_is_422_and_books_nothing(office: Office) -> None:
    office.pool()
    for name, amount in WRONG_AMOUNTS.items():
        for path, body in (
            ("/pool-bets", {"pool": "P1", "outcome": "1", "stake": amount}),
            ("/deposits", {"player": "nobody", "amount": amount}),
        ):
            answer = office.cashier.post(path, body)
            assert answer.status_code == 422, (name, path)
            assert_problem(answer, 422, "validation_failed")
            assert list(answer.json["errors"]["json"]) == list(body)[-1:], name
    assert office.balance("pool", "pool:P1") == "0.00"


def test_the_largest_amount_is_read_exactly_and_refused_for_the_pool(office: Office) -> None:
    """Ten to the 13 kopecks are the most a request may name; the pool takes 10000.00 at the most."""
    office.pool()
    answer = office.bet(office.cashier, "1", "100000000000.00")
    assert_problem(answer, 422, "stake_over_maximum")
    assert answer.json["maximum"] == "10000.00"


def test_a_sum_beyond_what_can_be_kept_is_422_and_undone(office: Office) -> None:
    """The account already holds 2^63 - 1 kopecks, put there by the owner's hand: not a kopeck more can be kept."""
    player = office.player("croesus")
    with transaction(office.owner) as session:
        session.connection().exec_driver_sql("UPDATE balances SET balance = 9223372036854775807")
    answer = office.cashier.post("/deposits", {"player": "croesus", "amount": "0.01"})
    assert_problem(answer, 422, "amount_out_of_range")
    assert player.get("/players/me").json["balance"] == "92233720368547758.07"
    assert office.balance("cash", "desk:K-1") == "100.00"
    with transaction(office.owner) as session:
        session.connection().exec_driver_sql("UPDATE balances SET balance = 0")


def test_wrong_texts_and_unknown_fields_are_422(office: Office) -> None:
    pool = {
        "code": "P1",
        "name": "Исход",
        "game": "totolot_variant",
        "event_id": 1,
        "opens_at": "2022-11-22T08:00:00+03:00",
        "closes_at": "2022-11-22T12:55:00+03:00",
        "minimum_stake": "1.00",
        "maximum_stake": "10.00",
        "outcomes": [{"code": "1", "name": "П1"}, {"code": "2", "name": "П2"}],
    }
    wrongs = {
        "an unknown field": {"colour": "red"},
        "an unknown field, deeper": {"outcomes": [{"code": "1", "name": "П1", "odds": "2"}, *pool["outcomes"][1:]]},
        "NUL": {"name": "Исход\x00"},
        "a line feed": {"name": "Исход\nматча"},
        "a line feed at the end": {"code": "P1\n"},
        "an empty name": {"name": ""},
        "a name too long": {"name": "И" * 201},
        "a slash in a code": {"code": "P/1"},
        "a path for a code": {"code": ".."},
        "a code too long": {"code": "P" * 41},
        "no offset": {"opens_at": "2022-11-22T08:00:00"},
        "no instant": {"opens_at": "tomorrow"},
        "before the calendar": {"opens_at": "0001-01-01T00:00:00+14:00"},
        "behind the calendar": {"closes_at": "9999-12-31T23:59:59-14:00"},
        "an id as text": {"event_id": "1"},
        "an id that is a fraction": {"event_id": 1.5},
        "an id beyond BIGINT": {"event_id": 2**63},
        "one outcome": {"outcomes": pool["outcomes"][:1]},
        "a coefficient as a number": {"minimum_coefficient": 1.05},
        "a coefficient under one": {"minimum_coefficient": "0.99"},
        "a coefficient of four places": {"minimum_coefficient": "1.0500"},
        "a coefficient cut short": {"minimum_coefficient": "1."},
        "an exponent": {"minimum_coefficient": "1e3"},
    }
    for name, wrong in wrongs.items():
        answer = office.organizer.post("/pools", {**pool, **wrong})
        assert answer.status_code == 422, (name, answer.json)
        assert_problem(answer, 422, "validation_failed")
        assert list(answer.json["errors"]["json"]) == list(wrong), name
    assert office.organizer.get("/pools").json["items"] == []


def test_queries_are_read_strictly(office: Office) -> None:
    for query in ({"limit": 0}, {"limit": 201}, {"cursor": -1}, {"cursor": 2**63}, {"cursor": "x"}, {"page": 2}):
        assert_problem(office.organizer.get("/pools", **query), 422, "validation_failed")


def test_a_rule_of_the_game_broken_names_rule_and_field(office: Office) -> None:
    body = {**office.pool(), "game": "lotto", "code": "P2"}
    told = {
        name: body[name] for name in body if name not in ("id", "currency", "fund_percent", "matches", "status", "stop")
    }
    answer = office.organizer.post("/pools", told)
    assert_problem(answer, 422, "rule_broken")
    assert (answer.json["rule"], answer.json["field"]) == ("unknown_game", "game")
    known = "sportloto_position, sportloto_variant, totolot_position, totolot_variant"
    assert answer.json["detail"] == f"Такой игры нет. Проводятся: {known}."


NO_SUCH_PATHS = (
    "/api/v1/nothing",
    "/api/v1/pools/%00",
    "/api/v1/pools/..%2F..%2Fetc",
    "/api/v1/tickets/0",
    "/api/v1/tickets/-1",
    "/api/v1/tickets/9223372036854775808",
    "/api/v1/tickets/" + "9" * 5000,
    "/api/v1/shifts/٣",
    "/api/v1/idempotency-keys/short",
    "/api/v1/idempotency-keys/nul-in-key%00",
)


def test_paths_that_name_nothing_are_404(office: Office) -> None:
    for path in NO_SUCH_PATHS:
        assert_problem(office.client.get(path, headers=office.cashier.headers), 404, "not_found")
    assert_problem(office.organizer.get("/pools/P9"), 404, "unknown_pool")
    assert_problem(office.organizer.get("/events/9"), 404, "not_found")
    assert_problem(office.organizer.get("/tickets/9"), 404, "not_found")
    assert_problem(office.cashier.get("/shifts/9"), 404, "not_found")


def test_another_method_is_405_and_told_which_are_there(office: Office) -> None:
    answer = office.client.delete("/api/v1/pools")
    assert_problem(answer, 405, "method_not_allowed")
    assert {"GET", "POST"} <= {name.strip() for name in answer.headers["Allow"].split(",")}


def test_bets_on_what_there_is_not_are_told_what_there_is(office: Office) -> None:
    office.pool()
    assert_problem(office.bet(office.cashier, "1", "1.00", pool="P9"), 404, "unknown_pool")
    answer = office.bet(office.cashier, "3", "1.00")
    assert_problem(answer, 422, "unknown_outcome")
    assert answer.json["outcomes"] == ["1", "2", "X"]


@pytest.mark.parametrize("key", [None, "short", "with a space in it", "slash/in/the/key", "ключ-ключ", "k" * 129])
def test_an_act_with_money_wants_a_key_that_fits_a_path(office: Office, key: str | None) -> None:
    told = {} if key is None else {"Idempotency-Key": key.encode().decode("latin-1")}
    body = {"player": "nobody", "amount": "1.00"}
    answer = office.client.post("/api/v1/deposits", json=body, headers={**office.cashier.headers, **told})
    assert_problem(answer, 422, "validation_failed")
    assert list(answer.json["errors"]["headers"]) == ["Idempotency-Key"]


def test_a_body_of_unknown_length_is_411(office: Office) -> None:
    """Cut off at the limit it would be read without its rest."""
    answer = office.client.post(
        "/api/v1/sessions",
        input_stream=io.BytesIO(b"{}"),
        content_type="application/json",
        headers={"Transfer-Encoding": "chunked"},
    )
    assert_problem(answer, 411, "length_required")


def test_a_person_is_told_in_russian_what_to_mend(office: Office) -> None:
    office.pool()
    answer = office.cashier.post("/pool-bets", {"pool": "P1", "stake": "5,00"}).json
    assert answer["detail"] == "Исправьте поля: outcome, stake."
    assert answer["errors"]["json"] == {
        "outcome": ["Поле обязательно."],
        "stake": ["Нужны цифры с точкой, например 12.50."],
    }
