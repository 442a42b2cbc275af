"""The cover of funds with money in every place it may lie in, each figure worked by hand (T-Prov 9, T-Rules 9.7)."""

from __future__ import annotations

from ledger.accounts import Kind
from reports.fund_cover import DEBTS, PLACES
from tests.office import Office
from tests.players.test_bank_transfers import ask, sending
from tests.reports.registers.reading import columns, shown

NEITHER = {Kind.WITHDRAWAL_REVENUE, Kind.ORGANIZER, Kind.CLAIMS, Kind.SUSPENSE}
"""What is earned, put in, claimed of others or not yet told: no debt to bettors and no place of money."""


def test_money_in_the_safe_on_its_way_and_under_way_to_a_player_is_on_the_statement(office: Office) -> None:
    """7.00 staked in an open pool; of ivan's 50.00 the 20.00 wait to be sent by the bank, and are owed till then.

    Till: 100.00, 50.00 and 7.00, less 10.00 sent to the bank and not received yet: 147.00. Bank: 1000.00 less 500.00 to
    the special account, 100.00 to the till, 40.00 into the safe: 360.00. For the fund lie 500.00, 147.00 and 40.00, of
    which 7.00 are owed; with 10.00 and 360.00 there are 1057.00, of which 57.00 are owed.
    """
    office.pool()
    assert office.bet(office.cashier, "1", "7.00").status_code == 201
    assert ask(sending(office), "20.00").status_code == 201
    office.move("safe_in", "40.00")
    sent = {"amount": "10.00", "desk_id": office.desk["id"]}
    assert office.supervisor.post("/collections", sent).status_code == 201

    report = shown(office.accountant, "fund-cover-statement")

    assert columns(report["items"], "side", "account", "subject", "owed", "held") == [
        ("fund", "76.2", None, "7.00", "0.00"),
        ("players", "76.1", None, "30.00", "0.00"),
        ("players", "76.8", None, "20.00", "0.00"),
        ("cover", "55", None, "0.00", "500.00"),
        ("cover", "50", "desk:K-1", "0.00", "147.00"),
        ("cover", "50.1", None, "0.00", "40.00"),
        ("beside", "57", None, "0.00", "10.00"),
        ("beside", "51", None, "0.00", "360.00"),
    ]
    money = {"owed": "7.00", "held": "687.00", "left": "680.00", "left_of_all": "1000.00"}
    places = {"special_account": "500.00", "desks": "147.00", "safe": "40.00", "in_transit": "10.00", "bank": "360.00"}
    assert report["totals"]["whole"]["money"] == {**money, **places}
    now = office.accountant.get("/reports/fund-cover").json
    assert {name: now[name] for name in places} == places
    assert (now["total_owed"], now["players"]) == ("7.00", "50.00")


def test_every_kind_of_account_is_a_debt_a_place_of_money_or_neither() -> None:
    assert {*DEBTS} | {*PLACES} | NEITHER == set(Kind)
    assert len(DEBTS) + len(PLACES) + len(NEITHER) == len(Kind)
