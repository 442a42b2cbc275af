"""Agents' points at the organizer's desks (T-Rules 35.1): worked while their contract runs, and not a moment longer."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from desk.agents import end_contract
from office.callers import Caller, Role
from tests.desk.test_shifts import PATIENCE, close, waits
from tests.office import EVENT, POOL, Member, Office

CONTRACT = {"agent": "ООО «Агент»", "number": "17-А", "dated": "2022-11-01", "valid_until": "2022-11-22"}
REASON = {"reason": "нарушение условий договора"}


def pool_of_friday(office: Office) -> None:
    """An open pool on a match three days later."""
    assert office.treasury
    event = office.organizer.post("/events", {**EVENT, "code": "E-P1", "starts_at": "2022-11-25T13:00:00+03:00"}).json
    told = {**POOL, "event_id": event["id"], "closes_at": "2022-11-25T12:55:00+03:00"}
    assert office.organizer.post("/pools", told).status_code == 201


def agents_desk(office: Office, **terms: str) -> dict[str, Any]:
    """A desk an agent's point uses under the contract."""
    assert office.certificate
    body = {"code": "A-1", "place": "Минск, рынок", "certificate": "100-1", "cash_register": "SN-9"}
    answer = office.administrator.post("/desks", {**body, "contract": {**CONTRACT, **terms}})
    assert answer.status_code == 201, answer.json
    return dict(answer.json)


def agents_cashier(office: Office, **terms: str) -> tuple[dict[str, Any], Member]:
    """The agent's desk, and the cashier there in an open shift."""
    desk = agents_desk(office, **terms)
    return desk, office.cashier_at(desk, "TA-1", "agent")


def test_t_rules_35_1_a_desk_names_the_agent_who_uses_it(office: Office) -> None:
    desk = agents_desk(office)
    assert {name: desk[name] for name in ("agent", "contract_number", "contract_dated", "contract_until")} == {
        "agent": "ООО «Агент»",
        "contract_number": "17-А",
        "contract_dated": "2022-11-01",
        "contract_until": "2022-11-22",
    }
    assert office.auditor.get(f"/desks/{desk['id']}").json == desk
    assert office.desk["agent"] is None


@pytest.mark.parametrize(
    ("at", "status"),
    [
        ("2022-11-22T23:59:59.000000+03:00", 201),
        ("2022-11-23T00:00:00.000000+03:00", 409),
    ],
)
def test_t_rules_35_1_bets_are_taken_to_the_end_of_the_contracts_last_day(office: Office, at: str, status: int) -> None:
    """The last day ends at midnight in Minsk; the open shift is no way past it."""
    pool_of_friday(office)
    _, cashier = agents_cashier(office)
    office.clock(at)
    answer = office.bet(cashier, "1", "10.00")
    assert answer.status_code == status
    if status == 409:
        assert answer.json["code"] == "desk_withdrawn"
        assert answer.json["withdrawn_at"] == "2022-11-22T21:00:00+00:00"
        assert office.organizer.get("/pools/P1/sheet").json["bets"] == 0


def test_t_prov_4_after_the_contract_nothing_passes_but_the_count_and_the_collection(office: Office) -> None:
    """A bet of 10.00 was taken; the contract is withdrawn: bets, deposits, payouts, shifts and change are refused."""
    office.pool()
    office.player("ivan")
    desk, cashier = agents_cashier(office, valid_until="2023-11-01")
    assert office.bet(cashier, "1", "10.00").status_code == 201
    ended = office.administrator.post(f"/desks/{desk['id']}/contract-ending", REASON)
    assert (ended.status_code, ended.json["contract_ended_at"][:10]) == (201, "2022-11-22")

    refused = [
        office.bet(cashier, "1", "10.00"),
        cashier.post("/deposits", {"player": "ivan", "amount": "1.00"}),
        office.pay("AAAABBBBCCCCDDDD", cashier),
        office.accountant.post("/desk-floats", {"amount": "1.00", "desk_id": desk["id"]}),
    ]
    (shift,) = cashier.get("/shifts", open="true").json["items"]
    assert close(cashier, shift["id"], "10.00")["counted_cash"] == "10.00"
    refused.append(cashier.post("/shifts", {"counted": "10.00"}))
    assert {(answer.status_code, answer.json["code"]) for answer in refused} == {(409, "desk_withdrawn")}
    office.move("collection", "10.00", desk_id=desk["id"])
    assert office.balance("cash", "desk:A-1") == "0.00"


def test_the_next_contract_opens_the_desk_again(office: Office) -> None:
    pool_of_friday(office)
    desk, cashier = agents_cashier(office)
    office.clock("2022-11-23T10:00:00+03:00")
    assert office.bet(cashier, "1", "10.00").status_code == 409
    following = {**CONTRACT, "number": "18-А", "dated": "2022-11-23", "valid_until": "2022-12-31"}
    assert office.administrator.post(f"/desks/{desk['id']}/contracts", following).status_code == 201
    assert office.bet(cashier, "1", "10.00").status_code == 201


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        ({"dated": "2022-11-23", "valid_until": "2022-12-01"}, "dated"),
        ({"valid_until": "2022-11-21"}, "valid_until"),
        ({"dated": "2022-11-22", "valid_until": "2022-11-01"}, "valid_until"),
    ],
)
def test_a_contract_of_tomorrow_or_of_the_past_is_refused(office: Office, terms: dict[str, str], field: str) -> None:
    answer = office.administrator.post(f"/desks/{office.desk['id']}/contracts", {**CONTRACT, **terms})
    assert (answer.status_code, answer.json["code"], answer.json["field"]) == (422, "contract_term_wrong", field)


def test_a_contract_ends_once_and_only_where_there_is_one(office: Office) -> None:
    desk = agents_desk(office)
    answers = [office.administrator.post(f"/desks/{desk['id']}/contract-ending", REASON) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 409]
    assert answers[1].json["code"] == "contract_ended"
    own = office.administrator.post(f"/desks/{office.desk['id']}/contract-ending", REASON)
    assert (own.status_code, own.json["code"]) == (404, "not_found")
    kinds = [event["kind"] for event in office.auditor.get("/significant-events", subject="desk:1").json["items"]]
    assert kinds == ["agent_contract_ended", "agent_contract_concluded", "desk_registered"]


def test_a_bet_that_meets_the_end_of_the_contract_waits_and_is_refused(office: Office) -> None:
    """No further statement asks for the contract: the gate of the shift is taken alone by whoever ends it."""
    office.pool()
    desk, cashier = agents_cashier(office, valid_until="2023-11-01")
    with office.house.sessions() as ending, ThreadPoolExecutor(1) as threads:
        end_contract(ending, desk["id"], "нарушение", Caller(Role.ADMINISTRATOR, user_id=1))
        sent = threads.submit(office.bet, cashier, "1", "10.00")
        waited = waits(office, sent)
        ending.commit()
        assert (waited, sent.result(PATIENCE).json["code"]) == (True, "desk_withdrawn")
