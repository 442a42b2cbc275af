"""Who works where: a cashier once assigned to desks signs in at their terminals and at no others."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from desk.cashiers import dismiss, refuse_elsewhere
from office.callers import Caller, Role
from office.tokens import issue_token
from tests.desk.test_shifts import PATIENCE, waits
from tests.desk.test_terminals import ADMINISTRATOR, signing_in
from tests.office import Member, Office

OVER = {"reason": "переведён"}


@pytest.fixture
def secrets(office: Office) -> dict[str, str]:
    """Two desks with a terminal each, K-1 with T-1 and K-2 with T-2, and a cashier; the terminals' secrets."""
    office.hire("cashier", Role.CASHIER)
    made = {}
    for number in (1, 2):
        office.register_desk(f"K-{number}")
        code = f"T-{number}"
        made[code] = office.administrator.post(f"/desks/{number}/terminals", {"code": code}).json["secret"]
    return made


def lets_in(office: Office, secrets: dict[str, str]) -> list[int | str | None]:
    """Where the cashier may sign in: for each terminal 201, or why not."""
    tried = [signing_in(office, secret, code) for code, secret in secrets.items()]
    return [code or status for status, code in tried]


def assign(office: Office, desk: int, login: str = "cashier") -> int:
    """Assign a cashier to a desk; the number of the assignment."""
    answer = office.administrator.post(f"/desks/{desk}/assignments", {"cashier": login})
    assert answer.status_code == 201, answer.json
    return int(answer.json["id"])


def end(office: Office, desk: int, assignment: int) -> tuple[int, str | None]:
    """End an assignment; the status and the refusal's code."""
    answer = office.administrator.post(f"/desks/{desk}/assignments/{assignment}/ending", OVER)
    return answer.status_code, answer.json.get("code")


def test_a_cashier_works_anywhere_until_assigned_and_then_only_there(office: Office, secrets: dict[str, str]) -> None:
    """The end of the last assignment does not open all desks again: nobody lets somebody in by sending them away."""
    assert lets_in(office, secrets) == [201, 201]
    first = assign(office, 1)
    assert lets_in(office, secrets) == [201, "not_assigned"]
    second = assign(office, 2)
    assert lets_in(office, secrets) == [201, 201]
    assert end(office, 1, first) == (201, None)
    assert lets_in(office, secrets) == ["not_assigned", 201]
    assert end(office, 2, second) == (201, None)
    assert lets_in(office, secrets) == ["not_assigned", "not_assigned"]
    assign(office, 1)
    assert lets_in(office, secrets) == [201, "not_assigned"]


def test_sessions_elsewhere_end_with_the_right_to_them(office: Office, secrets: dict[str, str]) -> None:
    here, there = (
        office.sign_in("cashier", terminal={"code": code, "secret": secret}) for code, secret in secrets.items()
    )
    assignment = assign(office, 1)
    assert [member.get("/pools").status_code for member in (here, there)] == [200, 401]
    end(office, 1, assignment)
    assert here.get("/pools").status_code == 401


def test_another_cashier_is_not_touched(office: Office, secrets: dict[str, str]) -> None:
    office.hire("second", Role.CASHIER)
    assign(office, 1)
    assert signing_in(office, secrets["T-2"], "T-2", "second") == (201, None)


def test_what_cannot_be_assigned_or_ended_is_refused(office: Office, secrets: dict[str, str]) -> None:
    office.hire("accountant", Role.ACCOUNTANT)
    assignment = assign(office, 1)
    tried = {
        "again": office.administrator.post("/desks/1/assignments", {"cashier": "CASHIER"}),
        "no cashier": office.administrator.post("/desks/1/assignments", {"cashier": "accountant"}),
        "nobody": office.administrator.post("/desks/1/assignments", {"cashier": "nobody"}),
        "no desk": office.administrator.post("/desks/99/assignments", {"cashier": "cashier"}),
    }
    assert {why: (answer.status_code, answer.json["code"]) for why, answer in tried.items()} == {
        "again": (409, "already_assigned"),
        "no cashier": (404, "not_found"),
        "nobody": (404, "not_found"),
        "no desk": (404, "not_found"),
    }
    assert end(office, 2, assignment) == (404, "not_found")
    assert end(office, 1, 99) == (404, "not_found")
    assert [end(office, 1, assignment) for _ in range(2)] == [(201, None), (409, "assignment_ended")]


def test_the_cashiers_of_a_desk_are_listed_with_their_ends(office: Office, secrets: dict[str, str]) -> None:
    office.hire("second", Role.CASHIER)
    first = assign(office, 1)
    assign(office, 1, "second")
    assign(office, 2, "second")
    end(office, 1, first)
    listed = office.supervisor.get("/desks/1/assignments").json["items"]
    assert [(row["cashier"], row["ending_reason"]) for row in listed] == [("second", None), ("cashier", "переведён")]
    for in_force, cashiers in (("true", ["second"]), ("false", ["cashier"])):
        rows = office.supervisor.get("/desks/1/assignments", in_force=in_force).json["items"]
        assert [row["cashier"] for row in rows] == cashiers
    assert office.supervisor.get("/desks/99/assignments").status_code == 404


def test_a_sign_in_that_meets_a_dismissal_is_refused(office: Office, secrets: dict[str, str]) -> None:
    """It comes while the dismissal is under way: it waits, and then is not let in."""
    assignment = assign(office, 1)
    with office.house.sessions() as dismissing, ThreadPoolExecutor(1) as threads:
        dismiss(dismissing, 1, assignment, "уволен", ADMINISTRATOR)
        sent = threads.submit(signing_in, office, secrets["T-1"])
        waited = waits(office, sent)
        dismissing.commit()
        assert (waited, sent.result(PATIENCE)) == (True, (403, "not_assigned"))


def test_a_dismissal_that_meets_a_sign_in_waits_and_ends_it(office: Office, secrets: dict[str, str]) -> None:
    assignment = assign(office, 1)
    with office.house.sessions() as entering, ThreadPoolExecutor(1) as threads:
        refuse_elsewhere(entering, 2, 1)
        sent = threads.submit(end, office, 1, assignment)
        waited = waits(office, sent)
        token, _ = issue_token(entering, Caller(Role.CASHIER, user_id=2, terminal_id=1))
        entering.commit()
        assert (waited, sent.result(PATIENCE)) == (True, (201, None))
    assert Member(office.client, token).get("/pools").status_code == 401
