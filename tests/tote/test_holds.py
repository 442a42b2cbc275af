"""Payouts held while a result is in doubt: desk and game accounts alike, until they are released (FIELD-FAULTS 006)."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.refusals import Refusal
from office.significant.kinds import PAYOUTS_HELD, PAYOUTS_RELEASED
from tests.approvals.people import code_of, decided
from tests.office import OPERATOR, Member, Office
from tests.records import facts_of
from tote.settling import resume_settlements, settle_pool

WHY = {"reason": "места 2 и 3 перепутаны"}


def hold(office: Office, member: Member | None = None) -> dict[str, Any]:
    """The supervisor, or somebody else, holds the payouts of the first pool."""
    answer = (member or office.supervisor).post("/pools/P1/payout-holds", WHY)
    assert answer.status_code == 201, answer.json
    return dict(answer.json)


def release(office: Office, number: int) -> Any:
    """The organizer lets them go on."""
    return office.organizer.post(f"/payout-holds/{number}/release", {"reason": "протокол верен"})


def sold(office: Office) -> tuple[dict[str, Any], dict[str, Any], Member]:
    """10.00 on 1 at the desk and 10.00 from a game account, 30.00 on 2: fund 30.00, each win 15.00."""
    pool, player = office.pool(), office.player("ivan", "10.00")
    ticket = office.bet(office.cashier, "1", "10.00").json
    assert office.bet(player, "1", "10.00").status_code == 201
    assert office.bet(office.cashier, "2", "30.00").status_code == 201
    return pool, ticket, player


def test_what_is_held_is_neither_paid_nor_credited_until_it_is_released(office: Office) -> None:
    pool, ticket, player = sold(office)
    held = hold(office)
    assert office.decide(pool, "1").json["wins"] == "30.00"
    office.clock("2022-11-23T10:00:00+03:00")

    refused = office.pay(ticket["code"])
    assert code_of(refused) == (409, "payout_held")
    assert refused.json["detail"] == "Выплаты приостановлены: места 2 и 3 перепутаны."
    assert player.get("/players/me").json["balance"] == "0.00"
    assert resume_settlements(office.house.sessions, OPERATOR) == []
    shown = office.cashier.get(f"/tickets/{ticket['number']}").json
    assert (shown["under_review"], player.get("/tickets").json["items"][0]["under_review"]) == (True, True)

    assert release(office, held["id"]).json["released_by"] == "Organizer"
    assert resume_settlements(office.house.sessions, OPERATOR) == ["P1"]
    assert player.get("/players/me").json["balance"] == "15.00"
    assert office.pay(ticket["code"]).json["amount"] == "15.00"
    assert office.cashier.get(f"/tickets/{ticket['number']}").json["under_review"] is False


def test_what_is_refused_for_another_reason_is_no_hold(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sweep that took it for one would leave the pool uncredited, and nobody would hear of it."""
    pool, _, player = sold(office)
    office.determine(pool, "1")

    def refuse(*_arguments: object, **_named: object) -> None:
        raise Refusal("not_found", "Такого счёта нет.")

    with monkeypatch.context() as refusing:
        refusing.setattr("tote.settling.credit_chunk", refuse)
        with pytest.raises(Refusal, match="not_found"):
            settle_pool(office.house.sessions, OPERATOR, "P1")
        with pytest.raises(Refusal, match="not_found"):
            resume_settlements(office.house.sessions, OPERATOR)
    assert resume_settlements(office.house.sessions, OPERATOR) == ["P1"]
    assert player.get("/players/me").json["balance"] == "15.00"


def test_a_payout_that_was_approved_waits_as_well(office: Office) -> None:
    pool, ticket, _ = sold(office)
    office.decide(pool, "1")
    office.clock("2022-11-23T10:00:00+03:00")
    approval = office.propose_payout(ticket["code"], code_entry="typed").json["id"]
    decided(office.supervisor, approval)
    held = hold(office)
    assert code_of(office.pay(ticket["code"], code_entry="typed", approval=approval)) == (409, "payout_held")
    assert code_of(office.propose_payout(ticket["code"])) == (409, "payout_held")
    release(office, held["id"])
    assert office.pay(ticket["code"], code_entry="typed", approval=approval).json["amount"] == "15.00"


def test_a_correction_before_the_settlement_goes_on_under_a_hold(office: Office) -> None:
    """FIELD-FAULTS 006: the wrong result is fixed, the hold pressed, the protocol corrected; 2 wins its 30.00."""
    pool, ticket, player = sold(office)
    office.determine(pool, "1")
    held = hold(office)
    path = f"/events/{pool['event_id']}"
    right = {"outcomes": ["2"], "source": "протокол матча", "corrects": 1, "reason": "clerical_error"}
    entered = office.organizer.post(path + "/results", right).json["id"]
    protocol = {"result_id": entered, "signatories": ["Первый член", "Второй член"]}
    assert office.second_organizer.post(path + "/protocols", protocol).status_code == 201
    release(office, held["id"])
    assert office.organizer.post("/pools/P1/settlement").json["wins"] == "30.00"
    office.clock("2022-11-23T10:00:00+03:00")
    assert code_of(office.pay(ticket["code"])) == (409, "ticket_lost")
    assert player.get("/players/me").json["balance"] == "0.00"


def test_a_pool_is_held_once_and_a_hold_released_once(office: Office) -> None:
    office.pool()
    first = hold(office)
    assert code_of(office.organizer.post("/pools/P1/payout-holds", WHY)) == (409, "payouts_already_held")
    assert code_of(office.organizer.post("/pools/P9/payout-holds", WHY)) == (404, "unknown_pool")
    assert code_of(release(office, 99)) == (404, "not_found")
    assert release(office, first["id"]).status_code == 201
    assert code_of(release(office, first["id"])) == (409, "payouts_not_held")
    second = hold(office, office.organizer)
    lines = office.accountant.get("/payout-holds").json["items"]
    assert [(one["id"], one["pool"], one["held_by"], one["released_by"]) for one in lines] == [
        (first["id"], "P1", "Supervisor", "Organizer"),
        (second["id"], "P1", "Organizer", None),
    ]
    standing = office.accountant.get("/payout-holds", standing="true").json["items"]
    assert [one["id"] for one in standing] == [second["id"]]


def test_holds_are_significant_events_and_need_a_reason(office: Office) -> None:
    pool = office.pool()
    assert office.supervisor.post("/pools/P1/payout-holds", {}).status_code == 422
    release(office, hold(office)["id"])
    subject = f"pool:{pool['id']}"
    assert facts_of(office, PAYOUTS_HELD) == [(subject, {"pool": "P1", **WHY})]
    assert facts_of(office, PAYOUTS_RELEASED) == [(subject, {"pool": "P1", "reason": "протокол верен"})]


def test_other_pools_are_paid_meanwhile(office: Office) -> None:
    """10.00 and 10.00 in a pool of its own: fund 12.00."""
    first, second = office.pool(), office.pool("P2")
    ticket = office.bet(office.cashier, "1", "10.00", "P2").json
    office.bet(office.cashier, "2", "10.00", "P2")
    hold(office)
    office.decide(second, "1")
    office.clock("2022-11-23T10:00:00+03:00")
    assert first["id"] != second["id"]
    assert office.pay(ticket["code"]).json["amount"] == "12.00"


def test_a_bet_is_taken_and_told_as_issued_under_a_hold(office: Office) -> None:
    office.pool()
    hold(office)
    issued = office.bet(office.cashier, "1", "10.00").json
    assert (issued["status"], issued["under_review"]) == ("accepted", False)
    assert office.cashier.get(f"/tickets/{issued['number']}").json["under_review"] is True
