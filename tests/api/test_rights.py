"""Who may call what: the written table against the routes there are, and every role at every route."""

from __future__ import annotations

import re

import pytest

from db.session import transaction
from office.callers import Caller as Holder
from office.callers import Role
from office.tokens import issue_token
from players.models import Player
from tests.office import PASSWORD, Member, Office

ADMINISTRATOR, ORGANIZER, TRADER, SUPERVISOR = Role.ADMINISTRATOR, Role.ORGANIZER, Role.TRADER, Role.SUPERVISOR
CASHIER, PLAYER, ACCOUNTANT, AUDITOR = Role.CASHIER, Role.PLAYER, Role.ACCOUNTANT, Role.AUDITOR
ANYBODY = None
EVERY_ROLE = set(Role)
READERS = {ORGANIZER, TRADER, SUPERVISOR, ACCOUNTANT, AUDITOR}
WATCHERS = {ADMINISTRATOR, ORGANIZER, SUPERVISOR, ACCOUNTANT, AUDITOR}
OFFICE = READERS | {ADMINISTRATOR}
BOOKS = {ORGANIZER, ACCOUNTANT, AUDITOR}
DESKS = BOOKS | {SUPERVISOR}

ROUTES = {
    "GET /healthz": ANYBODY,
    "GET /readyz": ANYBODY,
    "GET /metrics": ANYBODY,
    "POST /api/v1/sessions": ANYBODY,
    "POST /api/v1/player-sessions": ANYBODY,
    "DELETE /api/v1/sessions/current": EVERY_ROLE,
    "PUT /api/v1/own-password": EVERY_ROLE,
    "POST /api/v1/users": {ADMINISTRATOR},
    "GET /api/v1/users": {ADMINISTRATOR, AUDITOR},
    "GET /api/v1/users/<int:user_id>": {ADMINISTRATOR, AUDITOR},
    "PATCH /api/v1/users/<int:user_id>": {ADMINISTRATOR},
    "POST /api/v1/users/<int:user_id>/locking": {ADMINISTRATOR},
    "POST /api/v1/users/<int:user_id>/unlocking": {ADMINISTRATOR},
    "POST /api/v1/users/<int:user_id>/password-reset": {ADMINISTRATOR},
    "GET /api/v1/users/<int:user_id>/sessions": {ADMINISTRATOR, AUDITOR},
    "POST /api/v1/users/<int:user_id>/sessions-ending": {ADMINISTRATOR},
    "GET /api/v1/approvals": {CASHIER, SUPERVISOR, ORGANIZER, AUDITOR},
    "GET /api/v1/approvals/<int:approval_id>": {CASHIER, SUPERVISOR, ORGANIZER, AUDITOR},
    "POST /api/v1/approvals/<int:approval_id>/decision": {CASHIER, SUPERVISOR, ORGANIZER},
    "POST /api/v1/desks": {ADMINISTRATOR},
    "GET /api/v1/desks": WATCHERS | {CASHIER},
    "GET /api/v1/desks/<int:desk_id>": WATCHERS | {CASHIER},
    "POST /api/v1/desks/<int:desk_id>/withdrawal": {ADMINISTRATOR},
    "POST /api/v1/desks/<int:desk_id>/terminals": {ADMINISTRATOR},
    "POST /api/v1/desks/<int:desk_id>/contracts": {ADMINISTRATOR},
    "POST /api/v1/desks/<int:desk_id>/contract-ending": {ADMINISTRATOR},
    "POST /api/v1/desks/<int:desk_id>/cash-limits": {ACCOUNTANT},
    "GET /api/v1/desks/<int:desk_id>/cash": WATCHERS | {CASHIER},
    "POST /api/v1/desk-certificates": {ADMINISTRATOR},
    "GET /api/v1/desk-certificates": WATCHERS,
    "GET /api/v1/terminals": WATCHERS | {CASHIER},
    "GET /api/v1/terminals/<int:terminal_id>": WATCHERS | {CASHIER},
    "POST /api/v1/terminals/<int:terminal_id>/credentials": {ADMINISTRATOR},
    "POST /api/v1/terminals/<int:terminal_id>/withdrawal": {ADMINISTRATOR},
    "POST /api/v1/desks/<int:desk_id>/assignments": {ADMINISTRATOR},
    "GET /api/v1/desks/<int:desk_id>/assignments": WATCHERS | {CASHIER},
    "POST /api/v1/desks/<int:desk_id>/assignments/<int:assignment_id>/ending": {ADMINISTRATOR},
    "POST /api/v1/shifts": {CASHIER},
    "GET /api/v1/shifts": {CASHIER, SUPERVISOR, ACCOUNTANT, AUDITOR},
    "GET /api/v1/shifts/<int:shift_id>": {CASHIER, SUPERVISOR, ACCOUNTANT, AUDITOR},
    "POST /api/v1/shifts/<int:shift_id>/closing": {CASHIER, SUPERVISOR},
    "GET /api/v1/shifts/<int:shift_id>/report": {CASHIER, SUPERVISOR, ACCOUNTANT, AUDITOR},
    "POST /api/v1/shifts/<int:shift_id>/fiscal-report": {CASHIER, SUPERVISOR, ACCOUNTANT},
    "POST /api/v1/payouts/<int:number>/fiscal-receipt": {CASHIER, SUPERVISOR, ACCOUNTANT},
    "POST /api/v1/ticket-checks": {CASHIER},
    "POST /api/v1/desk-floats": {ACCOUNTANT},
    "POST /api/v1/desk-floats/<int:number>/reception": {CASHIER, SUPERVISOR},
    "POST /api/v1/collections": {CASHIER, SUPERVISOR},
    "POST /api/v1/collections/<int:number>/reception": {ACCOUNTANT},
    "POST /api/v1/cash-deliveries/<int:number>/clearing": {ACCOUNTANT},
    "GET /api/v1/cash-deliveries": {CASHIER, SUPERVISOR, ACCOUNTANT, AUDITOR},
    "GET /api/v1/cash-deliveries/<int:number>": {CASHIER, SUPERVISOR, ACCOUNTANT, AUDITOR},
    "POST /api/v1/treasury-movements": {ACCOUNTANT},
    "POST /api/v1/deposits": {CASHIER},
    "POST /api/v1/payouts": {CASHIER},
    "GET /api/v1/payouts": {CASHIER, SUPERVISOR, ACCOUNTANT, AUDITOR},
    "GET /api/v1/payouts/<int:number>": {CASHIER, SUPERVISOR, ACCOUNTANT, AUDITOR},
    "POST /api/v1/payout-proposals": {CASHIER},
    "POST /api/v1/payouts/views": {SUPERVISOR, ACCOUNTANT, AUDITOR},
    "POST /api/v1/players": {CASHIER, SUPERVISOR},
    "GET /api/v1/players": {SUPERVISOR, ACCOUNTANT, AUDITOR},
    "GET /api/v1/players/me": {PLAYER},
    "GET /api/v1/players/<int:player_id>": {PLAYER, SUPERVISOR, ACCOUNTANT, AUDITOR},
    "GET /api/v1/players/me/statement": {PLAYER},
    "GET /api/v1/players/me/bets": {PLAYER},
    "GET /api/v1/players/me/withdrawals": {PLAYER},
    "POST /api/v1/players/me/withdrawals": {PLAYER},
    "PUT /api/v1/players/me/bank-account": {PLAYER},
    "POST /api/v1/players/me/self-exclusions": {PLAYER},
    "GET /api/v1/players/<int:player_id>/statement": {SUPERVISOR, ACCOUNTANT, AUDITOR},
    "GET /api/v1/players/<int:player_id>/bets": {SUPERVISOR, ACCOUNTANT, AUDITOR},
    "PUT /api/v1/players/<int:player_id>/bank-account": {SUPERVISOR, ORGANIZER},
    "POST /api/v1/players/<int:player_id>/ending": {ORGANIZER, ADMINISTRATOR},
    "POST /api/v1/self-exclusions": {CASHIER, SUPERVISOR},
    "GET /api/v1/self-exclusions": {SUPERVISOR, AUDITOR},
    "POST /api/v1/account-payouts": {CASHIER},
    "POST /api/v1/account-payout-proposals": {CASHIER},
    "GET /api/v1/account-withdrawals": {SUPERVISOR, ACCOUNTANT, AUDITOR},
    "GET /api/v1/account-withdrawals/<int:withdrawal_id>": {SUPERVISOR, ACCOUNTANT, AUDITOR},
    "POST /api/v1/account-withdrawals/<int:withdrawal_id>/ending": {ACCOUNTANT},
    "POST /api/v1/bank-deposits": {ACCOUNTANT},
    "GET /api/v1/deposits": {SUPERVISOR, ACCOUNTANT, AUDITOR},
    "POST /api/v1/players/password-resets": {CASHIER, SUPERVISOR},
    "POST /api/v1/players/<int:player_id>/locking": {SUPERVISOR, ADMINISTRATOR},
    "POST /api/v1/players/<int:player_id>/unlocking": {SUPERVISOR, ADMINISTRATOR},
    "POST /api/v1/persons/searches": {SUPERVISOR, ACCOUNTANT, AUDITOR},
    "GET /api/v1/persons/<int:person_id>": {SUPERVISOR, ACCOUNTANT, AUDITOR},
    "POST /api/v1/persons/<int:person_id>/versions": {SUPERVISOR},
    "POST /api/v1/persons/<int:person_id>/views": {SUPERVISOR, ACCOUNTANT, AUDITOR},
    "POST /api/v1/persons/<int:person_id>/erasures": {ADMINISTRATOR},
    "POST /api/v1/events": {ORGANIZER, TRADER},
    "GET /api/v1/events": EVERY_ROLE,
    "GET /api/v1/events/<int:event_id>": EVERY_ROLE,
    "POST /api/v1/events/<int:event_id>/results": {ORGANIZER},
    "GET /api/v1/events/<int:event_id>/results": READERS,
    "GET /api/v1/events/<int:event_id>/results/<int:result_id>": READERS,
    "POST /api/v1/events/<int:event_id>/protocols": {ORGANIZER},
    "GET /api/v1/events/<int:event_id>/protocols": READERS,
    "GET /api/v1/events/<int:event_id>/protocols/<int:number>": READERS,
    "POST /api/v1/events/<int:event_id>/start-changes": {ORGANIZER, TRADER},
    "GET /api/v1/events/<int:event_id>/start-changes": READERS,
    "GET /api/v1/events/<int:event_id>/late-tickets": READERS,
    "POST /api/v1/events/<int:event_id>/annulments": {ORGANIZER},
    "GET /api/v1/events/<int:event_id>/annulments": READERS,
    "GET /api/v1/results": EVERY_ROLE,
    "POST /api/v1/pools": {ORGANIZER},
    "GET /api/v1/pools": EVERY_ROLE,
    "GET /api/v1/pools/<code:code>": EVERY_ROLE,
    "GET /api/v1/pools/<code:code>/sheet": READERS,
    "GET /api/v1/pools/<code:code>/supposed-division": READERS,
    "GET /api/v1/pools/<code:code>/totals": EVERY_ROLE,
    "POST /api/v1/pools/<code:code>/closing": {ORGANIZER},
    "POST /api/v1/pools/<code:code>/settlement": {ORGANIZER},
    "POST /api/v1/pools/<code:code>/payout-holds": {SUPERVISOR, ORGANIZER},
    "POST /api/v1/payout-holds/<int:hold_id>/release": {SUPERVISOR, ORGANIZER},
    "GET /api/v1/payout-holds": {SUPERVISOR, ORGANIZER, ACCOUNTANT, AUDITOR},
    "POST /api/v1/pool-bets": {CASHIER, PLAYER},
    "GET /api/v1/tickets": READERS | {CASHIER, PLAYER},
    "POST /api/v1/pool-bet-batches": {CASHIER, PLAYER},
    "GET /api/v1/tickets/<int:number>": READERS | {CASHIER, PLAYER},
    "GET /api/v1/tickets/<int:number>/rows": READERS | {CASHIER, PLAYER},
    "GET /api/v1/tickets/<int:number>/decisions": READERS,
    "POST /api/v1/tickets/<int:number>/cancellation": {ORGANIZER},
    "POST /api/v1/tickets/<int:number>/cancellation-proposals": {ORGANIZER},
    "POST /api/v1/claims": {SUPERVISOR, ORGANIZER},
    "GET /api/v1/claims": {SUPERVISOR, ORGANIZER, ACCOUNTANT, AUDITOR},
    "GET /api/v1/claims/<int:claim_id>": {SUPERVISOR, ORGANIZER, ACCOUNTANT, AUDITOR},
    "POST /api/v1/claims/<int:claim_id>/decision": {SUPERVISOR, ORGANIZER},
    "POST /api/v1/disputes": {SUPERVISOR, ORGANIZER},
    "GET /api/v1/disputes": {SUPERVISOR, ORGANIZER, ACCOUNTANT, AUDITOR},
    "GET /api/v1/disputes/<int:dispute_id>": {SUPERVISOR, ORGANIZER, ACCOUNTANT, AUDITOR},
    "POST /api/v1/disputes/<int:dispute_id>/decision": {SUPERVISOR, ORGANIZER},
    "POST /api/v1/tickets/<int:number>/prints": {CASHIER, PLAYER},
    "POST /api/v1/tickets/<int:number>/duplicates": {SUPERVISOR},
    "GET /api/v1/transfers": {ACCOUNTANT, AUDITOR},
    "GET /api/v1/transfers/<int:transfer_id>": {ACCOUNTANT, AUDITOR},
    "GET /api/v1/accounts": {ACCOUNTANT, AUDITOR},
    "GET /api/v1/reports/trial-balance": {ACCOUNTANT, AUDITOR, ORGANIZER},
    "GET /api/v1/reports/fund-cover": {ACCOUNTANT, AUDITOR, ORGANIZER},
    "GET /api/v1/reports/ticket-register": DESKS,
    "GET /api/v1/reports/ticket-register/export": DESKS,
    "GET /api/v1/reports/pool-sheets": BOOKS,
    "GET /api/v1/reports/pool-sheets/export": BOOKS,
    "GET /api/v1/reports/pool-levels": BOOKS,
    "GET /api/v1/reports/pool-levels/export": BOOKS,
    "GET /api/v1/reports/liability": BOOKS,
    "GET /api/v1/reports/liability/export": BOOKS,
    "GET /api/v1/reports/returned-tickets": DESKS,
    "GET /api/v1/reports/returned-tickets/export": DESKS,
    "GET /api/v1/reports/expired-tickets": BOOKS,
    "GET /api/v1/reports/expired-tickets/export": BOOKS,
    "GET /api/v1/reports/fund-cover-statement": BOOKS,
    "GET /api/v1/reports/fund-cover-statement/export": BOOKS,
    "GET /api/v1/reports/daily-movement": BOOKS,
    "GET /api/v1/reports/daily-movement/export": BOOKS,
    "GET /api/v1/reports/intake": DESKS,
    "GET /api/v1/reports/intake/export": DESKS,
    "GET /api/v1/idempotency-keys/<key:key>": {CASHIER, PLAYER, SUPERVISOR, ACCOUNTANT, ORGANIZER, AUDITOR},
    "GET /api/v1/settings": OFFICE,
    "GET /api/v1/settings/<code:name>": OFFICE,
    "GET /api/v1/settings/<code:name>/versions": OFFICE,
    "POST /api/v1/settings/<code:name>/versions": {ADMINISTRATOR},
    "POST /api/v1/sales-stops": {ADMINISTRATOR, ORGANIZER, TRADER, SUPERVISOR},
    "GET /api/v1/sales-stops": OFFICE,
    "GET /api/v1/sales-stops/<int:stop_id>": OFFICE,
    "POST /api/v1/sales-stops/<int:stop_id>/resumption": {ADMINISTRATOR, ORGANIZER, TRADER, SUPERVISOR},
    "POST /api/v1/calculators/<name>": ANYBODY,
    "GET /api/v1/significant-events": {ADMINISTRATOR, ORGANIZER, AUDITOR},
    "GET /api/v1/significant-events/<int:event_id>": {ADMINISTRATOR, ORGANIZER, AUDITOR},
    "GET /api/v1/significant-events/export": {ADMINISTRATOR, ORGANIZER, AUDITOR},
    "GET /api/v1/documents/payout-slips/<int:number>": {CASHIER, SUPERVISOR, ACCOUNTANT, AUDITOR},
    "POST /api/v1/documents/payout-slips/<int:number>/views": {SUPERVISOR, ACCOUNTANT, AUDITOR},
    "GET /api/v1/documents/protocols/<int:number>": READERS,
    "GET /api/v1/documents/pool-sheets/<code:code>": READERS,
    "GET /api/v1/documents/shift-reports/<int:shift_id>": {CASHIER, SUPERVISOR, ACCOUNTANT, AUDITOR},
    "GET /api/v1/documents/payout-journal": {CASHIER, SUPERVISOR, ACCOUNTANT, AUDITOR},
    "POST /api/v1/documents/payout-journal/views": {SUPERVISOR, ACCOUNTANT, AUDITOR},
    "GET /api/v1/alarms": {ADMINISTRATOR, ORGANIZER, AUDITOR},
}
"""Every route of the API and who may call it. A new route is written here as well, or this file's first test fails."""

SIGN_OUT = "DELETE /api/v1/sessions/current"
DESCRIPTION = {
    "GET /",
    "GET /static/<path:filename>",
    "GET /api/openapi.json",
    "GET /api/docs/",
    "GET /api/docs/<path:path>",
}
"""What anybody may read: the description of the API and its page."""


def path_of(rule: str) -> str:
    """A path that fits a route."""
    fitting = {"int": "1", "code": "P1", "key": "a-key-of-nobody", None: "tote"}
    return re.sub(r"<(?:(\w+):)?\w+>", lambda named: fitting[named[1]], rule)


def called(member: Member | None, office: Office, route: str) -> tuple[int, str | None]:
    """Call a route without a body; the status and the problem's code."""
    method, _, rule = route.partition(" ")
    headers = {"Idempotency-Key": "rights-test-key", **(member.headers if member else {})}
    answer = office.client.open(path_of(rule), method=method, headers=headers)
    return answer.status_code, (answer.json or {}).get("code")


@pytest.fixture
def members(office: Office) -> dict[Role, Member]:
    """One holder of every role."""
    office.player("player")
    with transaction(office.house.sessions) as session:
        player_id = session.query(Player.id).scalar()
    found = {ADMINISTRATOR: office.administrator, CASHIER: office.cashier}
    for role in set(Role) - {ADMINISTRATOR, CASHIER, PLAYER}:
        office.hire(f"a-{role}", role)
        found[role] = office.sign_in(f"a-{role}")
    with transaction(office.house.sessions) as session:
        token, _ = issue_token(session, Holder(PLAYER, player_id=player_id))
    return {**found, PLAYER: Member(office.client, token)}


def test_every_route_is_in_the_table_with_its_roles(office: Office) -> None:
    found = {}
    for rule in office.app.url_map.iter_rules():
        view = office.app.view_functions[rule.endpoint]
        for method in rule.methods - {"HEAD", "OPTIONS"}:
            found[f"{method} {rule.rule}"] = getattr(view, "allowed_roles", "unnamed")
    assert {route for route, roles in found.items() if roles == "unnamed"} == DESCRIPTION
    assert {route: roles for route, roles in found.items() if route not in DESCRIPTION} == ROUTES


def test_without_a_token_nothing_but_what_is_for_anybody(office: Office) -> None:
    for route, roles in ROUTES.items():
        status, code = called(None, office, route)
        assert (status, code) == (401, "unauthenticated") if roles is not ANYBODY else status != 401, route


def test_every_role_at_every_route(office: Office, members: dict[Role, Member]) -> None:
    """A role the route does not name is told 403 before anything is looked at; one it names is told something else."""
    signing_out_last = sorted(ROUTES.items(), key=lambda line: line[0] == SIGN_OUT)
    for route, roles in signing_out_last:
        for role, member in members.items():
            status, code = called(member, office, route)
            let_in = roles is ANYBODY or role in roles
            assert (status not in (401, 403)) if let_in else (status, code) == (403, "forbidden"), (route, role, status)


READ_ON_RECORD = {
    "DELETE /api/v1/sessions/current",
    "PUT /api/v1/own-password",
    "POST /api/v1/persons/searches",
    "POST /api/v1/persons/<int:person_id>/views",
    "POST /api/v1/payouts/views",
    "POST /api/v1/documents/payout-slips/<int:number>/views",
    "POST /api/v1/documents/payout-journal/views",
}
"""What an auditor may send: about the own session and password, and to read persons, which is put on record."""


def test_an_auditor_reads_all_that_the_office_reads_and_changes_nothing() -> None:
    office_roles = EVERY_ROLE - {PLAYER}
    named = {route: roles for route, roles in ROUTES.items() if roles is not ANYBODY}
    read_by_office = {route for route, roles in named.items() if route.startswith("GET ") and roles & office_roles}
    assert {route for route in read_by_office if AUDITOR not in named[route]} == set()
    assert {route for route, roles in named.items() if AUDITOR in roles} - read_by_office == READ_ON_RECORD


def test_a_view_that_names_nobody_is_for_nobody(office: Office, members: dict[Role, Member]) -> None:
    office.keep_application()
    office.app._got_first_request = False
    office.app.add_url_rule("/api/v1/forgotten", "forgotten", lambda: "secret")
    assert office.client.get("/api/v1/forgotten").status_code == 401
    assert {member.get("/forgotten").status_code for member in members.values()} == {403}


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Bearer unknown", "Basic YTpi", "Bearer ключ"])
def test_what_is_no_token_is_told_to_sign_in(office: Office, header: str) -> None:
    answer = office.client.get("/api/v1/pools", headers={"Authorization": header.encode().decode("latin-1")})
    assert (answer.status_code, answer.json["code"]) == (401, "unauthenticated")
    assert answer.headers["WWW-Authenticate"].lower().startswith("bearer")


def test_an_ended_session_and_one_out_of_date_are_nobody(office: Office) -> None:
    for change in ("ended_at = now()", "expires_at = now()"):
        member = office.sign_in("administrator")
        assert member.get("/pools").status_code == 200
        with transaction(office.owner) as session:
            session.connection().exec_driver_sql(
                f"UPDATE access_tokens SET {change} WHERE id = (SELECT max(id) FROM access_tokens)"
            )
        assert member.get("/pools").status_code == 401


def test_a_blocked_user_is_nobody_from_this_moment(office: Office) -> None:
    organizer = office.organizer
    with transaction(office.house.sessions) as session:
        session.connection().exec_driver_sql("UPDATE users SET blocked_at = now() WHERE login = 'organizer'")
    assert organizer.get("/pools").status_code == 401
    answer = office.client.post("/api/v1/sessions", json={"login": "organizer", "password": PASSWORD})
    assert answer.json["code"] == "wrong_login_or_password"


def test_a_token_is_kept_as_a_hash(office: Office) -> None:
    token = office.administrator.token.encode()
    with transaction(office.house.sessions) as session:
        rows = session.connection().exec_driver_sql("SELECT access_tokens::text FROM access_tokens").scalars().all()
    assert rows and not any(token.decode() in row or token.hex() in row for row in rows)


def test_a_cashier_signs_in_only_at_a_terminal_that_proves_itself(office: Office) -> None:
    assert office.cashier
    told = {"login": "cashier", "password": PASSWORD}
    for terminal in ({"code": "T-1", "secret": "guessed"}, {**office.terminal, "code": "T-9"}):
        answer = office.client.post("/api/v1/sessions", json={**told, "terminal": terminal})
        assert (answer.status_code, answer.json["code"]) == (401, "unknown_terminal")


def test_away_from_a_terminal_a_cashiers_right_password_is_told_from_nothing(office: Office) -> None:
    """Whoever guesses from outside does not learn that the guess was right (FIELD-FAULTS 111)."""
    assert office.cashier
    answers = [
        office.client.post("/api/v1/sessions", json={"login": login, "password": password})
        for login, password in (("cashier", PASSWORD), ("cashier", "another password"), ("nobody", PASSWORD))
    ]
    assert {(answer.status_code, answer.json["code"]) for answer in answers} == {(401, "wrong_login_or_password")}
    assert len({answer.text for answer in answers}) == 1
