"""How a bet is paid for, and the game account: T-Rules 35, a sentence each."""

from __future__ import annotations

from tests.approvals.people import code_of
from tests.office import BANK_ACCOUNT, PASSWORD, Office
from tests.persons.persons import enrol, fact
from tests.rulebook.facts import NEXT_DAY, how, registered

PERSON = {"surname": "Второй", "name": "Пробный", "birth_date": "1990-05-17"}


def test_t_rules_35_1_a_bet_is_paid_in_belarusian_roubles_in_cash(office: Office) -> None:
    """100.00 in the till and 12.50 for a bet."""
    assert office.pool()["currency"] == "BYN"
    assert office.bet(office.cashier, "1", "12.50").status_code == 201
    assert fact(office, "SELECT currency FROM transfers WHERE kind = 'stake'") == "BYN"
    assert office.balance("cash", "desk:K-1") == "112.50"
    told = {"pool": "P1", "outcome": "1", "stake": "1.00", "currency": "USD"}
    assert office.cashier.post("/pool-bets", told).status_code == 422


def test_t_rules_35_1_every_point_has_a_place_and_takes_bets_and_pays_wins(office: Office) -> None:
    """Two bets of 10.00 at a second point; the fund of 12.00 is paid there as well."""
    nowhere = {"code": "K-9", "certificate": "100-9", "cash_register": "SN-9"}
    assert office.certificate
    assert office.administrator.post("/desks", nowhere).status_code == 422
    pool, second = office.pool(), office.another_cashier(2)
    ticket = office.bet(second, "1", "10.00").json
    assert (ticket["desk"], ticket["place"]) == ("K-2", "Минск, K-2")
    office.bet(second, "2", "10.00")
    office.decide(pool, "1")
    office.clock(NEXT_DAY)
    assert office.pay(ticket["code"], second).json["amount"] == "12.00"


def test_t_rules_35_1_cash_taken_for_bets_pays_wins(office: Office) -> None:
    """A till that began empty: 10.00 and 10.00 came in, 12.00 go out, 8.00 are left."""
    pool, cashier = office.pool(), office.another_cashier(2)
    code = office.bet(cashier, "1", "10.00").json["code"]
    office.bet(cashier, "2", "10.00")
    office.decide(pool, "1")
    office.clock(NEXT_DAY)
    assert office.pay(code, cashier).status_code == 201
    assert office.balance("cash", "desk:K-2") == "8.00"


def test_t_rules_35_3_money_paid_in_before_is_what_a_player_bets_with(office: Office) -> None:
    """25.00 come by bank first; then 10.00 are staked of them."""
    office.pool()
    player = office.player("ivan")
    assert code_of(office.bet(player, "1", "10.00")) == (409, "insufficient_funds")
    notice = {"provider": "bank", "payment_id": "2022-11-22/1", "player": "ivan", "amount": "25.00"}
    assert office.accountant.post("/bank-deposits", notice).status_code == 201
    assert office.bet(player, "1", "10.00").status_code == 201
    assert player.get("/players/me").json["balance"] == "15.00"


def test_t_rules_35_3_a_player_fills_in_the_form_with_a_login_and_a_password(office: Office) -> None:
    told = {"login": "ivan", "password": PASSWORD, **PERSON}
    for missing in ("login", "password", "surname"):
        refused = office.cashier.post("/players", {name: said for name, said in told.items() if name != missing})
        assert refused.status_code == 422
    signing_in = {"login": "ivan", "password": PASSWORD}
    assert office.client.post("/api/v1/player-sessions", json=signing_in).status_code == 401
    assert office.cashier.post("/players", told).status_code == 201
    assert office.client.post("/api/v1/player-sessions", json=signing_in).status_code == 201


def test_t_rules_35_3_a_login_is_one_players(office: Office) -> None:
    office.player("ivan")
    taken = office.cashier.post("/players", {"login": "ivan", "password": PASSWORD, **PERSON})
    assert code_of(taken) == (409, "login_taken")


def test_t_rules_35_3_who_registered_has_a_page_with_balance_bets_and_history(office: Office) -> None:
    """30.00 paid in, 10.00 staked on each of two matches, the first of them lost."""
    pool = office.pool()
    office.pool("P2")
    player = office.player("ivan", "30.00")
    for code in ("P1", "P2"):
        office.bet(player, "2", "10.00", code)
    office.decide(pool, "1")
    assert player.get("/players/me").json["balance"] == "10.00"
    active, history = (player.get("/players/me/bets", active=which).json["items"] for which in ("true", "false"))
    assert ([bet["pool"] for bet in active], [bet["pool"] for bet in history]) == (["P2"], ["P1"])


def test_t_rules_35_3_the_balance_is_what_came_less_stakes_plus_wins(office: Office) -> None:
    """50.00; less 10.00 is 40.00; of 10.00 and 20.00 a fund of 18.00 is all the 10.00's: 58.00."""
    pool = office.pool()
    player = office.player("ivan", "50.00")
    assert player.get("/players/me").json["balance"] == "50.00"
    office.bet(player, "1", "10.00")
    assert player.get("/players/me").json["balance"] == "40.00"
    office.bet(office.cashier, "2", "20.00")
    office.decide(pool, "1")
    assert player.get("/players/me").json["balance"] == "58.00"


def test_t_rules_35_3_what_is_done_under_a_login_is_done_by_its_player(office: Office) -> None:
    """Nothing else proves who it is: a bet placed with the login's token is the player's, and nobody else's."""
    office.pool()
    office.player("ivan", "10.00")
    olga = office.player("olga")
    elsewhere = office.client.post("/api/v1/player-sessions", json={"login": "ivan", "password": PASSWORD})
    headers = {"Authorization": f"Bearer {elsewhere.json['token']}", "Idempotency-Key": "from-elsewhere-1"}
    told = {"pool": "P1", "outcome": "1", "stake": "10.00"}
    assert office.client.post("/api/v1/pool-bets", json=told, headers=headers).status_code == 201
    (bet,) = office.supervisor.get("/players/1/bets").json["items"]
    assert (bet["stake"], office.balance("player", "player:1")) == ("10.00", "0.00")
    assert olga.get("/players/me/bets").json["items"] == []


def test_t_rules_35_3_history_tells_day_stake_event_outcome_and_result(office: Office) -> None:
    pool = office.pool()
    player = office.player("ivan", "10.00")
    office.bet(player, "2", "10.00")
    office.decide(pool, "X")
    (bet,) = player.get("/players/me/bets").json["items"]
    assert bet["placed_at"].startswith("2022-11-22T05:0"), "08:00 in Minsk"
    assert (bet["stake"], bet["event"]) == ("10.00", "Аргентина — Саудовская Аравия")
    assert (bet["outcome"], bet["outcome_name"], bet["result"]) == ("2", "П2", ["X"])


def test_t_rules_35_3_in_a_dispute_the_archive_tells_what_was_staked(office: Office) -> None:
    """What a dispute is decided by is read by the ticket's number, whatever the player says, as it was sold."""
    pool = office.pool()
    player = office.player("ivan", "10.00")
    sold = office.bet(player, "2", "10.00").json
    office.decide(pool, "1")
    told = {"ticket": sold["number"], "statement": "Я ставил 100.00 на 1"}
    taken = office.supervisor.post("/disputes", told)
    assert (taken.status_code, taken.json["ticket"]) == (201, sold["number"])
    kept = office.supervisor.get(f"/tickets/{sold['number']}").json
    assert (kept["outcome"], kept["stake"], kept["placed_at"]) == ("2", "10.00", sold["placed_at"])


def test_t_rules_35_3_bets_are_taken_within_a_positive_balance_only(office: Office) -> None:
    """Of 10.00 a bet of all of it is the last one."""
    office.pool()
    player = office.player("ivan", "10.00")
    assert code_of(office.bet(player, "1", "10.01")) == (409, "insufficient_funds")
    assert office.bet(player, "1", "10.00").status_code == 201
    assert code_of(office.bet(player, "1", "1.00")) == (409, "insufficient_funds")
    assert player.get("/players/me").json["balance"] == "0.00"


def test_t_rules_35_3_one_player_has_one_game_account(office: Office) -> None:
    assert enrol(office, "anna").status_code == 201
    assert code_of(enrol(office, "anna-2")) == (409, "person_already_registered")


def test_t_rules_35_3_a_second_account_that_is_found_may_be_locked(office: Office) -> None:
    office.pool()
    player = office.player("ivan", "10.00")
    assert office.supervisor.post("/players/1/locking", {"reason": "второй счёт"}).status_code == 201
    assert office.bet(player, "1", "1.00").status_code == 401
    assert office.balance("player", "player:1") == "10.00", "the money stays the player's"


def test_t_rules_35_3_a_bet_is_accepted_when_its_stake_has_left_the_account(office: Office) -> None:
    """The ticket and the 4.00 of 10.00 are there at the same moment, and under the ticket's number."""
    office.pool()
    player = office.player("ivan", "10.00")
    made = office.bet(player, "1", "4.00").json
    assert (made["status"], player.get("/players/me").json["balance"]) == ("accepted", "6.00")
    (moved,) = office.accountant.get("/transfers", kind="stake").json["items"]
    assert moved["amount"] == "4.00"
    (same,) = office.accountant.get("/transfers", ticket_id=moved["ticket_id"]).json["items"]
    assert same == moved, "the only money of the ticket so far"
    assert [ticket["number"] for ticket in registered(office)] == [made["number"]]


def test_t_rules_35_3_an_ended_registrations_running_bet_goes_on(office: Office) -> None:
    """Of 50.00 a stake of 10.00 runs and wins 12.00 of 20.00; 40.00 and 12.00 go to the bank account."""
    pool = office.pool()
    number = office.bet(office.player("ivan", "50.00"), "1", "10.00").json["number"]
    office.bet(office.cashier, "2", "10.00")
    assert office.organizer.post("/players/1/ending", {"bank_account": BANK_ACCOUNT}).status_code == 201
    office.decide(pool, "1")
    assert how(office, number) == ("credited", "12.00")


def test_t_rules_35_7_a_game_account_is_filled_in_cash_at_a_desk(office: Office) -> None:
    """100.00 in the till; 7.50 onto the account lie there as well."""
    player = office.player("ivan")
    assert office.cashier.post("/deposits", {"player": "ivan", "amount": "7.50"}).status_code == 201
    assert player.get("/players/me").json["balance"] == "7.50"
    assert office.balance("cash", "desk:K-1") == "107.50"
