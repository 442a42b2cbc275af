"""Who cancels a bet, for what, how often, and where it is noted (T-Rules 27, 29)."""

from __future__ import annotations

from typing import Any

from office.significant.kinds import BET_CANCELLED
from tests.approvals.people import code_of
from tests.office import Office
from tests.records import facts_of
from tests.tote.cancelling.bets import (
    WHY,
    approved,
    cancel,
    cancelled,
    stand_of,
)


def test_t_rules_27_a_registered_bet_is_cancelled_by_the_organizer_and_by_nobody_else(office: Office) -> None:
    """Not at the desk that sold it, nor by the player it belongs to; while nobody cancels it, it stands."""
    office.pool()
    player = office.player("ivan", "10.00")
    number = office.bet(player, "1", "10.00").json["number"]
    for member in (office.cashier, player, office.supervisor, office.accountant):
        answer = member.post(f"/tickets/{number}/cancellation", WHY)
        assert code_of(answer) == (403, "forbidden")
    assert stand_of(office, number) == ("accepted", None, None)
    assert office.balance("pool", "pool:P1") == "10.00"


def test_a_replay_gives_the_same_answer_and_a_second_cancellation_none(office: Office) -> None:
    office.pool()
    number = office.bet(office.cashier, "1", "10.00").json["number"]
    first = cancel(office, number, key="cancel-this-bet")
    again = cancel(office, number, key="cancel-this-bet")
    assert (first.status_code, again.status_code, again.json) == (201, 201, first.json)
    assert again.headers["Idempotency-Replayed"] == "true"
    refused = cancel(office, number)
    assert (code_of(refused), refused.json["reason"]) == ((409, "already_cancelled"), "after_start")
    assert refused.json["cancelled_at"] == first.json["cancelled_at"]
    assert code_of(cancel(office, 999)) == (404, "not_found")
    proposal = office.organizer.post(f"/tickets/{number}/cancellation-proposals", WHY)
    assert code_of(proposal) == (409, "already_cancelled")


def test_what_is_asked_for_is_a_reason_from_the_list_and_words(office: Office) -> None:
    office.pool()
    number = office.bet(office.cashier, "1", "10.00").json["number"]
    path = f"/tickets/{number}/cancellation"
    for told in ({}, {"reason": "after_start"}, {**WHY, "reason": "changed_mind"}, {**WHY, "explanation": ""}):
        assert office.organizer.post(path, told).status_code == 422, told
    unneeded = office.organizer.post(f"/tickets/{number}/cancellation-proposals", WHY)
    assert code_of(unneeded) == (409, "second_person_not_needed")


def test_another_cancellation_than_was_approved(office: Office, settled: dict[str, Any]) -> None:
    number = settled["online"]["number"]
    approval = approved(office, number)
    assert code_of(cancel(office, number, approval=approval, reason="unpaid")) == (409, "approval_differs")
    assert code_of(cancel(office, settled["lost"]["number"], approval=approval)) == (409, "approval_differs")
    assert cancel(office, number, approval=approval).status_code == 201


def test_a_cancelled_bet_is_a_significant_event(office: Office) -> None:
    office.pool()
    number = office.bet(office.cashier, "1", "10.00").json["number"]
    cancelled(office, number)
    assert facts_of(office, BET_CANCELLED) == [
        (
            f"ticket:{number}",
            {
                "pool": "P1",
                "stage": "selling",
                "reason": "after_start",
                "stake": "10.00",
                "received": "0.00",
                "currency": "BYN",
            },
        )
    ]
