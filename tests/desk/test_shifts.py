"""Shifts on counted cash: openings, sheets, closings with a difference, and two desks apart (FIELD-FAULTS 102-105)."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import OperationalError

from desk.carrying import receive
from desk.deliveries import Direction
from desk.models import Desk, Shift, Terminal
from desk.shifts import cash_moved, close_shift, closing_of, open_shift
from office.callers import Caller, Role
from office.users import User
from tests.office import Member, Office

WAITING = text("""
    SELECT count(DISTINCT locks.pid) FROM pg_locks AS locks JOIN pg_stat_activity AS active USING (pid)
    WHERE NOT locks.granted AND active.datname = current_database()
""")
PATIENCE = 20.0
SUPERVISOR = Caller(Role.SUPERVISOR, user_id=1)
"""Somebody else than the accountant who sent."""


def on_its_way(office: Office, amount: str, desk: dict[str, Any]) -> int:
    """The document of change the accountant has sent to a desk and nobody received yet."""
    assert office.supervisor
    sent = office.accountant.post("/desk-floats", {"amount": amount, "desk_id": desk["id"]})
    assert sent.status_code == 201, sent.json
    return int(sent.json["number"])


def close(cashier: Member, shift: int, counted: str) -> dict[str, Any]:
    """Close a shift on this cash; its sheet."""
    answer = cashier.post(f"/shifts/{shift}/closing", {"counted": counted})
    assert answer.status_code == 201, answer.json
    return dict(answer.json)


def waits(office: Office, *sent: Future[Any]) -> bool:
    """Whether all that was sent has to wait for a lock; false when one of them got through."""
    patient_until = time.monotonic() + PATIENCE
    while not any(one.done() for one in sent):
        with office.owner() as session:
            if session.scalar(WAITING) == len(sent):
                return True
        assert time.monotonic() < patient_until, "neither done nor waiting"
    return False


def cash_of_closed_shift(office: Office) -> tuple[int, int]:
    """What the closing of the cashier's shift expected, and what the opening and the shift's transfers make."""
    with office.house.sessions() as session:
        closing, shift = closing_of(session, office.shift_id), session.get_one(Shift, office.shift_id)
        cash_account = session.get_one(Desk, shift.desk_id).cash_account_id
        received, paid_out = cash_moved(session, cash_account, shift.id)
        assert closing is not None
        return closing.expected, shift.counted + received - paid_out


def test_a_shift_opens_on_the_cash_the_desk_holds_and_once(office: Office) -> None:
    desk = office.register_desk("K-2")
    assert office.cashier
    office.move("desk_float", "40.00", desk_id=desk["id"])
    cashier = office.cashier_at(desk, "T-2", "second", cash=None)
    refused = cashier.post("/shifts", {"counted": "39.99"})
    assert (refused.status_code, refused.json["code"]) == (409, "counted_cash_differs")
    assert refused.json["expected"] == "40.00"
    opened = cashier.post("/shifts", {"counted": "40.00"}).json
    assert (opened["opening_cash"], opened["expected_cash"], opened["closed_at"]) == ("40.00", "40.00", None)
    beside = office.cashier_at(desk, "T-3", "third", cash=None)
    assert beside.post("/shifts", {"counted": "40.00"}).json["code"] == "shift_already_open"


def test_two_desks_do_not_share_a_till(office: Office) -> None:
    """FIELD-FAULTS 102: both open with 100.00, take 10.00 and 20.00; each expects its own, and opens with its own."""
    office.pool()
    first, desk = office.cashier, office.register_desk("K-2")
    office.move("desk_float", "100.00", desk_id=desk["id"])
    second = office.cashier_at(desk, "T-2", "second", cash=None)
    shift = second.post("/shifts", {"counted": "100.00"}).json["id"]
    office.bet(first, "1", "10.00")
    office.bet(second, "1", "20.00")
    assert close(first, office.shift_id, "110.00")["expected_cash"] == "110.00"
    assert close(second, shift, "120.00")["expected_cash"] == "120.00"
    assert second.post("/shifts", {"counted": "110.00"}).json["expected"] == "120.00"
    assert second.post("/shifts", {"counted": "120.00"}).json["opening_cash"] == "120.00"
    assert first.post("/shifts", {"counted": "110.00"}).json["opening_cash"] == "110.00"


def test_the_sheet_keeps_received_and_paid_apart(office: Office) -> None:
    """FIELD-FAULTS 103 as far as built: 1000.00; bets 500.00, deposit 300.00, payout 300.00, collection 400.00.

    Of 400.00 on 1 and 100.00 on 2 a fund of 300.00: the 100.00 on 2 wins 300.00 (beside it nobody else).
    Received: 900.00 of float, 500.00, 300.00; paid out: 300.00 and 400.00; left 100 + 1700 - 700 = 1100.00.
    """
    pool = office.pool()
    cashier = office.cashier
    office.move("own_money_in", "900.00")
    office.move("desk_float", "900.00", desk_id=office.desk["id"])
    office.bet(cashier, "1", "400.00")
    winner = office.bet(cashier, "2", "100.00").json["code"]
    office.player("ivan", "300.00")
    office.decide(pool, "2")
    office.clock("2022-11-23T10:00:00+03:00")
    assert office.pay(winner).json["amount"] == "300.00"
    office.move("collection", "400.00", desk_id=office.desk["id"])
    sheet = cashier.get(f"/shifts/{office.shift_id}").json
    assert (sheet["opening_cash"], sheet["received"], sheet["paid_out"]) == ("100.00", "1700.00", "700.00")
    assert (sheet["expected_cash"], sheet["counted_cash"]) == ("1100.00", None)


def test_field_fault_103_expected_cash_is_the_sum_of_every_kind_of_movement(office: Office) -> None:
    """1000.00; bets 500.00, a deposit 300.00; a win 200.00, an account 100.00, a stake back 50.00, 400.00 collected.

    The 50.00 are cancelled while selling: of 450.00 a fund of 270.00, by 200.00 and 70.00 on 1: 200.00 and 70.00.
    1000.00 + 800.00 - 750.00 = 1050.00.
    """
    pool, cashier = office.pool(), office.cashier
    office.move("desk_float", "400.00", desk_id=office.desk["id"])
    office.move("own_money_in", "500.00")
    office.move("desk_float", "500.00", desk_id=office.desk["id"])
    stakes = (("1", "200.00"), ("1", "70.00"), ("2", "180.00"), ("X", "50.00"))
    winner, _, _, gone = [office.bet(cashier, *bet).json for bet in stakes]
    office.player("ivan", "300.00")
    why = {"reason": "after_start", "explanation": "Ставка принята после начала матча"}
    assert office.organizer.post(f"/tickets/{gone['number']}/cancellation", why).status_code == 201
    office.decide(pool, "1")
    office.clock("2022-11-23T10:00:00+03:00")
    assert office.pay(winner["code"]).json["amount"] == "200.00"
    assert office.pay(gone["code"]).json["amount"] == "50.00"
    assert office.withdraw("ivan", "100.00").status_code == 201
    office.move("collection", "400.00", desk_id=office.desk["id"])
    assert cashier.get(f"/shifts/{office.shift_id}").json["expected_cash"] == "1050.00"
    assert office.balance("cash", "desk:K-1") == "1050.00"


def test_a_difference_is_booked_and_the_next_shift_opens_on_what_was_counted(office: Office) -> None:
    """0.50 short of 110.00 is a claim of the organizer; the sheet of the closed shift keeps both figures."""
    office.pool()
    office.bet(office.cashier, "1", "10.00")
    sheet = close(office.cashier, office.shift_id, "109.50")
    assert (sheet["expected_cash"], sheet["counted_cash"]) == ("110.00", "109.50")
    assert (office.balance("claims"), office.balance("cash", "desk:K-1")) == ("0.50", "109.50")
    again = office.cashier.post(f"/shifts/{office.shift_id}/closing", {"counted": "110.00"})
    assert (again.status_code, again.json["code"]) == (409, "shift_already_closed")
    assert office.cashier.post("/shifts", {"counted": "109.50"}).status_code == 201


def test_after_the_closing_nothing_reaches_the_shift(office: Office) -> None:
    """FIELD-FAULTS 105: bets, deposits and payouts are refused, a float belongs to no shift; the sheet stays."""
    office.pool()
    office.player("ivan")
    sheet = close(office.cashier, office.shift_id, "100.00")
    refused = [
        office.bet(office.cashier, "1", "10.00"),
        office.cashier.post("/deposits", {"player": "ivan", "amount": "10.00"}),
        office.pay("AAAABBBBCCCCDDDD"),
    ]
    assert {(answer.status_code, answer.json["code"]) for answer in refused} == {(409, "no_open_shift")}
    office.move("desk_float", "50.00", desk_id=office.desk["id"])
    assert office.cashier.get(f"/shifts/{office.shift_id}").json == sheet
    assert office.cashier.post("/shifts", {"counted": "150.00"}).json["opening_cash"] == "150.00"


def test_no_shift_opens_while_cash_is_being_received_at_the_closed_desk(office: Office) -> None:
    """A float not committed yet is in no count: the opening waits for it, or the desk would hold more than counted."""
    assert office.cashier
    desk, operator = office.register_desk("K-2"), office.house.operator
    office.cashier_at(desk, "T-2", "second", cash=None)
    sent = on_its_way(office, "50.00", desk)
    with office.house.sessions() as carrying, office.house.sessions() as opening:
        receive(carrying, operator, Direction.TO_DESK, sent, 50_00, SUPERVISOR)
        terminal = opening.scalars(select(Terminal.id).where(Terminal.code == "T-2")).one()
        cashier = opening.scalars(select(User.id).where(User.login == "second")).one()
        opening.execute(text("SET LOCAL lock_timeout = '100ms'"))
        with pytest.raises(OperationalError, match="lock timeout"):
            open_shift(opening, operator, terminal, cashier, 0)
        carrying.commit()
        opening.rollback()
        assert open_shift(opening, operator, terminal, cashier, 50_00).counted == 50_00
        opening.commit()


def test_a_float_that_meets_a_closing_waits_and_stays_out_of_the_closed_shift(office: Office) -> None:
    """FIELD-FAULTS 105: a shift of 100.00 is being closed, 50.00 arrive and wait; the next shift opens on 150.00."""
    cashier, operator = office.cashier, office.house.operator
    path = f"/desk-floats/{on_its_way(office, '50.00', office.desk)}/reception"
    with office.house.sessions() as closing, ThreadPoolExecutor(1) as threads:
        close_shift(closing, operator, office.shift_id, 1, counted=100_00)
        sent = threads.submit(office.supervisor.post, path, {"counted": "50.00"})
        waited = waits(office, sent)
        closing.commit()
        assert (waited, sent.result(PATIENCE).status_code) == (True, 201)
    assert cash_of_closed_shift(office) == (100_00, 100_00)
    assert cashier.post("/shifts", {"counted": "150.00"}).json["opening_cash"] == "150.00"


def test_a_closing_that_meets_a_float_waits_and_counts_it(office: Office) -> None:
    """50.00 are being received into the shift of 100.00 when it is closed: the closing waits and expects 150.00."""
    cashier = office.cashier
    path, told = f"/shifts/{office.shift_id}/closing", {"counted": "150.00"}
    on_the_way = on_its_way(office, "50.00", office.desk)
    with office.house.sessions() as carrying, ThreadPoolExecutor(1) as threads:
        receive(carrying, office.house.operator, Direction.TO_DESK, on_the_way, 50_00, SUPERVISOR)
        sent = threads.submit(cashier.post, path, told)
        waited = waits(office, sent)
        carrying.commit()
        assert (waited, sent.result(PATIENCE).json["expected_cash"]) == (True, "150.00")
    assert cash_of_closed_shift(office) == (150_00, 150_00)
