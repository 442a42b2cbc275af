"""Bets of a pool whose payouts are held: some wait for the hold, and none is paid behind its cancellation."""

from __future__ import annotations

from typing import Any

from tests.office import Office
from tests.tote.cancelling.bets import (
    account_of,
    cancel,
    cancelled,
    money_of,
    stand_of,
)


def test_a_cancelled_bet_is_paid_its_stake_though_the_pools_wins_are_held(
    office: Office, settled: dict[str, Any]
) -> None:
    assert office.supervisor.post("/pools/P1/payout-holds", {"reason": "проверка"}).status_code == 201
    assert office.pay(settled["cash"]["code"]).json["code"] == "payout_held"
    cancelled(office, settled["cash"]["number"])
    assert office.pay(settled["cash"]["code"]).json["amount"] == "10.00"


def test_while_a_corrected_pool_is_held_its_bets_wait_for_the_hold_and_are_told_so(office: Office) -> None:
    """Settled anew and complete, but what it takes back waits for the hold, however long; then the bet is cancelled."""
    pool = office.pool()
    number = office.bet(office.cashier, "1", "10.00").json["number"]
    office.bet(office.cashier, "2", "10.00")
    office.decide(pool, "1")
    held = office.supervisor.post("/pools/P1/payout-holds", {"reason": "проверка жалобы"}).json["id"]
    assert office.correct(pool, "2").status_code == 201
    assert cancel(office, number).json["code"] == "settlement_under_way", "the new run is not complete"
    assert office.organizer.post("/pools/P1/settlement").status_code == 201
    refused = cancel(office, number)
    assert (refused.status_code, refused.json["code"]) == (409, "payout_held")
    assert refused.json["detail"] == "Выплаты приостановлены: проверка жалобы."
    assert office.organizer.post(f"/payout-holds/{held}/release", {"reason": "верно"}).status_code == 201
    assert office.organizer.post("/pools/P1/settlement").status_code == 201
    assert money_of(cancelled(office, number)) == {"due": "10.00", "from_organizer": "10.00"}


def test_a_win_held_from_being_credited_is_not_credited_behind_its_cancellation(office: Office) -> None:
    """The run is complete and its crediting held; the bet of 10.00 is cancelled and credited; then the run goes on."""
    pool, player = office.pool(), office.player("ivan", "10.00")
    number = office.bet(player, "1", "10.00").json["number"]
    office.bet(office.cashier, "2", "10.00")
    held = office.supervisor.post("/pools/P1/payout-holds", {"reason": "проверка"}).json["id"]
    office.decide(pool, "1")
    assert account_of(player) == "0.00"
    assert money_of(cancelled(office, number)) == {"due": "10.00", "from_organizer": "10.00", "to_jackpot": "12.00"}
    assert account_of(player) == "10.00"
    assert office.organizer.post(f"/payout-holds/{held}/release", {"reason": "верно"}).status_code == 201
    assert office.organizer.post("/pools/P1/settlement").status_code == 201
    assert (account_of(player), stand_of(office, number)[0]) == ("10.00", "credited")
