"""Bets cancelled while their pool sells, and when it is closed; every figure by hand (T-Rules 29; D-18)."""

from __future__ import annotations

from tests.office import Office
from tests.tote.cancelling.bets import (
    NEXT_DAY,
    account_of,
    cancelled,
    figures,
    money_of,
    stand_of,
)


class TestWhileSelling:
    """The bet leaves the pool as if never made; the closing counts without it."""

    def test_t_rules_29_a_stake_goes_back_onto_the_game_account_at_once(self, office: Office) -> None:
        """20.00 online and 10.00 at the desk; without the 20.00 the pool is 10.00: 4.00 and 6.00."""
        office.pool()
        player = office.player("ivan", "20.00")
        number = office.bet(player, "1", "20.00").json["number"]
        assert office.bet(office.cashier, "2", "10.00").status_code == 201

        line = cancelled(office, number)

        assert (line["stage"], money_of(line)) == ("selling", {"due": "20.00", "from_stakes": "20.00"})
        assert account_of(player) == "20.00"
        assert stand_of(office, number) == ("credited", "20.00", "after_start")
        assert office.balance("pool", "pool:P1") == "10.00"
        closed = office.organizer.post("/pools/P1/closing").json
        assert (closed["bets"], closed["pool"], closed["withdrawal"], closed["fund"]) == (1, "10.00", "4.00", "6.00")

    def test_a_stake_at_a_desk_is_paid_at_once_and_does_not_lapse(self, office: Office) -> None:
        """Paid a year later like any payout, with a line of the journal (D-21)."""
        office.pool()
        first, second = (office.bet(office.cashier, "1", "10.00").json for _ in range(2))
        for ticket in (first, second):
            assert money_of(cancelled(office, ticket["number"])) == {"due": "10.00", "from_stakes": "10.00"}
        assert stand_of(office, first["number"]) == ("cancelled", "10.00", "after_start")

        paid = office.pay(first["code"])
        assert (paid.status_code, paid.json["amount"], paid.json["payable_until"]) == (201, "10.00", None)
        office.clock("2023-11-23T10:00:00+03:00")
        assert office.pay(second["code"]).json["amount"] == "10.00"
        assert office.pay(second["code"]).json["code"] == "already_paid"
        assert office.balance("wins_payable", "pool:P1") == "0.00"

    def test_field_fault_013_a_hundred_of_a_thousand_on_a_withdrawn_entry(self, office: Office) -> None:
        """900.00 is left: withdrawal 360.00, fund 540.00 on 800.00 is 0.675; 1.05 is promised: 840.00, ours 300.00."""
        pool = office.pool(minimum_coefficient="1.05")
        gone, winner, _ = (
            office.bet(office.cashier, *bet).json for bet in (("X", "100.00"), ("1", "800.00"), ("2", "100.00"))
        )
        assert cancelled(office, gone["number"])["due"] == "100.00"
        sheet = office.decide(pool, "1").json
        assert (sheet["pool"], sheet["withdrawal"], sheet["fund"], sheet["wins"], sheet["from_organizer"]) == (
            "900.00",
            "360.00",
            "540.00",
            "840.00",
            "300.00",
        )
        assert (sheet["cancelled_bets"], sheet["cancelled_stakes"]) == (1, "100.00")
        assert office.organizer.get(f"/tickets/{winner['number']}").json["win"] == "840.00"

    def test_nobody_is_left_and_nothing_moves(self, office: Office) -> None:
        """FIELD-FAULTS 004 (c): all bets refunded before the draw; no fund, no minus pool, no movement."""
        pool = office.pool()
        player = office.player("ivan", "20.00")
        for _ in range(2):
            cancelled(office, office.bet(player, "1", "10.00").json["number"])
        before = office.accountant.get("/reports/trial-balance").json["lines"]
        sheet = office.decide(pool, "1").json
        assert figures(office) == ("0", "0.00", "0.00", "0.00", "0.00", "0.00")
        assert (sheet["minus_pool"], sheet["coefficient"]) == (False, None)
        assert office.accountant.get("/reports/trial-balance").json["lines"] == before
        assert account_of(player) == "20.00"


class TestAfterTheClosing:
    """Withdrawal and fund become those of the pool without the bet."""

    def test_the_parts_are_the_difference_of_two_roundings(self, office: Office) -> None:
        """166.66 gave 100.00 (99.996 rounded up) and 66.66. Without 50.00 it is 116.66: 70.00 (69.996) and 46.66.

        So 30.00 comes out of the fund and 20.00 out of the withdrawal. Without 0.01 more it is 116.65, whose fund is
        69.99 to the kopeck: the whole kopeck comes out of the fund, and sixty percent of it would not have been one.
        """
        pool = office.pool(minimum_stake="0.01")
        bets = (("1", "50.00"), ("1", "50.00"), ("1", "49.99"), ("1", "0.01"), ("2", "16.66"))
        tickets = [office.bet(office.cashier, *bet).json for bet in bets]
        office.determine(pool, "1")
        line = cancelled(office, tickets[0]["number"])
        assert line["stage"] == "closed"
        assert money_of(line) == {"due": "50.00", "from_withdrawal": "20.00", "from_fund": "30.00"}
        assert figures(office)[:4] == ("4", "116.66", "46.66", "70.00")
        assert money_of(cancelled(office, tickets[3]["number"])) == {"due": "0.01", "from_fund": "0.01"}
        assert figures(office)[:4] == ("3", "116.65", "46.66", "69.99")
        assert office.balance("withdrawal_revenue") == "46.66"
        assert office.balance("prize_fund", "pool:P1") == "69.99"
        assert office.balance("wins_payable", "pool:P1") == "50.01"

    def test_only_winners_are_left_so_it_is_a_minus_pool(self, office: Office) -> None:
        """30.00 of 40.00 lost; it is cancelled, and the 10.00 left has won: 10.00 and a tenth, the 4.00 goes back."""
        pool = office.pool()
        winner = office.bet(office.cashier, "1", "10.00").json
        loser = office.bet(office.cashier, "2", "30.00").json
        office.determine(pool, "1")
        assert money_of(cancelled(office, loser["number"]))["due"] == "30.00"
        sheet = office.organizer.post("/pools/P1/settlement").json
        assert (sheet["minus_pool"], sheet["pool"], sheet["wins"], sheet["from_organizer"]) == (
            True,
            "10.00",
            "11.00",
            "1.00",
        )
        assert office.balance("withdrawal_revenue") == "0.00"
        office.clock(NEXT_DAY)
        assert (office.pay(winner["code"]).json["amount"], office.pay(loser["code"]).json["amount"]) == (
            "11.00",
            "30.00",
        )

    def test_nobody_is_left(self, office: Office) -> None:
        """The only bet of 10.00 is cancelled: nothing is left to be withdrawn or won, the settlement moves nothing."""
        pool = office.pool()
        player = office.player("ivan", "10.00")
        number = office.bet(player, "1", "10.00").json["number"]
        office.determine(pool, "1")
        assert money_of(cancelled(office, number)) == {"due": "10.00", "from_withdrawal": "4.00", "from_fund": "6.00"}
        assert office.organizer.post("/pools/P1/settlement").json["minus_pool"] is False
        assert figures(office) == ("0", "0.00", "0.00", "0.00", "0.00", "0.00")
        assert account_of(player) == "10.00"
