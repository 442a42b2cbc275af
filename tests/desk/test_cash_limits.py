"""The bank's limit for a desk's cash (T-Prov 18, T-Rules 9.6): it warns and is handed over, and refuses no bet."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from desk.cash_limits import CashLimit, watch_cash_limits
from desk.models import Desk
from ledger.accounts import OPERATOR as OPERATORS
from ledger.accounts import Kind, open_account
from ledger.journal import Movement, post
from tests.office import OPERATOR, Office

BASIS = "письмо банка № 12"


def limit(office: Office, amount: str) -> dict[str, Any]:
    """The accountant enters the bank's limit for the first desk."""
    answer = office.accountant.post(f"/desks/{office.desk['id']}/cash-limits", {"limit": amount, "basis": BASIS})
    assert answer.status_code == 201, answer.json
    return dict(answer.json)


def looked_at(office: Office) -> list[str]:
    """The sweep looks once; which desks are over."""
    with office.house.sessions.begin() as session:
        return [standing.code for standing in watch_cash_limits(session)]


def turns(office: Office) -> list[tuple[str, str]]:
    """What was noted of the desk's limit: the kind and the excess, the first one first."""
    kinds = ("cash_over_limit", "cash_within_limit")
    found = [
        (event["id"], event["kind"], event["facts"]["over_by"])
        for kind in kinds
        for event in office.auditor.get("/significant-events", kind=kind).json["items"]
    ]
    return [(kind, over) for _, kind, over in sorted(found)]


def test_t_prov_18_cash_over_the_limit_is_shown_and_no_bet_is_refused(office: Office) -> None:
    """100.00 of change and a limit of 105.00: with a bet of 10.00 the desk is 5.00 over, and sells on."""
    office.pool()
    assert office.cashier
    path = f"/desks/{office.desk['id']}/cash"
    assert office.cashier.get(path).json == {"desk_id": 1, "cash": "100.00", "limit": None, "over_by": "0.00"}
    assert limit(office, "105.00")["over_by"] == "0.00"
    assert office.bet(office.cashier, "1", "10.00").status_code == 201
    over = {"desk_id": 1, "cash": "110.00", "limit": "105.00", "over_by": "5.00"}
    assert office.cashier.get(path).json == over
    assert office.cashier.get(f"/shifts/{office.shift_id}").json["desk_cash"] == over
    assert office.bet(office.cashier, "1", "90.00").status_code == 201


def test_the_sweep_notes_each_crossing_once_as_an_alarm(office: Office) -> None:
    """Over at 110.00, still over at 120.00, within after 20.00 were handed over, over again by a bet of 10.00."""
    office.pool()
    assert office.cashier
    limit(office, "105.00")
    assert (looked_at(office), turns(office)) == ([], [])
    office.bet(office.cashier, "1", "10.00")
    assert looked_at(office) == looked_at(office) == ["K-1"]
    office.bet(office.cashier, "1", "10.00")
    looked_at(office)
    handed = office.cashier.post("/collections", {"desk_id": office.desk["id"], "amount": "20.00"})
    assert (handed.status_code, looked_at(office)) == (201, [])
    office.bet(office.cashier, "1", "10.00")
    looked_at(office)
    assert turns(office) == [
        ("cash_over_limit", "5.00"),
        ("cash_within_limit", "0.00"),
        ("cash_over_limit", "5.00"),
    ]
    (first, *_) = office.auditor.get("/significant-events", kind="cash_over_limit").json["items"]
    assert (first["severity"], first["subject"]) == ("alarm", "desk:1")
    assert first["facts"] == {"desk": "K-1", "cash": "110.00", "limit": "105.00", "over_by": "5.00"}


def test_the_last_limit_holds_and_the_earlier_ones_stay(office: Office) -> None:
    assert office.cashier
    limit(office, "50.00")
    assert looked_at(office) == ["K-1"]
    assert limit(office, "100.00")["over_by"] == "0.00"
    assert looked_at(office) == []
    told = [event["facts"] for event in office.auditor.get("/significant-events", kind="cash_limit_set").json["items"]]
    assert told == [{"limit": "100.00", "basis": BASIS}, {"limit": "50.00", "basis": BASIS}]


def test_a_limit_is_of_one_desk(office: Office) -> None:
    assert office.cashier
    other = office.register_desk("K-2")
    limit(office, "1.00")
    assert office.auditor.get(f"/desks/{other['id']}/cash").json["limit"] is None
    unknown = office.accountant.post("/desks/99/cash-limits", {"limit": "1.00", "basis": BASIS})
    assert (unknown.status_code, unknown.json["code"]) == (404, "not_found")


def test_a_desk_is_watched_in_the_currency_of_its_cash(office: Office) -> None:
    """500 roubles of before 2016, which had no kopecks, over a limit of 200: 300 and not 3.00."""
    assert office.cashier
    at = datetime(2022, 11, 22, 9, tzinfo=UTC)
    with office.house.sessions.begin() as session:
        cash = open_account(session, Kind.CASH, "desk:K-9", "BYR")
        own = open_account(session, Kind.ORGANIZER, OPERATORS, "BYR")
        brought = [Movement(cash, own, 500, "own_money_in")]
        post(session, brought, currency="BYR", occurred_at=at, booked_on=OPERATOR.day_of(at))
        old = Desk(code="K-9", place="Минск", certificate="1", cash_register="1", cash_account_id=cash, registered_by=1)
        session.add(old)
        session.flush()
        session.add(CashLimit(desk_id=old.id, amount=200, basis=BASIS, set_by=1, set_at=at))
    assert looked_at(office) == ["K-9"]
    (noted,) = office.auditor.get("/significant-events", kind="cash_over_limit").json["items"]
    assert noted["facts"] == {"desk": "K-9", "cash": "500", "limit": "200", "over_by": "300"}
