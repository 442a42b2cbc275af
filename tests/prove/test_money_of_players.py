"""Bets, cash and transfers at once on the money of one game account (FIELD-FAULTS 049, 055)."""

from __future__ import annotations

import pytest

from tests.office import BANK_ACCOUNT, identity
from tests.prove.served import Served, sized
from tests.prove.workers import Line, at_once

pytestmark = pytest.mark.prove
MOVED = """
    SELECT coalesce(sum(CASE WHEN credit_account_id = player.account_id THEN amount ELSE -amount END), 0)
    FROM players AS player JOIN transfers ON player.account_id IN (debit_account_id, credit_account_id)
    WHERE player.id = :player
"""
GAPS = "SELECT max(number) - count(*) FROM payouts"


def sending(served: Served, balance: str) -> tuple[Line, str]:
    """A player with a bank account on record, and the login."""
    player = served.player(balance)
    assert player.put("/players/me/bank-account", BANK_ACCOUNT).status_code == 200
    return player, player.get("/players/me").json()["login"]


@pytest.mark.parametrize("turn", range(sized(3, 20)))
def test_fault_049_of_twenty_who_want_the_same_100_00_exactly_one_gets_it(served: Served, turn: int) -> None:
    """Eight bets, six payouts in cash and six transfers of 100.00 each, out of 100.00."""
    pool = served.pool()["code"]
    player, login = sending(served, "100.00")
    assert served.cashier.bet("1", "500.00", pool).status_code == 201, "the till can pay"
    number = served.id_of(player)
    shown = {**identity(login), "amount": "100.00"}

    def bet():
        return player.bet("1", "100.00", pool)

    def cash():
        return served.cashier.post("/account-payouts", shown)

    def transfer():
        return player.post("/players/me/withdrawals", {"amount": "100.00"})

    answers = at_once([bet] * 8 + [cash] * 6 + [transfer] * 6)

    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 19
    refused = {answer.json()["code"] for answer in answers if answer.status_code == 409}
    assert refused == {"insufficient_funds"}
    assert player.get("/players/me").json()["balance"] == "0.00"
    assert served.fact(MOVED, player=number) == 0
    assert served.fact(GAPS) in (0, None)


def test_twenty_of_each_within_the_money_all_get_it(served: Served) -> None:
    """20 bets, 20 payouts and 20 transfers of 1.00 out of 60.00; the journal's numbers have no gap."""
    pool = served.pool()["code"]
    player, login = sending(served, "60.00")
    shown = {**identity(login), "amount": "1.00"}
    ways = [
        lambda: player.bet("1", "1.00", pool),
        lambda: served.cashier.post("/account-payouts", shown),
        lambda: player.post("/players/me/withdrawals", {"amount": "1.00"}),
    ]
    answers = at_once([ways[turn % 3] for turn in range(60)])
    assert [answer.status_code for answer in answers] == [201] * 60
    assert player.get("/players/me").json()["balance"] == "0.00"
    assert served.fact(GAPS) == 0


@pytest.mark.parametrize("turn", range(sized(2, 20)))
def test_fault_055_a_payment_told_by_five_at_once_is_credited_once(served: Served, turn: int) -> None:
    """Each under a key of its own: one makes it, four are answered the same; then the sixth differs and is refused."""
    player = served.player()
    accountant = served.line(served.office.accountant)
    login = player.get("/players/me").json()["login"]
    body = {"provider": "bank", "payment_id": f"{login}/1", "player": login, "amount": "25.00"}

    answers = at_once([lambda: accountant.post("/bank-deposits", body)] * 5)

    assert [answer.status_code for answer in answers] == [201] * 5
    assert len({answer.text for answer in answers}) == 1
    assert sum("Idempotency-Replayed" not in answer.headers for answer in answers) == 1
    assert player.get("/players/me").json()["balance"] == "25.00"
    assert accountant.post("/bank-deposits", {**body, "amount": "26.00"}).json()["code"] == "payment_differs"


@pytest.mark.parametrize("turn", range(sized(2, 20)))
def test_of_two_words_on_a_transfer_the_second_is_refused(served: Served, turn: int) -> None:
    """Sent by one and returned by another at the same moment: the money is in one place."""
    player, _ = sending(served, "10.00")
    number = player.post("/players/me/withdrawals", {"amount": "10.00"}).json()["id"]
    accountant = served.line(served.office.accountant)
    path = f"/account-withdrawals/{number}/ending"
    words: list[dict[str, str]] = [{"payment_order": "1"}, {"reason": "счёт закрыт"}]

    answers = at_once([lambda word=word: accountant.post(path, word) for word in words])

    assert sorted(answer.status_code for answer in answers) == [201, 409]
    stage = next(answer.json()["stage"] for answer in answers if answer.status_code == 201)
    assert player.get("/players/me").json()["balance"] == ("0.00" if stage == "sent" else "10.00")


def test_an_end_of_the_registration_among_bets_leaves_nothing_behind(served: Served) -> None:
    """Bets of 1.00 out of 100.00 while the organizer ends the registration: what was not staked is under way."""
    pool = served.pool()["code"]
    player, _ = sending(served, "100.00")
    number = served.id_of(player)
    calls = [lambda: player.bet("1", "1.00", pool)] * 20
    calls.insert(10, lambda: served.organizer.post(f"/players/{number}/ending", {}))
    answers = at_once(calls)
    assert answers[10].status_code == 201
    taken = sum(answer.status_code == 201 for answer in answers) - 1
    shown = served.line(served.office.auditor).get(f"/players/{number}").json()
    assert shown["standing"] == "ended"
    cents = [int(shown[name].replace(".", "")) for name in ("balance", "under_way")]
    assert sum(cents) == 100_00 - taken * 1_00
    assert {answer.status_code for answer in answers} <= {201, 401, 409}
