"""A key has one meaning and one answer, whatever becomes of the bet, the pool, the balance or the login (DESIGN 4)."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from db.session import transaction
from office.callers import Role
from office.tokens import KEY_SCOPE, AccessToken, caller_of
from tests.office import PASSWORD, Member, Office

KEY = "terminal-1-000001"


def keys_on_record(office: Office) -> list[str]:
    """The rows of the keys, every column as text."""
    with transaction(office.house.sessions) as session:
        rows = session.connection().exec_driver_sql("SELECT idempotency_keys::text FROM idempotency_keys ORDER BY id")
        return list(rows.scalars())


def bet(**changed: Any) -> dict[str, Any]:
    """A bet of 10.00 on the first outcome."""
    return {"pool": "P1", "outcome": "1", "stake": "10.00", **changed}


def test_a_repeat_gets_the_same_answer_and_bets_nothing(office: Office) -> None:
    office.pool()
    first = office.cashier.post("/pool-bets", bet(), KEY)
    for _ in range(3):
        again = office.cashier.post("/pool-bets", bet(), KEY)
        assert (again.status_code, again.json) == (201, first.json)
        assert again.headers["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first.headers
    assert office.balance("pool", "pool:P1") == "10.00"


def test_the_meaning_counts_not_the_bytes(office: Office) -> None:
    """FIELD-FAULTS 060: fields reordered, 10 for 10.00, escapes and spaces: the same bet."""
    office.pool()
    first = office.cashier.post("/pool-bets", bet(), KEY).json
    headers = {**office.cashier.headers, "Idempotency-Key": KEY}
    for written in (
        '{"stake":"10.00","outcome":"1","pool":"P1"}',
        '{"pool": "P1", "outcome": "1", "stake": "10"}',
        '{"pool": "P1", "outcome": "1", "stake": "10.0"}',
        '{"pool": "\\u00501", "outcome": "1",\n "stake": "0010.00"}',
    ):
        again = office.client.post("/api/v1/pool-bets", data=written, content_type="application/json", headers=headers)
        assert (again.status_code, again.json) == (201, first), written
    assert office.balance("pool", "pool:P1") == "10.00"


def test_another_meaning_under_the_key_is_422_and_does_nothing(office: Office) -> None:
    office.pool()
    office.pool("P2")
    office.player("ivan")
    office.cashier.post("/pool-bets", bet(), KEY)
    for path, body in (
        ("/pool-bets", bet(stake="20.00")),
        ("/pool-bets", bet(outcome="2")),
        ("/pool-bets", bet(pool="P2")),
        ("/deposits", {"player": "ivan", "amount": "10.00"}),
        (f"/shifts/{office.shift_id}/closing", {"counted": "110.00"}),
    ):
        answer = office.cashier.post(path, body, KEY)
        assert (answer.status_code, answer.json["code"]) == (422, "idempotency_key_reused"), path
    assert (office.balance("pool", "pool:P1"), office.balance("pool", "pool:P2")) == ("10.00", "0.00")
    assert office.balance("cash", "desk:K-1") == "110.00"


def test_a_key_of_a_pool_is_not_a_key_of_another_pool(office: Office) -> None:
    """The route is the same, the pool in the path is another: another meaning."""
    office.pool()
    office.pool("P2")
    assert office.organizer.post("/pools/P1/closing", key=KEY).status_code == 201
    assert office.organizer.post("/pools/P2/closing", key=KEY).json["code"] == "idempotency_key_reused"
    assert office.organizer.get("/pools/P2").json["status"] == "open"


def test_a_refusal_is_repeated_even_when_its_reason_is_gone(office: Office) -> None:
    """FIELD-FAULTS 063: refused for an empty balance, refused again after the deposit; a new attempt has a new key."""
    office.pool()
    player = office.player("ivan")
    first = player.post("/pool-bets", bet(), KEY)
    assert (first.status_code, first.json["code"]) == (409, "insufficient_funds")
    office.cashier.post("/deposits", {"player": "ivan", "amount": "50.00"})

    again = player.post("/pool-bets", bet(), KEY)
    assert (again.status_code, again.json) == (409, first.json)
    assert player.post("/pool-bets", bet(stake="1.00"), KEY).json["code"] == "idempotency_key_reused"
    assert player.get("/players/me").json["balance"] == "50.00"
    assert player.post("/pool-bets", bet(), "terminal-1-000002").status_code == 201


def test_a_repeat_is_marked_whether_it_was_made_or_refused(office: Office) -> None:
    office.pool()
    marks = [
        office.bet(office.cashier, "1", stake, key=f"marked-{stake}").headers.get("Idempotency-Replayed")
        for stake in ("10.00", "10.00", "0.99", "0.99")
    ]

    assert marks == [None, "true", None, "true"]


def test_a_refusal_keeps_its_members(office: Office) -> None:
    office.pool()
    first = office.cashier.post("/pool-bets", bet(stake="0.50"), KEY)
    again = office.cashier.post("/pool-bets", bet(stake="0.50"), KEY)
    assert first.json == again.json
    assert (again.json["code"], again.json["minimum"]) == ("stake_under_minimum", "1.00")


def test_what_fails_before_the_trade_is_asked_is_not_stored(office: Office) -> None:
    """Validation, rights, a missing token: the key is still free for the bet that is meant."""
    office.pool()
    cashier = office.cashier
    stored = len(keys_on_record(office))
    assert cashier.post("/pool-bets", bet(stake="-1.00"), KEY).status_code == 422
    assert cashier.post("/pool-bets", bet(colour="red"), KEY).status_code == 422
    assert cashier.post("/treasury-movements", {"act": "own_money_in", "amount": "1.00"}, KEY).status_code == 403
    assert office.client.post("/api/v1/pool-bets", json=bet(), headers={"Idempotency-Key": KEY}).status_code == 401
    assert len(keys_on_record(office)) == stored
    answer = cashier.post("/pool-bets", bet(), KEY)
    assert (answer.status_code, "Idempotency-Replayed" in answer.headers) == (201, False)


def test_the_scope_is_the_terminal_whoever_works_there(office: Office) -> None:
    """A new login, another cashier at the same terminal: the same bet. Another terminal of the desk: its own keys."""
    office.pool()
    first = office.cashier.post("/pool-bets", bet(), KEY).json
    office.hire("relief", Role.CASHIER)
    for login in ("cashier", "relief"):
        again = office.sign_in(login, terminal=office.terminal).post("/pool-bets", bet(), KEY)
        assert (again.json, again.headers.get("Idempotency-Replayed")) == (first, "true")

    beside = office.cashier_at(office.desk, "T-2", "beside", cash=None)
    assert beside.get(f"/idempotency-keys/{KEY}").status_code == 404
    other = beside.post("/pool-bets", bet(), KEY)
    assert (other.status_code, "Idempotency-Replayed" in other.headers) == (201, False)
    assert other.json["number"] != first["number"]
    assert office.balance("pool", "pool:P1") == "20.00"


def test_the_scope_is_the_player_wherever_signed_in(office: Office) -> None:
    office.pool()
    ivan, olga = office.player("ivan", "10.00"), office.player("olga", "10.00")
    first = ivan.post("/pool-bets", bet(), KEY).json
    signed_in = office.client.post("/api/v1/player-sessions", json={"login": "ivan", "password": PASSWORD}).json
    ivan.token = signed_in["token"]
    assert ivan.post("/pool-bets", bet(), KEY).json == first
    assert olga.get(f"/idempotency-keys/{KEY}").status_code == 404
    assert olga.post("/pool-bets", bet(), KEY).json["number"] != first["number"]


def test_a_repeat_is_answered_alike_when_balance_pool_and_ticket_have_moved_on(office: Office) -> None:
    """The stake was all the player had; later the pool is closed, settled, and the win credited."""
    pool = office.pool()
    player = office.player("ivan", "10.00")
    online = player.post("/pool-bets", bet(), KEY)
    at_desk = office.cashier.post("/pool-bets", bet(outcome="2"), KEY)
    assert player.get("/players/me").json["balance"] == "0.00"
    assert player.post("/pool-bets", bet(), KEY).json == online.json

    office.decide(pool, "1")
    assert player.post("/pool-bets", bet(), KEY).json == online.json
    assert office.cashier.post("/pool-bets", bet(outcome="2"), KEY).json == at_desk.json
    assert player.get(f"/tickets/{online.json['number']}").json["status"] == "credited"


def test_closing_and_settling_are_repeated_alike(office: Office) -> None:
    pool = office.pool()
    office.bet(office.cashier, "1", "10.00")
    office.bet(office.cashier, "2", "10.00")
    closed = office.organizer.post("/pools/P1/closing", key=KEY)
    office.clock("2022-11-22T16:00:00+03:00")
    path = f"/events/{pool['event_id']}"
    result = office.organizer.post(path + "/results", {"outcomes": ["1"], "source": "протокол"}).json["id"]
    office.second_organizer.post(path + "/protocols", {"result_id": result, "signatories": ["Первый"]})
    settled = office.organizer.post("/pools/P1/settlement", key="settle-P1-0001")
    assert office.organizer.post("/pools/P1/closing", key=KEY).json == closed.json
    assert office.organizer.post("/pools/P1/settlement", key="settle-P1-0001").json == settled.json
    # With another key the closing is refused, and settling tells what stands: nothing is booked twice.
    assert office.organizer.post("/pools/P1/closing").json["code"] == "pool_already_closed"
    assert office.organizer.post("/pools/P1/settlement").json == settled.json


def test_a_payout_is_repeated_and_not_paid_twice(office: Office) -> None:
    pool = office.pool()
    ticket = office.bet(office.cashier, "1", "10.00").json
    office.bet(office.cashier, "2", "10.00")
    office.decide(pool, "1")
    office.clock("2022-11-23T10:00:00+03:00")
    first = office.pay(ticket["code"], key=KEY)
    spelt = office.pay(ticket["code"].lower(), key=KEY)
    assert (first.status_code, spelt.status_code) == (201, 201)
    assert spelt.json == first.json
    assert office.pay(ticket["code"]).json["code"] == "already_paid"
    assert office.balance("cash", "desk:K-1") == "108.00"


def test_a_terminal_that_lost_the_answer_asks_by_the_key(office: Office) -> None:
    """FIELD-FAULTS 064: the ticket it was given, the refusal it got, or nothing known."""
    office.pool()
    made = office.cashier.post("/pool-bets", bet(), KEY).json
    office.cashier.post("/pool-bets", bet(stake="0.50"), "terminal-1-000002")

    shown = office.cashier.get(f"/idempotency-keys/{KEY}").json
    assert (shown["outcome"], shown["reference"], shown["route"]) == ("made", made["number"], "POST /api/v1/pool-bets")
    refused = office.cashier.get("/idempotency-keys/terminal-1-000002").json
    assert (refused["outcome"], refused["code"], refused["reference"]) == ("refused", "stake_under_minimum", None)
    assert refused["title"] and refused["detail"]
    unknown = office.cashier.get("/idempotency-keys/terminal-1-000003")
    assert (unknown.status_code, unknown.json["code"]) == (404, "not_found")


def test_stored_keys_hold_no_code_no_document_and_no_name(office: Office) -> None:
    pool = office.pool()
    ticket = office.bet(office.cashier, "1", "10.00").json
    office.bet(office.cashier, "2", "10.00")
    office.decide(pool, "1")
    office.clock("2022-11-23T10:00:00+03:00")
    assert office.pay(ticket["code"]).status_code == 201
    assert office.pay("AAAA-BBBB-CCCC-DDDD").status_code == 404
    rows = keys_on_record(office)
    assert len(rows) > 5
    secrets = (ticket["code"], ticket["code"].encode().hex(), "AAAABBBB", "MP1234567", "Петров")
    assert not [secret for secret in secrets for row in rows if secret.lower() in row.lower()]


def test_an_accountants_keys_are_the_persons_at_whatever_terminal(office: Office) -> None:
    """Signed in at a terminal and then without one: the same key is the same movement."""
    assert office.cashier
    at_terminal = office.sign_in("accountant", terminal=office.terminal)
    told = {"act": "own_money_in", "amount": "1.00"}
    made = at_terminal.post("/treasury-movements", told, key="accountants-key")
    again = office.accountant.post("/treasury-movements", told, key="accountants-key")

    assert (made.status_code, again.json) == (201, made.json)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert office.cashier.get("/idempotency-keys/accountants-key").status_code == 404


def test_a_code_told_again_to_another_cashier_or_much_later_is_noted(office: Office) -> None:
    """At once to who sold it: nothing. To a colleague at the same terminal, and a quarter of an hour later: noted."""
    office.pool()
    number = office.bet(office.cashier, "1", "10.00", key="told-again-0001").json["number"]
    assert office.bet(office.cashier, "1", "10.00", key="told-again-0001").status_code == 201
    assert events_of(office) == []
    office.hire("colleague", Role.CASHIER)
    colleague = office.sign_in("colleague", terminal=office.terminal)
    assert office.bet(colleague, "1", "10.00", key="told-again-0001").status_code == 201
    office.clock("2022-11-22T08:16:00+03:00")
    assert office.bet(office.cashier, "1", "10.00", key="told-again-0001").status_code == 201
    assert [(event["subject"], event["facts"]["late"]) for event in events_of(office)] == [
        (f"ticket:{number}", True),
        (f"ticket:{number}", False),
    ]


def events_of(office: Office) -> list[dict[str, Any]]:
    """What was noted of codes told again, the latest first."""
    answer = office.administrator.get("/significant-events", kind="ticket_code_told_again")
    return list(answer.json["items"])


@pytest.mark.parametrize("role", Role)
def test_the_database_finds_a_key_in_the_scope_that_it_was_stored_in(office: Office, role: Role) -> None:
    """The scope is told twice, to whoever stores and in the query that looks: for every role they are one."""
    member: Member = office.player("ivan") if role is Role.PLAYER else getattr(office, role.value)
    with transaction(office.house.sessions) as session:
        token = member.headers["Authorization"].removeprefix("Bearer ")
        caller = caller_of(session, token)
        assert caller is not None and caller.role is role
        scopes = session.scalars(select(KEY_SCOPE).where(AccessToken.id == caller.token_id)).all()
    assert scopes == [caller.key_scope]
