"""A line for each request: by its number, who did what and how it ended, and nothing of what was sent (D-16)."""

from __future__ import annotations

from typing import Any

import pytest
import structlog
from werkzeug.test import TestResponse

from db.engines import engine_for
from db.session import sessions_on
from tests.api.lines import lines_of, requests_in
from tests.office import PASSWORD, Member, Office

SENT = "till-7:2022-11-22.000123"
DOCUMENT, NAME, AUTHORITY = "MP7654321", "Секретный", "Заводским РУВД"


@pytest.mark.parametrize("sent", [SENT, "a" * 8, "a" * 128, "550e8400-e29b-41d4-a716-446655440000"])
def test_a_number_fit_to_be_repeated_is_kept(office: Office, capfd: Any, sent: str) -> None:
    answer = office.client.get("/healthz", headers={"X-Request-Id": sent})
    assert answer.headers["X-Request-Id"] == sent
    assert requests_in(capfd.readouterr().err)[-1]["request_id"] == sent


@pytest.mark.parametrize(
    "sent", ["", "a" * 7, "a" * 129, "with a space", 'with"quote', "{braces}", "имя-игрока", "a\tb-c-d-e"]
)
def test_any_other_is_replaced_by_one_of_ours(office: Office, capfd: Any, sent: str) -> None:
    headers = {"X-Request-Id": sent.encode().decode("latin-1")}
    made = [office.client.get("/healthz", headers=headers).headers["X-Request-Id"] for _ in range(2)]
    assert len(set(made)) == 2 and {len(one) for one in made} == {32}
    assert [line["request_id"] for line in requests_in(capfd.readouterr().err)[-2:]] == made


def test_every_answer_has_its_number(office: Office, monkeypatch: Any) -> None:
    """Answers of the application, of its gate, of routing, of a broken rule of HTTP, and of a fault of ours."""
    cashier = office.cashier
    office.pool()
    answers = [
        office.client.get("/api/v1/pools"),
        cashier.get("/pools"),
        cashier.get("/pools/P9"),
        office.client.get("/nowhere"),
        office.client.delete("/api/v1/pools"),
        cashier.post("/pool-bets", {}),
        office.client.post("/api/v1/sessions", data="{", content_type="application/json"),
    ]
    monkeypatch.setattr("api.tote.routes.pool_by_code", None)
    answers.append(cashier.get("/pools/P1"))
    assert [answer.status_code for answer in answers] == [401, 200, 404, 404, 405, 422, 400, 500]
    assert len({answer.headers["X-Request-Id"] for answer in answers}) == len(answers)


def test_a_fault_of_ours_is_told_with_the_number_its_lines_have(office: Office, monkeypatch: Any, capfd: Any) -> None:
    organizer = office.organizer
    monkeypatch.setattr("api.tote.routes.pool_by_code", None)
    capfd.readouterr()
    answer = organizer.get("/pools/P1")
    fault, line = lines_of(capfd.readouterr().err)
    assert answer.json["request_id"] == answer.headers["X-Request-Id"] == fault["request_id"] == line["request_id"]
    assert (fault["event"], fault["level"], fault["route"]) == (
        "unexpected_error",
        "error",
        "/api/v1/pools/<code:code>",
    )
    assert "TypeError" in fault["exception"] and "Traceback" in fault["exception"]
    assert (line["status"], line["problem"]) == (500, "internal_error")


def test_a_refusal_names_no_number_so_that_its_repeat_is_the_same(office: Office) -> None:
    told = [office.bet(office.cashier, "1", "1.00", key="unknown-pool-01") for _ in range(2)]
    assert told[0].status_code == 404 and "request_id" not in told[0].json
    assert told[0].text == told[1].text


def test_overload_is_told_with_its_number(office: Office, capfd: Any) -> None:
    organizer = office.organizer
    office.house.engine = engine_for(office.urls.app, pool_size=1)
    office.house.engine.pool._timeout = 0.1
    office.house.sessions = sessions_on(office.house.engine)
    capfd.readouterr()
    with office.house.engine.connect():
        answer = organizer.get("/pools")
    office.house.engine.dispose()
    busy, line = lines_of(capfd.readouterr().err)
    assert answer.json["request_id"] == busy["request_id"] == line["request_id"]
    assert (busy["event"], busy["error"], line["problem"]) == ("database_unavailable", "TimeoutError", "too_busy")


def test_a_line_tells_who_did_what_by_numbers(office: Office, capfd: Any) -> None:
    office.pool()
    cashier, player = office.cashier, office.player("ivan", "10.00")
    capfd.readouterr()
    office.bet(cashier, "1", "1.00", key="told-twice-0001")
    office.bet(cashier, "1", "1.00", key="told-twice-0001")
    office.bet(player, "1", "0.01")
    first, again, refused = requests_in(capfd.readouterr().err)

    took = {line.pop("duration_ms") for line in (first, again, refused)}
    assert all(0 < milliseconds < 60_000 for milliseconds in took)
    for line in (first, again, refused):
        del line["time"], line["request_id"]
    bet = {"level": "info", "event": "request", "method": "POST", "route": "/api/v1/pool-bets"}
    desk = {"role": "cashier", "user_id": first["user_id"], "terminal_id": 1}
    assert first == {**bet, "status": 201, **desk}
    assert again == {**bet, "status": 201, **desk, "replayed": True}
    assert refused == {**bet, "status": 422, "role": "player", "player_id": 1, "problem": "stake_under_minimum"}


def test_nothing_is_known_of_a_request_when_it_is_over(office: Office, capfd: Any) -> None:
    office.client.get("/healthz", headers={"X-Request-Id": SENT})
    structlog.get_logger().info("afterwards")
    assert "request_id" not in lines_of(capfd.readouterr().err)[-1]


def test_no_line_repeats_what_was_sent(office: Office, monkeypatch: Any, capfd: Any) -> None:
    """FIELD-FAULTS 117: paid, refused, mistyped, failed with an open fault, searched for, and sent to no route."""
    office.pool()
    cashier = office.cashier
    code = office.bet(cashier, "1", "10.00").json["code"]
    payout = {
        "code": code,
        "code_entry": "scanned",
        "surname": NAME,
        "name": "Иван",
        "document": {"kind": "паспорт", "number": DOCUMENT, "issued_on": "2015-03-01", "issued_by": AUTHORITY},
    }
    query = {"surname": NAME, "document": DOCUMENT, "code": code, "access_token": cashier.token}
    capfd.readouterr()
    for wrong in (PASSWORD, "a-wrong-password"):
        office.client.post("/api/v1/sessions", json={"login": "administrator", "password": wrong})
    asked = [
        cashier.post("/payouts", payout),
        cashier.post("/payouts", {**payout, "document": {**payout["document"], "issued_on": "вчера"}}),
        cashier.get("/payouts", **query),
        cashier.get("/tickets/1", **query),
        office.client.get(f"/search/{NAME}/{DOCUMENT}/{code}", query_string=query, headers=cashier.headers),
        _cut_off(office, cashier, f'{{"code": "{code}", "surname": "{NAME}"'),
    ]
    monkeypatch.setattr("api.desk.payouts.pay", _failing_on(payout))
    asked.append(cashier.post("/payouts", payout))

    written = capfd.readouterr().err
    assert [answer.status_code for answer in asked] == [409, 422, 422, 422, 404, 400, 500]
    assert len(requests_in(written)) == 9
    secrets = (code, NAME, "Иван", DOCUMENT, AUTHORITY, "РУВД", cashier.token, PASSWORD, "a-wrong-password", "вчера")
    escaped = (secret.encode("unicode_escape").decode() for secret in secrets)
    assert not [secret for secret in (*secrets, *escaped) if secret in written]


def _cut_off(office: Office, cashier: Member, body: str) -> TestResponse:
    """A payout whose body broke off on its way."""
    headers = {**cashier.headers, "Idempotency-Key": "cut-off-0001", "Content-Type": "application/json"}
    return office.client.post("/api/v1/payouts", data=body.encode(), headers=headers)


def _failing_on(payout: dict[str, Any]) -> Any:
    """An act that fails with the request's secrets in its variables and in a statement's parameters."""

    def fail(session: Any, *_told: Any) -> int:
        secret = payout["document"]["number"]
        session.connection().exec_driver_sql("SELECT %(secret)s::bigint", {"secret": secret})
        return 0

    return fail
