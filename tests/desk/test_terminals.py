"""Terminals: another secret ends the old one and its sessions, a withdrawal is final, and neither lets anybody by."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from desk.terminals import change_secret, prove_terminal, withdraw_terminal
from office.callers import Caller, Role
from office.tokens import issue_token
from tests.desk.test_shifts import PATIENCE, waits
from tests.office import PASSWORD, Member, Office

ADMINISTRATOR = Caller(Role.ADMINISTRATOR, user_id=1)
LOST = {"reason": "ключ утерян"}


def signing_in(office: Office, secret: str, code: str = "T-1", login: str = "cashier") -> tuple[int, str | None]:
    """Try to sign in at a terminal; the status and the refusal's code."""
    told = {"login": login, "password": PASSWORD, "terminal": {"code": code, "secret": secret}}
    answer = office.client.post("/api/v1/sessions", json=told)
    return answer.status_code, answer.json.get("code")


def renew(office: Office, terminal: int = 1) -> str:
    """Give a terminal another secret."""
    answer = office.administrator.post(f"/terminals/{terminal}/credentials", LOST)
    assert answer.status_code == 201, answer.json
    return str(answer.json["secret"])


def test_another_secret_ends_the_old_one_and_every_session_at_the_terminal(office: Office) -> None:
    cashier, beside = office.cashier, office.cashier_at(office.desk, "T-2", "beside", cash=None)
    old = office.terminal["secret"]
    second = renew(office)
    assert cashier.get("/pools").status_code == 401
    assert beside.get("/pools").status_code == 200
    assert signing_in(office, old) == (401, "unknown_terminal")
    assert signing_in(office, second) == (201, None)
    third = renew(office)
    assert [signing_in(office, secret)[0] for secret in (old, second, third)] == [401, 401, 201]


def test_a_withdrawn_terminal_is_final_and_its_shift_goes_on_at_the_desks_other(office: Office) -> None:
    """100.00 of float and 10.00 staked before the withdrawal: the other terminal closes the shift on 110.00."""
    office.pool()
    cashier, beside = office.cashier, office.cashier_at(office.desk, "T-2", "beside", cash=None)
    assert office.bet(cashier, "1", "10.00").status_code == 201
    shown = office.administrator.post("/terminals/1/withdrawal", {"reason": "списан"}).json
    assert (shown["code"], shown["withdrawal_reason"]) == ("T-1", "списан")
    assert shown["withdrawn_at"].startswith("2022-11-22T05:00:")
    assert office.bet(cashier, "1", "10.00").status_code == 401
    assert signing_in(office, office.terminal["secret"]) == (409, "terminal_withdrawn")
    assert signing_in(office, "guessed") == (401, "unknown_terminal")
    for act in ("withdrawal", "credentials"):
        refused = office.administrator.post(f"/terminals/1/{act}", LOST)
        assert (refused.status_code, refused.json["code"]) == (409, "terminal_withdrawn")
    assert office.administrator.post("/desks/1/terminals", {"code": "T-1"}).json["code"] == "code_taken"
    assert office.bet(beside, "1", "10.00").status_code == 201
    closed = beside.post(f"/shifts/{office.shift_id}/closing", {"counted": "120.00"})
    assert (closed.status_code, closed.json["expected_cash"]) == (201, "120.00")


def test_a_sale_under_way_is_refused_by_the_gate(office: Office) -> None:
    """The session was good when the request came: the placing transaction itself sees the withdrawal (DESIGN 3.4).

    What is no bet looks at its session again before it commits, its refusal included.
    """
    office.pool()
    office.player("ivan")
    cashier = office.cashier
    calls = [
        lambda: office.bet(cashier, "1", "10.00"),
        lambda: cashier.post("/deposits", {"player": "ivan", "amount": "10.00"}),
        lambda: office.pay("AAAABBBBCCCCDDDD"),
    ]
    with office.house.sessions() as withdrawing, ThreadPoolExecutor(3) as threads:
        withdraw_terminal(withdrawing, 1, "изъят", ADMINISTRATOR)
        sent = [threads.submit(call) for call in calls]
        waited = waits(office, *sent)
        withdrawing.commit()
        answers = [one.result(PATIENCE) for one in sent]
    assert waited
    bet, *others = [(answer.status_code, answer.json["code"]) for answer in answers]
    assert bet == (409, "terminal_withdrawn")
    assert others == [(401, "unauthenticated")] * 2
    assert office.organizer.get("/pools/P1/sheet").json["bets"] == 0


def test_a_shift_does_not_open_from_a_terminal_that_is_being_withdrawn(office: Office) -> None:
    cashier = office.cashier_at(office.register_desk("K-1"), "T-1", "cashier", cash=None)
    with office.house.sessions() as withdrawing, ThreadPoolExecutor(1) as threads:
        withdraw_terminal(withdrawing, 1, "изъят", ADMINISTRATOR)
        sent = threads.submit(cashier.post, "/shifts", {"counted": "0.00"})
        waited = waits(office, sent)
        withdrawing.commit()
        # Its session ended with the terminal, so that not even the refusal is kept under the request's key.
        assert (waited, sent.result(PATIENCE).json["code"]) == (True, "unauthenticated")


def test_a_sign_in_under_way_does_not_slip_past_the_new_secret(office: Office) -> None:
    """It proves the old secret first: the change waits for it, and ends the session it began."""
    assert office.cashier
    with office.house.sessions() as entering, ThreadPoolExecutor(1) as threads:
        terminal_id = prove_terminal(entering, "T-1", office.terminal["secret"])
        sent = threads.submit(office.administrator.post, "/terminals/1/credentials", LOST)
        waited = waits(office, sent)
        token, _ = issue_token(entering, Caller(Role.CASHIER, user_id=2, terminal_id=terminal_id))
        entering.commit()
        assert (waited, sent.result(PATIENCE).status_code) == (True, 201)
    assert Member(office.client, token).get("/pools").status_code == 401


def test_a_sign_in_behind_the_new_secret_is_asked_for_it(office: Office) -> None:
    """It comes while the change is under way: it waits, and its old secret is unknown."""
    assert office.cashier
    with office.house.sessions() as changing, ThreadPoolExecutor(1) as threads:
        change_secret(changing, 1, "the new secret", "утерян", ADMINISTRATOR)
        sent = threads.submit(signing_in, office, office.terminal["secret"])
        waited = waits(office, sent)
        changing.commit()
        assert (waited, sent.result(PATIENCE)) == (True, (401, "unknown_terminal"))
    assert signing_in(office, "the new secret") == (201, None)


def test_terminals_are_listed_without_their_secrets(office: Office) -> None:
    assert office.cashier
    office.cashier_at(office.register_desk("K-2"), "T-2", "second")
    renewed = renew(office, 2)
    office.administrator.post("/terminals/1/withdrawal", {"reason": "списан"})
    answer = office.supervisor.get("/terminals")
    assert [(row["code"], row["desk_id"]) for row in answer.json["items"]] == [("T-2", 2), ("T-1", 1)]
    assert [row["secret_changed_at"] is not None for row in answer.json["items"]] == [True, False]
    assert renewed not in answer.text and "secret" not in answer.json["items"][0]
    found = {
        "in use": office.supervisor.get("/terminals", in_use="true"),
        "withdrawn": office.supervisor.get("/terminals", in_use="false"),
        "second desk": office.supervisor.get("/terminals", desk_id=2),
    }
    codes = {name: [row["code"] for row in one.json["items"]] for name, one in found.items()}
    assert codes == {"in use": ["T-2"], "withdrawn": ["T-1"], "second desk": ["T-2"]}
    assert office.supervisor.get("/terminals/2").json == answer.json["items"][0]
    assert office.supervisor.get("/terminals/99").status_code == 404


def test_every_secret_is_kept_as_a_hash(office: Office) -> None:
    assert office.cashier
    secrets = [office.terminal["secret"], renew(office)]
    with office.house.sessions() as session:
        rows = [
            row
            for table in ("terminals", "terminal_credentials", "significant_events")
            for row in session.connection().exec_driver_sql(f"SELECT {table}::text FROM {table}").scalars()
        ]
    forms = [form for secret in secrets for form in (secret, secret.encode().hex())]
    assert rows and not any(form in row for row in rows for form in forms)
