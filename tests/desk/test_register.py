"""The register of desks: what a desk is until it leaves, and that nothing passes through it afterwards (T-Prov 4)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import select

from db.session import transaction
from desk.models import Terminal
from desk.register import withdraw_desk
from desk.shifts import open_shift
from ledger.refusals import Refusal
from office.callers import Caller, Role
from office.significant.log import SignificantEvent
from office.users import User
from tests.desk.test_shifts import PATIENCE, waits
from tests.office import OPERATOR, Member, Office

MOVED = {"reason": "договор аренды расторгнут"}


def withdraw(office: Office, desk: dict[str, Any]) -> dict[str, Any]:
    """Take a desk out of the register; what the register shows of it."""
    answer = office.administrator.post(f"/desks/{desk['id']}/withdrawal", MOVED)
    assert answer.status_code == 201, answer.json
    return dict(answer.json)


def close(cashier: Member, counted: str) -> None:
    """Close the open shift of the cashier's desk on this cash."""
    (shift,) = cashier.get("/shifts", open="true").json["items"]
    assert cashier.post(f"/shifts/{shift['id']}/closing", {"counted": counted}).status_code == 201


def test_a_desk_leaves_the_register_once_with_its_reason_and_instant(office: Office) -> None:
    assert office.cashier
    desk = office.register_desk("K-2")
    assert (desk["withdrawn_at"], desk["withdrawal_reason"]) == (None, None)
    gone = withdraw(office, desk)
    assert (gone["code"], gone["withdrawal_reason"]) == ("K-2", MOVED["reason"])
    assert gone["withdrawn_at"].startswith("2022-11-22T05:00:")
    again = office.administrator.post(f"/desks/{desk['id']}/withdrawal", MOVED)
    assert (again.status_code, again.json["code"], again.json["withdrawn_at"]) == (
        409,
        "desk_withdrawn",
        gone["withdrawn_at"],
    )
    assert office.administrator.post("/desks/99/withdrawal", MOVED).status_code == 404
    codes = {
        registered: [row["code"] for row in office.supervisor.get("/desks", **asked).json["items"]]
        for registered, asked in (("all", {}), ("in", {"registered": "true"}), ("out", {"registered": "false"}))
    }
    assert codes == {"all": ["K-2", "K-1"], "in": ["K-1"], "out": ["K-2"]}


def test_a_desk_with_an_open_shift_stays_in_the_register(office: Office) -> None:
    """The shift is closed first: its count belongs to the register's last day at this place."""
    assert office.cashier
    refused = office.administrator.post(f"/desks/{office.desk['id']}/withdrawal", MOVED)
    assert (refused.status_code, refused.json["code"]) == (409, "shift_still_open")
    assert refused.json["shift_id"] == office.shift_id
    close(office.cashier, "100.00")
    assert withdraw(office, office.desk)["withdrawn_at"]


def test_nothing_passes_through_a_withdrawn_desk(office: Office) -> None:
    """A bet, a deposit, a payout, a shift, a float and a terminal are refused, and nothing is stored as accepted.

    Two bets of 10.00 make a fund of 12.00: the ticket on 1 wins it, and is paid at another desk.
    """
    pool = office.pool()
    office.player("ivan")
    desk = office.register_desk("K-2")
    cashier = office.cashier_at(desk, "T-2", "second")
    winner = office.bet(cashier, "1", "10.00").json
    office.bet(cashier, "2", "10.00")
    office.pool("P2", closes_at="2022-11-22T12:59:00+03:00")
    close(cashier, "20.00")
    withdraw(office, desk)

    refused = [
        office.bet(cashier, "1", "10.00", pool="P2"),
        cashier.post("/deposits", {"player": "ivan", "amount": "10.00"}),
        cashier.post("/shifts", {"counted": "20.00"}),
        office.accountant.post("/desk-floats", {"amount": "5.00", "desk_id": desk["id"]}),
        office.administrator.post(f"/desks/{desk['id']}/terminals", {"code": "T-9"}),
        office.administrator.post(f"/desks/{desk['id']}/assignments", {"cashier": "second"}),
    ]
    office.decide(pool, "1")
    office.clock("2022-11-23T10:00:00+03:00")
    refused.append(office.pay(winner["code"], cashier))
    assert {(answer.status_code, answer.json["code"]) for answer in refused} == {(409, "desk_withdrawn")}
    assert office.organizer.get("/pools/P2/sheet").json["bets"] == 0
    assert office.balance("cash", "desk:K-2") == "20.00"
    assert office.pay(winner["code"]).json["amount"] == "12.00"


def test_the_cash_of_a_withdrawn_desk_is_collected(office: Office) -> None:
    """The 100.00 of the float lie in the till when the desk leaves the register; they go to the bank afterwards."""
    close(office.cashier, "100.00")
    withdraw(office, office.desk)
    office.move("collection", "100.00", desk_id=office.desk["id"])
    assert office.balance("cash", "desk:K-1") == "0.00"


def test_a_shift_being_opened_keeps_its_desk_in_the_register(office: Office) -> None:
    """The withdrawal waits for the opening, then finds the shift open."""
    office.cashier_at(office.register_desk("K-1"), "T-1", "cashier", cash=None)
    with office.house.sessions() as opening, ThreadPoolExecutor(1) as threads:
        _open(opening)
        sent = threads.submit(office.administrator.post, "/desks/1/withdrawal", MOVED)
        waited = waits(office, sent)
        opening.commit()
        assert (waited, sent.result(PATIENCE).json["code"]) == (True, "shift_still_open")


def test_no_shift_opens_at_a_desk_that_is_being_withdrawn(office: Office) -> None:
    """The opening waits for the withdrawal, then finds the desk withdrawn."""
    cashier = office.cashier_at(office.register_desk("K-1"), "T-1", "cashier", cash=None)
    with office.house.sessions() as withdrawing, ThreadPoolExecutor(1) as threads:
        withdraw_desk(withdrawing, 1, "закрыта", Caller(Role.ADMINISTRATOR, user_id=1))
        sent = threads.submit(cashier.post, "/shifts", {"counted": "0.00"})
        waited = waits(office, sent)
        withdrawing.commit()
        assert (waited, sent.result(PATIENCE).json["code"]) == (True, "desk_withdrawn")
    with office.house.sessions() as session, pytest.raises(Refusal, match="снята"):
        _open(session)


def test_what_happened_to_desks_and_terminals_is_on_the_record_of_significant_events(office: Office) -> None:
    desk = office.register_desk("K-7")
    terminal = office.administrator.post(f"/desks/{desk['id']}/terminals", {"code": "T-7"}).json
    renewed = office.administrator.post(f"/terminals/{terminal['id']}/credentials", {"reason": "утерян"}).json
    office.administrator.post(f"/terminals/{terminal['id']}/withdrawal", {"reason": "списан"})
    withdraw(office, desk)
    with transaction(office.house.sessions) as session:
        told = session.execute(
            select(SignificantEvent.kind, SignificantEvent.severity, SignificantEvent.subject, SignificantEvent.facts)
            .where(SignificantEvent.kind.startswith("desk") | SignificantEvent.kind.startswith("terminal"))
            .order_by(SignificantEvent.id)
        ).all()
        by = set(session.scalars(select(SignificantEvent.user_id).where(SignificantEvent.kind != "user_created")))
    assert [tuple(row) for row in told] == [
        ("desk_registered", "notice", "desk:1", {"code": "K-7", "certificate": "K-7", "cash_register": "K-7"}),
        ("terminal_installed", "notice", "terminal:1", {"code": "T-7", "desk": "K-7"}),
        (
            "terminal_secret_changed",
            "warning",
            "terminal:1",
            {"code": "T-7", "reason": "утерян", "sessions_ended": 0},
        ),
        ("terminal_withdrawn", "warning", "terminal:1", {"code": "T-7", "reason": "списан", "sessions_ended": 0}),
        ("desk_withdrawn", "warning", "desk:1", {"code": "K-7", "reason": MOVED["reason"]}),
    ]
    assert by == {1}
    assert not any(secret in str(told) for secret in (terminal["secret"], renewed["secret"]))


def _open(session: Any) -> None:
    """Open a shift at the terminal T-1 on an empty till, in this session."""
    terminal = session.scalars(select(Terminal.id).where(Terminal.code == "T-1")).one()
    cashier = session.scalars(select(User.id).where(User.login == "cashier")).one()
    open_shift(session, OPERATOR, terminal, cashier, 0)
