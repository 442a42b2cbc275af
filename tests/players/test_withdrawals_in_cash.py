"""A player's money in cash at a desk: the document, the journal, the second person (T-Prov 22-24; T-Rules 35.3, 41)."""

from __future__ import annotations

from typing import Any

import pytest

from db.clock import trade_time
from ledger.accounts import Balance
from ledger.refusals import Refusal
from office.callers import Caller, Role
from office.significant.kinds import WITHDRAWN_OTHERWISE
from players.permission import permit_deposit
from players.registration import player_by_id
from players.withdrawing import ask_bank_transfer
from tests.approvals.people import code_of, decided
from tests.office import BANK_ACCOUNT, Office, identity
from tests.persons.persons import fact
from tests.records import facts_of


def test_t_prov_22_to_24_cash_from_an_account_is_a_line_of_the_one_journal(office: Office) -> None:
    """100.00 of float, 30.00 and 50.00 paid in, 12.50 and 7.50 paid out: 160.00 in the till, lines 1 and 2."""
    office.player("ivan", "30.00")
    office.player("olga", "50.00")

    first, second = office.withdraw("ivan", "12.50"), office.withdraw("olga", "7.50")

    assert (first.status_code, first.json["number"], first.json["amount"]) == (201, 1, "12.50")
    assert (first.json["person"], first.json["document"]) == ("И*** П.", "паспорт ***an-1")
    assert (first.json["ticket"], first.json["account_withdrawal"], first.json["code_entry"]) == (None, 1, "no_code")
    assert second.json["number"] == 2
    assert office.balance("player", "player:1") == "17.50"
    assert office.balance("cash", "desk:K-1") == "160.00"
    sheet = office.supervisor.get(f"/shifts/{office.shift_id}").json
    assert (sheet["received"], sheet["paid_out"], sheet["expected_cash"]) == ("80.00", "20.00", "160.00")
    lines = office.supervisor.get("/payouts").json["items"]
    assert [line["number"] for line in lines] == [1, 2]


def test_a_payout_of_a_ticket_and_one_from_an_account_share_the_numbers(office: Office) -> None:
    """10.00 on the true outcome of 20.00: 12.00 to the ticket, line 1; then 5.00 from an account, line 2."""
    pool = office.pool()
    code = office.bet(office.cashier, "1", "10.00").json["code"]
    office.bet(office.cashier, "2", "10.00")
    office.player("ivan", "5.00")
    office.decide(pool, "1")
    office.clock("2022-11-23T10:00:00+03:00")
    assert office.pay(code).json["number"] == 1
    paid = office.withdraw("ivan", "5.00")
    assert (paid.json["number"], paid.json["payable_until"]) == (2, None)
    assert [line["ticket"] for line in office.supervisor.get("/payouts").json["items"]] == [1, None]
    told = {"reason": "печать журнала"}
    full = office.supervisor.post("/payouts/views", told).json["items"]
    assert [(line["number"], line["account_withdrawal"], line["amount"]) for line in full] == [
        (1, None, "12.00"),
        (2, 1, "5.00"),
    ]
    assert full[1]["person"] == "Игрок-ivan Пробный"


OTHERS: dict[str, dict[str, Any]] = {
    "login": {"player": "nobody"},
    "surname": {"surname": "Другой"},
    "birth date": {"birth_date": "1990-05-18"},
    "document of another": {"document": identity("olga")["document"]},
}


def test_t_prov_22_nobody_else_is_paid_and_all_are_told_the_same(office: Office) -> None:
    office.player("ivan", "30.00")
    office.player("olga", "1.00")
    assert office.withdraw("olga", "1.00").status_code == 201, "her passport is on record"
    answers = [office.withdraw("ivan", "10.00", **changed) for changed in OTHERS.values()]
    assert {code_of(answer) for answer in answers} == {(409, "identity_not_proven")}
    assert len({answer.text for answer in answers}) == 1
    assert office.balance("player", "player:1") == "30.00"
    assert fact(office, "SELECT count(*) FROM payouts") == 1


def test_t_rules_35_3_no_more_is_paid_than_lies_on_the_account(office: Office) -> None:
    office.player("ivan", "30.00")
    refused = office.withdraw("ivan", "30.01")
    assert code_of(refused) == (409, "insufficient_funds")
    assert refused.json["detail"] == "На игровом счёте недостаточно денег: уменьшите сумму."
    assert office.withdraw("ivan", "30.00").status_code == 201
    assert code_of(office.withdraw("ivan", "0.01")) == (409, "insufficient_funds")
    assert office.balance("player", "player:1") == "0.00"


@pytest.mark.parametrize("amount", ["-100.00", "0", "0.00", "-0", "1e2", 100])
def test_a_wrong_amount_is_422_at_every_way_in_and_out(office: Office, amount: object) -> None:
    """FIELD-FAULTS 048."""
    player = office.player("ivan", "30.00")
    told: Any = amount
    answers = [
        office.withdraw("ivan", told),
        player.post("/players/me/withdrawals", {"amount": told}),
        office.cashier.post("/deposits", {"player": "ivan", "amount": told}),
        office.accountant.post(
            "/bank-deposits", {"provider": "bank", "payment_id": "1", "player": "ivan", "amount": told}
        ),
    ]
    assert [answer.status_code for answer in answers] == [422] * 4
    assert office.balance("player", "player:1") == "30.00"


def test_a_till_pays_no_more_than_it_holds(office: Office) -> None:
    """The till has 100.00 of float and 50.00 of a deposit; 120.00 are collected, so 30.00 are there."""
    office.player("ivan", "50.00")
    office.move("collection", "120.00", desk_id=office.desk["id"])
    refused = office.withdraw("ivan", "30.01")
    assert (code_of(refused), refused.json["held"]) == ((409, "not_enough_money"), "30.00")
    assert office.balance("player", "player:1") == "50.00"


def test_5000_00_from_an_account_take_two_persons_and_4999_99_one(office: Office) -> None:
    office.player("ivan", "9999.99")
    assert office.withdraw("ivan", "4999.99").status_code == 201
    alone = office.withdraw("ivan", "5000.00")
    assert (code_of(alone), alone.json["because"]) == ((403, "second_person_needed"), "large")

    body = {**identity("ivan"), "amount": "5000.00", "reason": "крупная выплата"}
    proposed = office.cashier.post("/account-payout-proposals", body)
    assert proposed.status_code == 201, proposed.json
    assert (proposed.json["act"], proposed.json["subject"]) == ("account_payout", "player:1")
    assert (proposed.json["content"]["person"], proposed.json["content"]["amount"]) == ("И*** П.", "5000.00")
    approval = proposed.json["id"]
    assert code_of(office.withdraw("ivan", "5000.00", approval=approval)) == (409, "approval_waiting")
    assert decided(office.supervisor, approval).status_code == 201
    assert code_of(office.withdraw("ivan", "4999.99", approval=approval)) == (409, "approval_differs")
    paid = office.withdraw("ivan", "5000.00", approval=approval)
    assert (paid.status_code, paid.json["approved_by"]) == (201, "Supervisor")
    assert code_of(office.withdraw("ivan", "0.01", approval=approval)) == (409, "approval_used")


def test_an_approval_for_one_player_serves_no_other(office: Office) -> None:
    office.player("ivan", "5000.00")
    office.player("olga", "5000.00")
    body = {**identity("ivan"), "amount": "5000.00", "reason": "крупная выплата"}
    approval = office.cashier.post("/account-payout-proposals", body).json["id"]
    assert decided(office.supervisor, approval).status_code == 201
    assert code_of(office.withdraw("olga", "5000.00", approval=approval)) == (409, "approval_differs")


def test_a_retry_under_the_same_key_pays_once(office: Office) -> None:
    office.player("ivan", "30.00")
    body = {**identity("ivan"), "amount": "10.00"}
    answers = [office.cashier.post("/account-payouts", body, "account-payout-1") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201] * 3
    assert answers[0].json == answers[1].json == answers[2].json
    assert office.balance("player", "player:1") == "20.00"


def test_a_locked_player_is_paid_after_unlocking(office: Office) -> None:
    office.player("ivan", "30.00")
    office.supervisor.post("/players/1/locking", {"reason": "проверка"})
    assert code_of(office.withdraw("ivan", "10.00")) == (409, "player_blocked")
    office.supervisor.post("/players/1/unlocking", {"reason": "проверено"})
    assert office.withdraw("ivan", "10.00").status_code == 201


def test_fault_103_the_cash_of_a_shift_with_deposits_and_withdrawals(office: Office) -> None:
    """1000.00 + bets 500.00 + deposit 300.00 − payout 200.00 − withdrawal 100.00 − collection 400.00 = 1100.00.

    The payout is the fund of a pool of 333.33: 60 % are 199.998, rounded up 200.00. The 166.67 lie in another one.
    """
    office.move("own_money_in", "2000.00")
    cashier = office.cashier_at(office.register_desk("K-9"), "T-9", "cashier-9", cash=None)
    desk = office.administrator.get("/desks").json["items"]
    number = next(one["id"] for one in desk if one["code"] == "K-9")
    office.move("desk_float", "1000.00", desk_id=number)
    assert cashier.post("/shifts", {"counted": "1000.00"}).status_code == 201
    pool = office.pool()
    office.pool("P2")
    code = office.bet(cashier, "1", "100.00").json["code"]
    office.bet(cashier, "2", "233.33")
    office.bet(cashier, "2", "166.67", "P2")
    office.player("ivan")
    assert cashier.post("/deposits", {"player": "ivan", "amount": "300.00"}).status_code == 201
    office.decide(pool, "1")
    office.clock("2022-11-23T10:00:00+03:00")
    assert office.pay(code, cashier).json["amount"] == "200.00"
    assert office.withdraw("ivan", "100.00", cashier).status_code == 201
    office.move("collection", "400.00", desk_id=number)
    (sheet,) = office.supervisor.get("/shifts", desk_id=number).json["items"]
    assert (sheet["received"], sheet["paid_out"], sheet["expected_cash"]) == ("800.00", "700.00", "1100.00")


def test_t_rules_41_money_paid_another_way_than_it_came_is_on_record(office: Office) -> None:
    """It came as cash: the page proposes cash, and a bank transfer is possible but noted."""
    player = office.player("ivan", "30.00")
    assert player.get("/players/me").json["pay_out_by"] == "cash_desk"
    assert office.withdraw("ivan", "1.00").status_code == 201
    assert facts_of(office, WITHDRAWN_OTHERWISE) == []
    player.put("/players/me/bank-account", BANK_ACCOUNT)
    assert player.post("/players/me/withdrawals", {"amount": "2.00"}).json["usual_means"] == "cash_desk"
    ((subject, told),) = facts_of(office, WITHDRAWN_OTHERWISE)
    assert (subject, told["amount"], told["means"], told["usual"]) == (
        "withdrawal:2",
        "2.00",
        "bank_transfer",
        "cash_desk",
    )


def test_fault_050_what_a_session_read_before_decides_nothing(office: Office) -> None:
    """It has read a balance of 100.00 and an open player; meanwhile another takes 60.00 and the player is excluded."""
    player = office.player("ivan", "100.00")
    player.put("/players/me/bank-account", BANK_ACCOUNT)
    by = Caller(Role.PLAYER, player_id=1)
    with office.house.sessions() as session:
        known = player_by_id(session, 1)
        account = session.get_one(Balance, known.account_id)
        assert (account.balance, known.excluded_until) == (100_00, None)
        assert office.withdraw("ivan", "60.00").status_code == 201
        assert player.post("/players/me/self-exclusions", {"days": 180}).status_code == 201
        with pytest.raises(Refusal, match="insufficient_funds"):
            ask_bank_transfer(session, office.house.operator, known, 100_00, by)
        with pytest.raises(Refusal, match="self_excluded"):
            permit_deposit(session, 1, trade_time(session))
        assert ask_bank_transfer(session, office.house.operator, known, 40_00, by).amount == 40_00
        session.commit()
    assert office.balance("player", "player:1") == "0.00"
