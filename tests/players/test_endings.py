"""The organizer ends a registration: nobody plays on, the money goes to the bank account (T-Rules 35.3)."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text
from werkzeug.test import TestResponse

from api.tasks import SWEEPS
from db.session import transaction
from office.significant.kinds import REGISTRATION_ENDED
from tests.approvals.people import code_of
from tests.office import BANK_ACCOUNT, PASSWORD, Member, Office
from tests.persons.persons import fact, person_of
from tests.records import facts_of

OTHER_ACCOUNT = {**BANK_ACCOUNT, "account": "DE89370400440532013000"}


def sweep(office: Office) -> None:
    """A worker's turn."""
    SWEEPS["send_after_endings"](office.house)


def amounts(office: Office, stage: str = "under_way") -> list[str]:
    """What is on its way, or was, the latest first."""
    return [one["amount"] for one in office.accountant.get("/account-withdrawals", stage=stage).json["items"]]


def card(office: Office) -> tuple[str, str, str]:
    """How the registration stands, what lies on the account, what is on its way."""
    shown = office.auditor.get("/players/1").json
    return shown["standing"], shown["balance"], shown["under_way"]


@pytest.mark.parametrize("reason", [None, "нарушение правил"])
def test_t_rules_35_3_ended_without_reasons_and_all_the_money_is_sent(office: Office, reason: str | None) -> None:
    office.pool()
    player = office.player("ivan", "50.00")
    told = {"bank_account": BANK_ACCOUNT, **({"reason": reason} if reason else {})}
    ended = office.organizer.post("/players/1/ending", told)
    assert (ended.status_code, ended.json["standing"], ended.json["balance"]) == (201, "ended", "0.00")
    assert player.get("/players/me").status_code == 401
    sign_in = office.client.post("/api/v1/player-sessions", json={"login": "ivan", "password": PASSWORD})
    assert sign_in.json["code"] == "wrong_login_or_password"
    assert facts_of(office, REGISTRATION_ENDED) == [("player:1", {"reason": reason, "sessions_ended": 1})]
    (waiting,) = office.accountant.get("/account-withdrawals").json["items"]
    assert (waiting["amount"], waiting["cause"], waiting["stage"]) == ("50.00", "registration_ended", "under_way")
    sent = office.accountant.post(f"/account-withdrawals/{waiting['id']}/ending", {"payment_order": "1"})
    assert sent.status_code == 201
    assert card(office) == ("ended", "0.00", "0.00")


def test_t_rules_35_3_neither_bets_nor_deposits_nor_cash_after_the_end(office: Office) -> None:
    """A session that is let in at the very moment is refused by the placing statement all the same."""
    office.pool()
    office.player("ivan", "50.00")
    assert office.administrator.post("/players/1/ending", {}).status_code == 201
    assert code_of(office.cashier.post("/deposits", {"player": "ivan", "amount": "1.00"})) == (409, "player_blocked")
    notice = {"provider": "bank", "payment_id": "1", "player": "ivan", "amount": "1.00"}
    assert code_of(office.accountant.post("/bank-deposits", notice)) == (409, "player_blocked")
    assert code_of(office.withdraw("ivan", "1.00")) == (409, "registration_ended")
    assert code_of(office.supervisor.post("/players/1/unlocking", {"reason": "ошибка"})) == (409, "registration_ended")
    assert code_of(office.organizer.post("/players/1/ending", {})) == (409, "registration_ended")
    assert office.organizer.post("/players/404/ending", {}).status_code == 404


def test_t_rules_35_3_bets_that_stand_are_settled_and_their_wins_are_sent(office: Office) -> None:
    """50.00 less a stake of 10.00: 40.00 at once; 10.00 of 20.00 on the true outcome win 12.00, sent by the sweep."""
    pool = office.pool()
    player = office.player("ivan", "50.00")
    office.bet(player, "1", "10.00")
    office.bet(office.cashier, "2", "10.00")
    office.organizer.post("/players/1/ending", {"bank_account": BANK_ACCOUNT})
    assert amounts(office) == ["40.00"]
    sweep(office)
    assert amounts(office) == ["40.00"], "nothing new lies there"

    office.decide(pool, "1")
    assert card(office) == ("ended", "12.00", "40.00")
    for _ in range(3):
        sweep(office)
    assert amounts(office) == ["12.00", "40.00"]
    assert card(office) == ("ended", "0.00", "52.00")


def test_without_an_account_the_money_waits_till_somebody_tells_it(office: Office) -> None:
    office.player("ivan", "50.00")
    office.organizer.post("/players/1/ending", {})
    sweep(office)
    assert card(office) == ("ended", "50.00", "0.00")
    assert office.supervisor.put("/players/1/bank-account", BANK_ACCOUNT).status_code == 200
    sweep(office)
    assert card(office) == ("ended", "0.00", "50.00")


def test_a_player_whose_sending_fails_keeps_none_behind_waiting(office: Office) -> None:
    """The database refuses the first one's withdrawal: the second one's is reserved, and the failure is told."""
    for number, login in enumerate(("ivan", "anna"), 1):
        office.player(login, "50.00")
        office.organizer.post(f"/players/{number}/ending", {})
        assert office.supervisor.put(f"/players/{number}/bank-account", BANK_ACCOUNT).status_code == 200
    with transaction(office.owner) as session:
        session.execute(text("ALTER TABLE account_withdrawals ADD CONSTRAINT broken CHECK (player_id <> 1)"))
    with pytest.raises(ExceptionGroup) as raised:
        sweep(office)
    assert len(raised.value.exceptions) == 1
    standing = [office.auditor.get(f"/players/{number}").json for number in (1, 2)]
    assert [(one["balance"], one["under_way"]) for one in standing] == [("50.00", "0.00"), ("0.00", "50.00")]


def test_a_transfer_that_comes_back_waits_for_another_account(office: Office) -> None:
    """The same account again would only bring it back: it is told anew first."""
    office.player("ivan", "50.00")
    office.organizer.post("/players/1/ending", {"bank_account": BANK_ACCOUNT})
    (number,) = [one["id"] for one in office.accountant.get("/account-withdrawals").json["items"]]
    office.accountant.post(f"/account-withdrawals/{number}/ending", {"reason": "счёт закрыт"})
    sweep(office)
    assert card(office) == ("ended", "50.00", "0.00")
    office.supervisor.put("/players/1/bank-account", OTHER_ACCOUNT)
    sweep(office)
    assert card(office) == ("ended", "0.00", "50.00")
    (waiting,) = office.accountant.get("/account-withdrawals", stage="under_way").json["items"]
    assert waiting["account"] == "ОАО «Банк» ***3000"


def test_a_locked_registration_is_ended_as_well(office: Office) -> None:
    office.player("ivan", "50.00")
    office.supervisor.post("/players/1/locking", {"reason": "второй счёт"})
    assert office.organizer.post("/players/1/ending", {"bank_account": BANK_ACCOUNT}).status_code == 201
    assert card(office) == ("ended", "0.00", "50.00")


def test_an_ended_registration_is_not_opened_anew(office: Office) -> None:
    """The refusal is that of anybody who cannot register, whatever the cause."""
    office.player("ivan")
    office.organizer.post("/players/1/ending", {})
    again = enrol(office, "ivan-2")
    assert code_of(again) == (409, "person_already_registered")
    assert "прекращ" not in again.text


def test_d_16_the_person_is_kept_while_money_is_on_its_way_and_as_long_as_the_journal(office: Office) -> None:
    office.player("ivan", "50.00")
    person = person_of(office, "ivan")
    office.organizer.post("/players/1/ending", {"bank_account": BANK_ACCOUNT})
    refused = office.administrator.post(f"/persons/{person}/erasures", {"reason": "заявление"})
    assert code_of(refused) == (409, "registration_stands")
    office.accountant.post("/account-withdrawals/1/ending", {"payment_order": "1"})
    erased = office.administrator.post(f"/persons/{person}/erasures", {"reason": "заявление"})
    sent_to = fact(office, "SELECT person_version_id FROM account_withdrawals")
    assert (erased.status_code, erased.json["kept"]) == (201, [sent_to])


def enrol(office: Office, login: str) -> TestResponse:
    """Register Ivan again."""
    person = {"surname": "Игрок-ivan", "name": "Пробный", "birth_date": "1990-05-17"}
    return office.cashier.post("/players", {"login": login, "password": PASSWORD, **person})


def test_an_ending_takes_the_money_before_the_sessions_as_the_players_own_acts_do(office: Office) -> None:
    """A bet that has taken the balance looks at its session last: the ending that waits for it must not hold that."""
    office.player("ivan", "10.00")
    organizer = Member(office.app.test_client(), office.organizer.token)
    with office.house.sessions() as betting, ThreadPoolExecutor(1) as beside:
        betting.execute(text("SELECT FROM balances JOIN players USING (account_id) FOR UPDATE OF balances"))
        ending = beside.submit(organizer.post, "/players/1/ending", {})
        while not betting.scalar(text("SELECT count(*) FROM pg_locks WHERE NOT granted")) and not ending.done():
            time.sleep(0.01)
        assert not ending.done(), "it waits for the money"
        betting.execute(text("SELECT FROM access_tokens WHERE player_id = 1 FOR SHARE NOWAIT"))
        betting.rollback()
        assert ending.result(timeout=30).status_code == 201
