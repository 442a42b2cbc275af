"""Funds, the jackpot's sources, how wins are paid: T-Rules 36 to 45, a sentence each."""

from __future__ import annotations

from office.approvals.limits import TYPED_NEEDS_SECOND_PERSON
from tests.approvals.people import code_of
from tests.office import POOL, Office
from tests.persons.persons import fact
from tests.records import set_to
from tests.rulebook.facts import NEXT_DAY, how, refusals_of
from tote.expiry import expire_due


def test_t_rules_36_1_a_pool_is_divided_as_the_game_it_was_announced_as(office: Office) -> None:
    """Nothing is announced as a game nobody knows how to divide; what is announced tells its game."""
    pool = office.pool()
    assert office.organizer.get("/pools/P1").json["game"] == "totolot_variant"
    told = {**POOL, "code": "P2", "event_id": pool["event_id"]}
    for game in ("totolot_position", "", None):
        assert office.organizer.post("/pools", {**told, "game": game}).status_code == 422
    assert refusals_of(office, "UPDATE pools SET game = 'totolot_position'") == ("23001", "42501")
    assert [pool["code"] for pool in office.organizer.get("/pools").json["items"]] == ["P1"]


def test_t_rules_36_1_the_fund_is_divided_by_the_money_staked_on_the_full_match(office: Office) -> None:
    """20.00 and 10.00 on 1, 20.00 on 2: of 50.00 a fund of 30.00, two thirds and one third of it."""
    pool = office.pool()
    numbers = [
        office.bet(office.cashier, outcome, stake).json["number"]
        for outcome, stake in (("1", "20.00"), ("1", "10.00"), ("2", "20.00"))
    ]
    office.decide(pool, "1")
    assert [how(office, number)[1] for number in numbers] == ["20.00", "10.00", "0.00"]


def test_t_rules_36_1_the_coefficient_is_the_fund_over_the_winning_stakes(office: Office) -> None:
    """Of 100.00 a fund of 60.00 over 25.00 is 12/5, known when the game is summed up and not before."""
    pool = office.pool()
    office.bet(office.cashier, "1", "25.00")
    office.bet(office.cashier, "2", "75.00")
    office.determine(pool, "1")
    assert office.organizer.get("/pools/P1/sheet").json["coefficient"] is None
    assert office.organizer.post("/pools/P1/settlement").json["coefficient"] == "12/5"


def test_t_rules_36_1_a_win_is_the_stake_times_the_coefficient(office: Office) -> None:
    """Of 100.00 a fund of 60.00 over 25.00: 20.00 x 2.4 = 48.00 and 5.00 x 2.4 = 12.00."""
    pool = office.pool()
    first, second = (office.bet(office.cashier, "1", stake).json["number"] for stake in ("20.00", "5.00"))
    office.bet(office.cashier, "2", "75.00")
    office.decide(pool, "1")
    assert (how(office, first), how(office, second)) == (("won", "48.00"), ("won", "12.00"))


def test_t_rules_36_1_a_fund_nobody_won_goes_to_the_jackpot(office: Office) -> None:
    """Of 30.00 the fund of 18.00."""
    pool = office.pool()
    office.bet(office.cashier, "1", "30.00")
    assert office.decide(pool, "X").json["to_jackpot"] == "18.00"
    assert office.balance("jackpot", "totolot") == "18.00"


def test_t_rules_38_1_funds_nobody_won_feed_one_jackpot(office: Office) -> None:
    """Of two pools of 30.00 and 10.00: 18.00 and 6.00, together 24.00."""
    for code, stake in (("P1", "30.00"), ("P2", "10.00")):
        office.clock("2022-11-22T08:00:00+03:00")
        pool = office.pool(code)
        office.bet(office.cashier, "1", stake, code)
        office.decide(pool, "X")
    assert office.balance("jackpot", "totolot") == "24.00"


def test_t_rules_38_2_a_win_nobody_fetched_in_time_feeds_the_jackpot(office: Office) -> None:
    """12.00 of 20.00, payable through 23 February 2023; on the 24th the sweep books them."""
    pool = office.pool()
    office.bet(office.cashier, "1", "10.00")
    office.bet(office.cashier, "2", "10.00")
    office.decide(pool, "1")
    office.clock("2023-02-24T00:00:00+03:00")
    assert expire_due(office.house.sessions, office.house.operator) == ["P1"]
    assert office.balance("jackpot", "totolot") == "12.00"
    assert office.balance("wins_payable", "pool:P1") == "0.00"


def test_t_rules_38_4_what_is_left_of_a_division_feeds_the_jackpot(office: Office) -> None:
    """60 % of 166.66 is 99.996, rounded up 100.00: three times 33.33, and 0.01 is left."""
    pool = office.pool()
    for outcome, stake in (("1", "50.00"), ("1", "50.00"), ("1", "50.00"), ("2", "16.66")):
        office.bet(office.cashier, outcome, stake)
    office.decide(pool, "1")
    assert office.balance("jackpot", "totolot") == "0.01"


def test_t_rules_40_wins_are_paid_in_belarusian_roubles(office: Office) -> None:
    """12.00 of a fund of 20.00; the till gives out roubles, for the journal knows what it gives."""
    pool = office.pool()
    ticket = office.bet(office.cashier, "1", "10.00").json
    office.bet(office.cashier, "2", "10.00")
    office.decide(pool, "1")
    office.clock(NEXT_DAY)
    assert office.pay(ticket["code"]).status_code == 201
    assert fact(office, "SELECT currency || amount FROM transfers WHERE kind = 'payout'") == "BYN1200"


def test_t_rules_40_for_three_months_from_the_day_after_the_coefficient_was_determined(office: Office) -> None:
    """Determined on 22 November: from 23 November 00:00 in Minsk (21:00 UTC) through 23 February 2023 (D-1)."""
    pool = office.pool()
    number = office.bet(office.cashier, "1", "10.00").json["number"]
    office.bet(office.cashier, "2", "10.00")
    office.decide(pool, "1")
    ticket = office.organizer.get(f"/tickets/{number}").json
    assert ticket["payable_from"] == "2022-11-22T21:00:00+00:00"
    assert ticket["payable_until"] == "2023-02-23T21:00:00+00:00"


def test_t_rules_41_a_win_is_paid_the_way_the_stake_came(office: Office) -> None:
    """10.00 in cash, 10.00 of an account; of 40.00 a fund of 24.00: 12.00 in cash, 12.00 to the account."""
    pool = office.pool()
    player = office.player("ivan", "10.00")
    cash = office.bet(office.cashier, "1", "10.00").json
    online = office.bet(player, "1", "10.00").json
    office.bet(office.cashier, "2", "20.00")
    office.decide(pool, "1")
    office.clock(NEXT_DAY)
    assert (how(office, online["number"]), how(office, cash["number"])) == (("credited", "12.00"), ("won", "12.00"))
    assert player.get("/players/me").json["balance"] == "12.00"
    assert office.pay(online["code"]).status_code == 409
    assert office.pay(cash["code"]).json["amount"] == "12.00"


def test_t_rules_42_a_win_raises_the_balance_of_the_game_account(office: Office) -> None:
    """Of 5.00 nothing is left after the bet; of 10.00 the fund is 6.00."""
    pool = office.pool()
    player = office.player("ivan", "5.00")
    office.bet(player, "1", "5.00")
    office.bet(office.cashier, "2", "5.00")
    office.decide(pool, "1")
    assert player.get("/players/me").json["balance"] == "6.00"


def test_t_rules_43_cash_is_paid_in_the_order_the_organizer_set(office: Office) -> None:
    """For 12.00: a passport, always; a second person for a code typed from hand, for as long as that is the order."""
    pool = office.pool()
    ticket = office.bet(office.cashier, "1", "10.00").json
    office.bet(office.cashier, "2", "10.00")
    office.decide(pool, "1")
    office.clock(NEXT_DAY)
    unknown = {name: told for name, told in office.presented(ticket["code"]).items() if name != "document"}
    assert office.cashier.post("/payouts", unknown).status_code == 422
    assert code_of(office.pay(ticket["code"], code_entry="typed")) == (403, "second_person_needed")
    set_to(office, TYPED_NEEDS_SECOND_PERSON, False)
    assert office.pay(ticket["code"], code_entry="typed").json["amount"] == "12.00"
