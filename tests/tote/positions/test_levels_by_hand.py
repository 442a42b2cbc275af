"""Pools of positions from the announcement to the money, every figure by hand (T-Rules 3, 11.3, 11.4, 22.2, 36.2)."""

from __future__ import annotations

import pytest

from tests.office import Office
from tests.tote.positions.announced import (
    announced,
    came_true,
    corrected,
    decided,
    figures,
    levels,
    mark,
    paid,
    sold,
    upload,
)

ALL_FOUR = [{"from": "100", "to": "100", "share": "100"}]
NOBODY, ALL = "2222", "1X21"
"""Results by which no row of the tickets here is on a level, and which the first ticket names in all positions."""


def test_t_rules_11_3_a_levels_fund_over_the_number_of_its_bets(office: Office) -> None:
    """Seven rows of 1.00, fund 4.90: 2.94 among two that match in all, 1.96 among three that match in three of four.

    Each row is cut by itself: 1.47 and 0.65 (D-3), so that the second ticket wins 1.47 + 0.65 + 0.65.
    """
    pool = announced(office, price="1.00", fund_percent="70")
    one = sold(mark(office.cashier, "1 X 2 1", "1.00"))
    cover = sold(mark(office.player("ivan", "9.00"), "1X X 2 12", "4.00"))
    told = sold(upload(office.cashier, "1X22 2222", "2.00"))
    sheet = decided(office, pool, ALL)
    assert figures(sheet) == ("7.00", "2.10", "4.90", "4.89", "0.01", "0.00")
    assert levels(sheet, "winning_bets", "winning_stake", "fund", "win_per_bet", "win_per_bet_display") == [
        (2, "2.00", "147/50", "147/100", "1.4700"),
        (3, "3.00", "49/25", "49/75", "0.6533"),
    ]
    assert levels(sheet, "coefficient") == [(None,), (None,)]
    assert (sheet["bets"], sheet["rows"], sheet["winning_bets"], sheet["win_per_bet"]) == (3, 7, 5, None)
    assert sheet["versions"][0]["true_outcomes"] == ["1", "X", "2", "1"]
    assert [paid(office, ticket) for ticket in (one, cover, told)] == [
        ("won", "1.47", "0.00"),
        ("credited", "2.77", "0.00"),
        ("won", "0.65", "0.00"),
    ]
    assert office.balance("jackpot", "sportloto") == "0.01"


def test_t_rules_36_2_a_levels_fund_over_the_stakes_of_its_bets(office: Office) -> None:
    """20.00, fund 12.00: 7.20 over 2.00 is 18/5, 4.80 over 3.00 + 3.00 is 4/5.

    The cover of two rows at 3.00 a row: one matches in three, one in two.
    """
    pool = announced(office)
    full = sold(mark(office.cashier, "1 X 2 1", "2.00"))
    three = sold(mark(office.cashier, "1 X 2 X", "3.00"))
    cover = sold(mark(office.cashier, "1 X 1 1X", "6.00"))
    lost = sold(mark(office.cashier, "2 2 1 2", "9.00"))
    sheet = decided(office, pool, ALL)
    assert figures(sheet) == ("20.00", "8.00", "12.00", "12.00", "0.00", "0.00")
    assert levels(sheet, "winning_stake", "coefficient") == [("2.00", "18/5"), ("6.00", "4/5")]
    assert [paid(office, ticket)[:2] for ticket in (full, three, cover, lost)] == [
        ("won", "7.20"),
        ("won", "2.40"),
        ("won", "2.40"),
        ("lost", "0.00"),
    ]


@pytest.mark.parametrize(
    ("choice", "coefficient", "jackpot"), [("jackpot", "12/25", "7.20"), ("other_levels", "6/5", "0.00")]
)
def test_t_rules_36_2_the_fund_of_a_level_nobody_reached(
    office: Office, choice: str, coefficient: str, jackpot: str
) -> None:
    """Of 12.00 the first level's 7.20 go to the jackpot, or to the other level: 4.80 or 12.00 over 10.00 (D-7)."""
    pool = announced(office, empty_level=choice)
    sold(mark(office.cashier, "1 X 2 X", "10.00"))
    sold(mark(office.cashier, "2 2 1 2", "10.00"))
    sheet = decided(office, pool, ALL)
    assert levels(sheet, "winning_bets", "coefficient") == [(0, None), (1, coefficient)]
    assert (sheet["to_jackpot"], office.balance("jackpot", "totolot")) == (jackpot, jackpot)


def test_t_rules_11_4_a_fund_nobody_won_feeds_the_jackpot(office: Office) -> None:
    """70 percent of 3.00."""
    pool = announced(office, price="1.00", fund_percent="70")
    sold(upload(office.cashier, "1X21 1X2X 1X22", "3.00"))
    sheet = decided(office, pool, "2121")
    assert figures(sheet) == ("3.00", "0.90", "2.10", "0.00", "2.10", "0.00")
    assert levels(sheet, "winning_bets") == [(0,), (0,)]


def test_t_rules_6_cap_and_floor_are_those_of_a_bet(office: Office) -> None:
    """Nine rows of 1.00, fund 6.30: 3.78 for one row, capped at 2.00; 2.52 among four is 0.63, raised to 0.70 each.

    1.78 goes over the cap into the jackpot, four times 0.07 is the organizer's own; five rows won 4.80 (D-4).
    """
    pool = announced(office, price="1.00", fund_percent="70", minimum_win="0.70", maximum_win="2.00")
    cover = sold(mark(office.cashier, "1X2 X12 2 1", "9.00"))
    sheet = decided(office, pool, ALL)
    # One row matches in all; two and two miss in one of the first two positions; four miss in both.
    assert levels(sheet, "winning_bets") == [(1,), (4,)]
    assert figures(sheet) == ("9.00", "2.70", "6.30", "4.80", "1.78", "0.28")
    assert paid(office, cover)[:2] == ("won", "4.80")


def test_d_6_a_promised_coefficient_is_paid_to_each_bet(office: Office) -> None:
    """Fund 12.00 of 20.00, all on one level that 19.00 reached: 12/19, raised to 1.00 for 7.00 of the organizer's."""
    pool = announced(office, levels=[{"from": "50", "to": "100", "share": "100"}], minimum_coefficient="1.00")
    cover = sold(mark(office.cashier, "1 X 2 12", "19.00"))
    sold(mark(office.cashier, "2 2 1 2", "1.00"))
    sheet = decided(office, pool, ALL)
    # 9.50 · 12/19 is 6.00 exactly, twice; 3.50 are put to each.
    assert levels(sheet, "winning_stake", "coefficient") == [("19.00", "12/19")]
    assert figures(sheet) == ("20.00", "8.00", "12.00", "19.00", "0.00", "7.00")
    assert paid(office, cover)[:2] == ("won", "19.00")


def test_d_5_every_row_on_some_level_is_a_minus_pool(office: Office) -> None:
    """Four rows of 1.05 and one of 0.99: stakes back, and a tenth of each row rounded up: 4 · 0.11 + 0.10."""
    pool = announced(office, minimum_stake="0.01", levels=[{"from": "50", "to": "100", "share": "100"}])
    cover = sold(mark(office.cashier, "1X X 2 12", "4.20"))
    one = sold(mark(office.cashier, "1 X 1 2", "0.99"))
    sheet = decided(office, pool, ALL)
    assert (sheet["minus_pool"], sheet["returned"], sheet["from_organizer"]) == (True, False, "0.54")
    assert levels(sheet, "winning_bets", "coefficient", "fund") == [(5, None, "0/1")]
    assert paid(office, cover) == ("won", "0.44", "4.20")
    assert paid(office, one) == ("won", "0.10", "0.99")
    assert office.balance("withdrawal_revenue") == "0.00"


def test_one_row_that_lost_makes_it_no_minus_pool(office: Office) -> None:
    """Of the cover's two rows one matches in all and one in three: but levels begin at four of four."""
    pool = announced(office, levels=ALL_FOUR)
    cover = sold(mark(office.cashier, "1 X 2 12", "2.00"))
    sheet = decided(office, pool, ALL)
    # 60 percent of 2.00 over the 1.00 of the row that won.
    assert (sheet["minus_pool"], *levels(sheet, "coefficient")) == (False, ("6/5",))
    assert paid(office, cover)[:2] == ("won", "1.20")


def test_d_22_a_position_not_held_returns_the_pool(office: Office) -> None:
    """The default of the pool's terms: every stake back, no withdrawal."""
    pool = announced(office)
    cover = sold(mark(office.cashier, "1 X 2 12", "4.00"))
    told = sold(upload(office.player("ivan", "5.00"), "1X21 1X22", "3.00"))
    sheet = decided(office, pool, "1X-1")
    assert (sheet["returned"], sheet["withdrawal"], sheet["status"]) == (True, "2.80", "returned")
    assert levels(sheet, "winning_bets") == [(0,), (0,)]
    assert (paid(office, cover), paid(office, told)) == (("returned", "0.00", "4.00"), ("credited", "0.00", "3.00"))
    assert office.balance("withdrawal_revenue") == "0.00"


def test_d_22_or_it_leaves_the_base(office: Office) -> None:
    """Three positions are left: 2 of 3 are 66.67 percent and no level, 3 of 3 are all of it.

    Both rows that differ in the position that fell away match in all: 7.20 of 12.00 over 2 · 2.00 is 9/5.
    """
    pool = announced(office, not_held="drop")
    cover = sold(mark(office.cashier, "1 X 12 1", "4.00"))
    two = sold(mark(office.cashier, "1 X 2 2", "16.00"))
    sheet = decided(office, pool, "1X-1")
    assert levels(sheet, "winning_bets", "coefficient") == [(2, "9/5"), (0, None)]
    assert (paid(office, cover)[:2], paid(office, two)[:2]) == (("won", "7.20"), ("lost", "0.00"))
    assert figures(sheet) == ("20.00", "8.00", "12.00", "7.20", "4.80", "0.00")
    assert sheet["versions"][0]["true_outcomes"] == ["1", "X", None, "1"]


def test_t_rules_32_an_event_not_held_returns_every_pool_of_it(office: Office) -> None:
    pool = announced(office, not_held="drop")
    cover = sold(mark(office.cashier, "1 X 12 1", "4.00"))
    sheet = office.decide(pool).json
    assert (sheet["returned"], paid(office, cover)) == (True, ("returned", "0.00", "4.00"))


def test_d_18_a_ticket_struck_before_the_settlement_was_never_made(office: Office) -> None:
    """Without its four rows the pool is 6.00, its fund 3.60, and 2.16 the one row's that is left on the first level."""
    pool = announced(office)
    one = sold(mark(office.cashier, "1 X 2 1", "1.00"))
    struck = sold(mark(office.cashier, "1X X 2 12", "4.00"))
    sold(mark(office.cashier, "2 2 1 2", "5.00"))
    breach = {"reason": "under_age", "explanation": "проба"}
    assert office.organizer.post(f"/tickets/{struck}/cancellation", breach).status_code == 201
    sheet = decided(office, pool, ALL)
    assert (sheet["pool"], sheet["bets"], sheet["rows"], sheet["cancelled_stakes"]) == ("6.00", 2, 2, "4.00")
    assert levels(sheet, "winning_bets", "coefficient") == [(1, "54/25"), (0, None)]
    assert paid(office, one)[:2] == ("won", "2.16")


def test_d_18_the_share_of_a_ticket_struck_after_the_settlement_stays_out_of_the_others(office: Office) -> None:
    """First 6.00 · 60 % over two rows of 1.00; the struck ticket's 1.80 goes to the jackpot, also when settled again.

    By the corrected result the struck cover has one row on each level: 1.44 / 1 and, with the other ticket's, 0.72.
    """
    pool = announced(office, minimum_stake="0.50", levels=[{"from": "75", "to": "100", "share": "100"}])
    kept, struck = sold(mark(office.cashier, "1 X 2 1", "1.00")), sold(mark(office.cashier, "1 X 2 1", "1.00"))
    sold(mark(office.cashier, "2 2 1 2", "4.00"))
    assert levels(decided(office, pool, ALL), "coefficient") == [("9/5",)]
    breach = {"reason": "under_age", "explanation": "проба"}
    assert office.organizer.post(f"/tickets/{struck}/cancellation", breach).status_code == 201
    sheet = corrected(office, pool, "1X22")
    assert levels(sheet, "winning_bets", "coefficient") == [(2, "9/5")]
    assert (sheet["wins"], sheet["to_jackpot"]) == ("1.80", "1.80")
    assert (paid(office, kept)[:2], paid(office, struck)) == (("won", "1.80"), ("cancelled", "0.00", "1.00"))
    assert office.balance("jackpot", "totolot") == "1.80"


def test_d_14_a_corrected_protocol_settles_the_levels_again(office: Office) -> None:
    """Of 18.00 the player has 10.80 by the first; by the second half of 7.20 on another level: 7.20 are taken back."""
    pool = announced(office)
    player = office.player("ivan", "20.00")
    cover = sold(mark(player, "1 X 2 1", "10.00"))
    other = sold(mark(office.cashier, "1 X 1 2", "10.00"))
    sold(mark(office.cashier, "2 2 1 1", "10.00"))
    assert levels(decided(office, pool, ALL), "coefficient") == [("27/25",), (None,)]
    assert player.get("/players/me").json["balance"] == "20.80"
    sheet = corrected(office, pool, "1X22")
    assert levels(sheet, "winning_bets", "coefficient") == [(0, None), (2, "9/25")]
    assert [version["true_outcomes"][3] for version in sheet["versions"]] == ["1", "2"]
    assert len(sheet["versions"][0]["levels"]) == 2
    assert player.get("/players/me").json["balance"] == "13.60"
    assert (paid(office, cover)[1], paid(office, other)[1]) == ("3.60", "3.60")


def test_the_result_names_each_position_by_an_outcome_it_was_announced_with(office: Office) -> None:
    pool = announced(office)
    sold(mark(office.cashier, "1 X 2 1", "1.00"))
    office.clock("2022-11-22T16:00:00+03:00")
    assert office.organizer.post("/pools/P1/closing").status_code == 201
    wrong = {**came_true("1X2"), "5": "1"}
    drawn_up = office.confirm(pool, office.enter(pool, standing="held", positions=wrong))
    assert drawn_up.status_code == 201, drawn_up.json
    settled = office.organizer.post("/pools/P1/settlement")
    assert (settled.status_code, settled.json["code"]) == (409, "result_names_no_outcome")
    assert paid(office, 1)[0] == "accepted"
    latest = office.organizer.get(f"/events/{pool['event_id']}/protocols").json["items"][0]["number"]
    right = office.enter(pool, standing="held", positions=came_true(ALL), corrects=latest, reason="clerical_error")
    assert office.confirm(pool, right).status_code == 201
    assert office.organizer.post("/pools/P1/settlement").status_code == 201


def test_the_board_shows_what_each_level_has_and_what_a_result_would_bring(office: Office) -> None:
    """Of 20.00 the fund is 12.00: 7.20 and 4.80. Supposed results are divided as the real one will be."""
    pool = announced(office, not_held="drop")
    sold(mark(office.cashier, "1 X 2 1", "2.00"))
    sold(mark(office.cashier, "1 X 2 X", "3.00"))
    sold(mark(office.cashier, "1 X 1 1X", "6.00"))
    sold(mark(office.cashier, "2 2 1 2", "9.00"))
    board = office.cashier.get("/pools/P1/totals").json
    assert levels(board, "level", "fund", "coefficient") == [(1, "36/5", None), (2, "24/5", None)]
    assert (board["pool"], board["outcomes"][0]["coefficient"], board["provisional"]) == ("20.00", None, True)
    supposed = office.trader.get("/pools/P1/supposed-division", result="1,X,2,1").json
    assert levels(supposed, "winning_stake", "coefficient") == [("2.00", "18/5"), ("6.00", "4/5")]
    dropped = office.trader.get("/pools/P1/supposed-division", result="1,X,,1").json
    # Both 3.00 rows of the last two positions named by the cover: one of them and the first ticket match in three of 3.
    assert (dropped["result"], levels(dropped, "winning_stake")) == (["1", "X", None, "1"], [("5.00",), ("0.00",)])
    for result in ("1,X,2", "1,X,2,1,1", "1,X,2,7"):
        refused = office.trader.get("/pools/P1/supposed-division", result=result)
        assert (refused.status_code, refused.json["code"]) == (422, "marks_wrong")
    assert office.cashier.get("/pools/P1/supposed-division", result="1,X,2,1").status_code == 403
    assert levels(decided(office, pool, ALL), "coefficient") == levels(supposed, "coefficient")
    settled = office.cashier.get("/pools/P1/totals").json
    assert levels(settled, "winning_bets", "coefficient") == [(1, "18/5"), (2, "4/5")]
    assert (settled["settled"]["coefficient"], settled["outcomes"][0]["true"]) == (None, None)
