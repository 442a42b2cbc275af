"""The cover of funds over a house with pools in every state, each figure worked by hand (T-Prov 9, T-Rules 9.7)."""

from __future__ import annotations

import pytest

from reports.fund_cover import FundCover, fund_cover
from tests.office import Office


def test_what_is_owed_and_what_lies_for_it(office: Office) -> None:
    """A pool open, one closed, one settled and partly paid, and a player with money left.

    Open: 7.00 at the desk and 5.00 of ivan's 20.00 are owed whole: 12.00. Closed: of 10.00 a fund of 6.00.
    Settled: of 166.66 a fund of 100.00, three wins of 33.33, 0.01 to the jackpot; one win paid: 66.66 are left.
    Tills: 100.00 + 20.00 deposited + 7.00 + 10.00 + 166.66 - 33.33 = 270.33, less 10.00 handed over for collection and
    not received yet, and 30.00 of float at the second desk.
    Bank: 1000.00 - 500.00 to the special account - 100.00 and 30.00 of float - 20.00 into the safe = 350.00.
    """
    settled = office.pool("P1")
    for code in ("P2", "P3"):
        office.pool(code)
    player = office.player("ivan", "20.00")
    office.bet(office.cashier, "1", "7.00", pool="P3")
    office.bet(player, "1", "5.00", pool="P3")
    office.bet(office.cashier, "1", "10.00", pool="P2")
    winners = [office.bet(office.cashier, "1", "50.00").json["code"] for _ in range(3)]
    office.bet(office.cashier, "2", "16.66")
    office.move("desk_float", "30.00", desk_id=office.register_desk("K-2")["id"])
    office.move("safe_in", "20.00")
    sent = {"amount": "10.00", "desk_id": office.desk["id"]}
    assert office.supervisor.post("/collections", sent).status_code == 201
    assert office.organizer.post("/pools/P2/closing").status_code == 201
    office.decide(settled, "1")
    office.clock("2022-11-23T10:00:00+03:00")
    assert office.pay(winners[0]).json["amount"] == "33.33"

    with office.house.sessions() as session:
        cover = fund_cover(session, "BYN")

    assert cover == FundCover(
        owed={"pool": 12_00, "prize_fund": 6_00, "wins_payable": 66_66, "jackpot": 1},
        players=15_00,
        special_account=500_00,
        desks=290_33,
        bank=350_00,
        safe=20_00,
        in_transit=10_00,
    )
    assert cover.total_owed == 84_67
    assert (cover.fund_is_covered, cover.all_is_covered) == (True, True)


@pytest.mark.parametrize(
    ("special_account", "desks", "bank", "fund_is_covered", "all_is_covered"),
    [
        # Owed are 11.00, of which 4.00 in open pools, and 5.00 to players: 16.00 in all.
        (1_00, 10_00, 5_00, True, True),  # each to the last kopeck
        (1_00, 10_00, 4_99, True, False),  # the fund is there, but 0.01 of the players' money is not
        (99, 10_00, 100_00, False, True),  # money enough in all; the bank's own is no cover of the fund
        (0, 10_00, 5_00, False, False),
        (11_00, 0, 5_00, True, True),  # a special account alone may hold it
        (0, 16_00, 0, True, True),  # so may the tills, and they count once for funds and players
        (0, 15_99, 0, True, False),
    ],
)
def test_the_cover_to_the_last_kopeck(
    special_account: int, desks: int, bank: int, fund_is_covered: bool, all_is_covered: bool
) -> None:
    owed = {"pool": 4_00, "prize_fund": 0, "wins_payable": 6_00, "jackpot": 1_00}
    cover = FundCover(owed=owed, players=5_00, special_account=special_account, desks=desks, bank=bank)
    assert (cover.fund_is_covered, cover.all_is_covered) == (fund_is_covered, all_is_covered)
