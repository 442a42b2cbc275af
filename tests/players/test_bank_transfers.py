"""Money of players by bank: reserved, sent or returned; a payment credited once (T-Rules 35.6, 41, 42)."""

from __future__ import annotations

from datetime import date

import pytest
from werkzeug.test import TestResponse

from db.clock import trade_time
from db.session import transaction
from ledger.accounts import OPERATOR, Kind, open_account
from ledger.journal import Movement, post
from office.significant.kinds import PAYMENT_DIFFERS, TRANSFER_RETURNED
from players.game_accounts import Deposit
from players.means import Flow, Means, owed_to_card, usual_means
from players.registration import player_by_id
from tests.approvals.people import code_of
from tests.office import BANK_ACCOUNT, Member, Office
from tests.records import facts_of, noted


def sending(office: Office, login: str = "ivan", balance: str = "50.00") -> Member:
    """A player with a bank account on record."""
    player = office.player(login, balance)
    assert player.put("/players/me/bank-account", BANK_ACCOUNT).status_code == 200
    return player


def ask(player: Member, amount: str) -> TestResponse:
    """Ask for a transfer."""
    return player.post("/players/me/withdrawals", {"amount": amount})


def end(office: Office, number: int, **word: str) -> TestResponse:
    """The accountant's word on a transfer."""
    return office.accountant.post(f"/account-withdrawals/{number}/ending", word)


def notice(office: Office, payment: str = "2022-11-22/1", amount: str = "25.00", login: str = "ivan") -> TestResponse:
    """The bank tells of a payment."""
    body = {"provider": "bank", "payment_id": payment, "player": login, "amount": amount}
    return office.accountant.post("/bank-deposits", body)


def test_t_rules_42_a_transfer_is_reserved_then_sent(office: Office) -> None:
    """50.00 less 20.00: 30.00 are left, 20.00 under way; of 1000.00 in the bank 500.00, 100.00 and 20.00 are gone."""
    player = sending(office)
    asked = ask(player, "20.00")
    assert (asked.status_code, asked.json["stage"], asked.json["account"]) == (201, "under_way", "ОАО «Банк» ***AB00")
    page = player.get("/players/me").json
    assert (page["balance"], page["under_way"], page["bank_account"]) == ("30.00", "20.00", "ОАО «Банк» ***AB00")
    assert office.balance("under_way") == "20.00"
    assert office.balance("bank") == "400.00"
    assert office.accountant.get("/reports/fund-cover").json["players"] == "50.00", "owed till it is sent"

    (waiting,) = office.accountant.get("/account-withdrawals", stage="under_way").json["items"]
    told = {"reason": "платёжное поручение", "version": waiting["person_version"]}
    seen = office.accountant.post(f"/persons/{waiting['person_id']}/views", told).json
    assert seen["details"]["bank_account"] == BANK_ACCOUNT
    sent = end(office, waiting["id"], payment_order="17")
    assert (sent.status_code, sent.json["stage"], sent.json["payment_order"]) == (201, "sent", "17")
    assert office.balance("under_way") == "0.00"
    assert office.balance("bank") == "380.00"
    assert player.get("/players/me").json["under_way"] == "0.00"
    assert office.accountant.get("/account-withdrawals", stage="under_way").json["items"] == []
    assert [one["stage"] for one in player.get("/players/me/withdrawals").json["items"]] == ["sent"]


def test_a_transfer_that_is_not_sent_comes_back_onto_the_account(office: Office) -> None:
    player = sending(office)
    number = ask(player, "20.00").json["id"]
    returned = end(office, number, reason="счёт закрыт")
    assert (returned.json["stage"], returned.json["reason"]) == ("returned", "счёт закрыт")
    assert player.get("/players/me").json["balance"] == "50.00"
    assert office.balance("bank") == "400.00"
    told = {"player": 1, "amount": "20.00", "reason": "счёт закрыт"}
    assert facts_of(office, TRANSFER_RETURNED) == [(f"withdrawal:{number}", told)]


def test_a_transfer_ends_once(office: Office) -> None:
    number = ask(sending(office), "20.00").json["id"]
    assert end(office, number, payment_order="17").status_code == 201
    for word in ({"payment_order": "18"}, {"reason": "ошибка"}):
        again = end(office, number, **word)
        assert (code_of(again), again.json["end"]) == ((409, "withdrawal_ended"), "sent")
    assert office.balance("bank") == "380.00"
    assert end(office, number + 1, payment_order="1").status_code == 404


def test_a_word_is_either_an_order_or_a_reason(office: Office) -> None:
    number = ask(sending(office), "20.00").json["id"]
    assert end(office, number).status_code == 422
    assert end(office, number, payment_order="17", reason="ошибка").status_code == 422
    assert office.balance("under_way") == "20.00"


def test_cash_paid_at_a_desk_is_no_transfer_to_be_ended(office: Office) -> None:
    office.player("ivan", "10.00")
    assert office.withdraw("ivan", "10.00").status_code == 201
    assert end(office, 1, payment_order="17").status_code == 404


def test_the_bank_sends_no_more_than_it_holds(office: Office) -> None:
    """400.00 in the bank after the special account and the float."""
    player = sending(office, balance="500.00")
    number = ask(player, "400.01").json["id"]
    refused = end(office, number, payment_order="17")
    assert (code_of(refused), refused.json["held"]) == ((409, "not_enough_money"), "400.00")
    assert office.balance("under_way") == "400.01"


def test_without_a_bank_account_nothing_is_reserved(office: Office) -> None:
    player = office.player("ivan", "50.00")
    assert code_of(ask(player, "20.00")) == (409, "bank_details_needed")
    player.put("/players/me/bank-account", BANK_ACCOUNT)
    assert code_of(ask(player, "50.01")) == (409, "insufficient_funds")
    assert ask(player, "50.00").status_code == 201


def test_a_mistyped_account_is_told_at_once(office: Office) -> None:
    """Two digits changed places; BY13… is the example of the register, DE89… and GB82… those of other countries."""
    player = office.player("ivan")
    wrong = player.put("/players/me/bank-account", {**BANK_ACCOUNT, "account": "BY13NBRB3600900000002Z00BA00"})
    assert wrong.status_code == 422
    assert "Контрольные цифры" in wrong.json["errors"]["json"]["account"][0]
    for account in ("DE89370400440532013000", "GB82WEST12345698765432"):
        assert player.put("/players/me/bank-account", {**BANK_ACCOUNT, "account": account}).status_code == 200


def test_d_16_the_account_lies_encrypted_and_is_shown_masked(office: Office) -> None:
    player = sending(office)
    asked = ask(player, "20.00")
    number = BANK_ACCOUNT["account"]
    assert number not in asked.text and number not in player.get("/players/me").text
    with office.owner() as session:
        for table in ("person_versions", "bank_details", "account_withdrawals", "significant_events", "person_words"):
            rows = session.connection().exec_driver_sql(f"SELECT {table}::text FROM {table}").scalars().all()
            kept = " ".join(rows)
            assert number not in kept and number.encode().hex() not in kept, table


def test_a_transfer_keeps_the_account_it_was_asked_with(office: Office) -> None:
    player = sending(office)
    first = ask(player, "10.00").json
    player.put("/players/me/bank-account", {**BANK_ACCOUNT, "bank": "ЗАО «Другой»"})
    second = ask(player, "10.00").json
    assert (first["account"], second["account"]) == ("ОАО «Банк» ***AB00", "ЗАО «Другой» ***AB00")
    shown = office.accountant.get(f"/account-withdrawals/{first['id']}").json
    assert shown["account"] == "ОАО «Банк» ***AB00"


def test_a_document_shown_later_does_not_lose_the_account(office: Office) -> None:
    player = sending(office)
    assert office.withdraw("ivan", "1.00").status_code == 201
    assert ask(player, "1.00").json["account"] == "ОАО «Банк» ***AB00"


def test_t_rules_35_6_a_payment_is_credited_with_its_means(office: Office) -> None:
    player = office.player("ivan")
    made = notice(office)
    assert (made.status_code, made.json["means"], made.json["amount"]) == (201, "bank_transfer", "25.00")
    assert player.get("/players/me").json["balance"] == "25.00"
    assert office.balance("bank") == "425.00"
    (shown,) = office.accountant.get("/deposits", means="bank_transfer").json["items"]
    assert shown == made.json
    assert player.get("/players/me").json["pay_out_by"] == "bank_transfer"


def test_fault_055_a_payment_told_again_credits_nothing_more(office: Office) -> None:
    """Under a key of its own each time; another amount or player is refused and an alarm."""
    office.player("ivan")
    office.player("olga")
    first, *others = [notice(office) for _ in range(5)]
    assert first.headers.get("Idempotency-Replayed") is None
    assert {(one.status_code, one.headers["Idempotency-Replayed"]) for one in others} == {(201, "true")}
    assert all(one.json == first.json for one in others)
    assert office.balance("player", "player:1") == "25.00"

    differing = [notice(office, amount="26.00"), notice(office, login="olga"), notice(office, login="nobody")]
    assert {code_of(one) for one in differing} == {(409, "payment_differs")}
    assert [event.subject for event in noted(office, PAYMENT_DIFFERS)] == ["deposit:1"] * 3
    assert (office.balance("player", "player:1"), office.balance("player", "player:2")) == ("25.00", "0.00")


def test_a_refused_notice_repeated_under_its_key_raises_one_alarm(office: Office) -> None:
    office.player("ivan")
    notice(office)
    body = {"provider": "bank", "payment_id": "2022-11-22/1", "player": "ivan", "amount": "26.00"}
    for _ in range(3):
        assert office.accountant.post("/bank-deposits", body, "notice-key-1").json["code"] == "payment_differs"
    assert len(noted(office, PAYMENT_DIFFERS)) == 1


def test_the_same_number_of_another_bank_is_another_payment(office: Office) -> None:
    office.player("ivan")
    notice(office)
    other = {"provider": "other bank", "payment_id": "2022-11-22/1", "player": "ivan", "amount": "1.00"}
    assert office.accountant.post("/bank-deposits", other).status_code == 201
    assert office.balance("player", "player:1") == "26.00"


def test_a_locked_player_gets_no_payment(office: Office) -> None:
    office.player("ivan")
    office.supervisor.post("/players/1/locking", {"reason": "проверка"})
    assert code_of(notice(office)) == (409, "player_blocked")
    assert office.balance("bank") == "400.00"
    assert code_of(notice(office, login="nobody")) == (404, "not_found")


CASH, BANK, SYSTEM, CARD = Means.CASH_DESK, Means.BANK_TRANSFER, Means.PAYMENT_SYSTEM, Means.CARD


@pytest.mark.parametrize(
    ("flows", "usual", "card"),
    [
        ([], CASH, 0),
        ([Flow(CASH, 100, 0, 1)], CASH, 0),
        ([Flow(CASH, 100, 0, 1), Flow(BANK, 50, 0, 2)], BANK, 0),
        ([Flow(CASH, 100, 0, 1), Flow(BANK, 50, 50, 2)], CASH, 0),
        ([Flow(CASH, 100, 100, 1), Flow(BANK, 50, 70, 2)], BANK, 0),
        ([Flow(CARD, 30, 10, 1), Flow(BANK, 50, 0, 2)], CARD, 20),
        ([Flow(CARD, 30, 30, 1), Flow(SYSTEM, 50, 0, 2)], SYSTEM, 0),
        ([Flow(CARD, 30, 40, 3), Flow(BANK, 50, 50, 2)], CARD, 0),
    ],
)
def test_t_rules_41_money_goes_back_the_way_it_came(flows: list[Flow], usual: Means, card: int) -> None:
    """The card first; then the latest means of which something is left; of wins alone the latest means there was."""
    assert (usual_means(flows), owed_to_card(flows)) == (usual, card)


def test_t_rules_41_what_came_from_a_card_goes_back_to_it_first(office: Office) -> None:
    """30.00 of cash and 20.00 from a card: neither cash nor a transfer till the 20.00 are back on the card."""
    player = sending(office, balance="30.00")
    by_card(office, 20_00)
    answers = [ask(player, "5.00"), office.withdraw("ivan", "5.00")]
    assert {(code_of(one), one.json["amount"]) for one in answers} == {((409, "card_first"), "20.00")}
    assert player.get("/players/me").json["pay_out_by"] == "card"
    assert player.get("/players/me").json["balance"] == "50.00"


def by_card(office: Office, amount: int) -> None:
    """Money from a card, as a provider's adapter would book it: none is here yet."""
    with transaction(office.house.sessions) as session:
        player = player_by_id(session, 1)
        bank = open_account(session, Kind.BANK, OPERATOR, "BYN")
        at = trade_time(session)
        movement = Movement(bank, player.account_id, amount, "bank_deposit")
        (moved,) = post(session, [movement], currency="BYN", occurred_at=at, booked_on=date(2022, 11, 22))
        paid = {"means": CARD, "provider": "card", "payment_id": "c-1", "amount": amount, "transfer_id": moved}
        session.add(Deposit(player_id=player.id, **paid, deposited_at=at))
