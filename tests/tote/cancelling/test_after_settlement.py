"""Bets cancelled when their pool is settled; every figure worked by hand (T-Rules 29; D-18)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.approvals.people import code_of
from tests.office import Office
from tests.tote.cancelling.bets import (
    NEXT_DAY,
    account_of,
    cancel,
    cancelled,
    cancelled_by_two,
    figures,
    money_of,
    stand_of,
)


class TestAfterTheSettlement:
    """The other wins stand; the bet's win goes to the jackpot, and the organizer returns the stake."""

    def test_a_lost_bet(self, office: Office, settled: dict[str, Any]) -> None:
        """30.00 is the organizer's to return: 1000.00 less it."""
        line = cancelled(office, settled["lost"]["number"])
        assert (line["stage"], money_of(line)) == ("settled", {"due": "30.00", "from_organizer": "30.00"})
        assert office.balance("organizer") == "970.00"
        assert office.balance("wins_payable", "pool:P1") == "45.00", "15.00 of the win and the 30.00"
        assert office.pay(settled["lost"]["code"]).json["amount"] == "30.00"
        assert office.pay(settled["cash"]["code"]).json["amount"] == "15.00", "the other win stands"

    def test_a_win_nobody_fetched(self, office: Office, settled: dict[str, Any]) -> None:
        """The 15.00 goes to the jackpot, the organizer returns 10.00; of the pool nothing changes."""
        line = cancelled(office, settled["cash"]["number"])
        assert money_of(line) == {"due": "10.00", "from_organizer": "10.00", "to_jackpot": "15.00"}
        assert (office.balance("jackpot", "totolot"), office.balance("organizer")) == ("15.00", "990.00")
        assert figures(office) == ("3", "50.00", "20.00", "30.00", "30.00", "0.00")
        assert office.pay(settled["cash"]["code"]).json["amount"] == "10.00"
        assert office.balance("wins_payable", "pool:P1") == "0.00"

    def test_a_win_that_was_paid_in_cash(self, office: Office, settled: dict[str, Any]) -> None:
        """15.00 was paid, 10.00 of it is the stake: 5.00 is the organizer's, who pays 15.00 into the jackpot in all."""
        assert office.pay(settled["cash"]["code"]).json["amount"] == "15.00"
        number = settled["cash"]["number"]
        assert code_of(cancel(office, number)) == (403, "second_person_needed")
        line = cancelled_by_two(office, number)
        assert money_of(line) == {
            "received": "15.00",
            "from_organizer": "10.00",
            "to_jackpot": "15.00",
            "overpaid": "5.00",
        }
        assert (office.balance("jackpot", "totolot"), office.balance("organizer")) == ("15.00", "985.00")
        assert office.balance("wins_payable", "pool:P1") == "0.00"
        assert stand_of(office, number) == ("paid", "10.00", "after_start")
        assert office.pay(settled["cash"]["code"]).json["code"] == "already_paid"

    @pytest.mark.parametrize(
        ("spent", "left", "taken_back", "claimed"),
        [(None, "10.00", "5.00", None), ("12.00", "0.00", "3.00", "2.00"), ("15.00", "0.00", None, "5.00")],
    )
    def test_a_win_that_was_credited(
        self,
        office: Office,
        settled: dict[str, Any],
        spent: str | None,
        left: str,
        taken_back: str | None,
        claimed: str | None,
    ) -> None:
        """Of 15.00 on the account 10.00 is the stake: 5.00 comes back as far as it is there, the rest is claimed."""
        player = settled["player"]
        if spent is not None:
            office.clock("2022-11-22T10:00:00+03:00")
            office.pool("P2")
            assert office.bet(player, "1", spent, "P2").status_code == 201
            office.clock(NEXT_DAY)
        number = settled["online"]["number"]
        line = cancelled_by_two(office, number)
        recovered = {"taken_back": taken_back, "claimed": claimed}
        assert money_of(line) == {
            "received": "15.00",
            "from_organizer": "10.00",
            "to_jackpot": "15.00",
            **{name: amount for name, amount in recovered.items() if amount is not None},
        }
        assert account_of(player) == left
        assert office.balance("claims", "player:1") == (claimed or "0.00")
        assert office.balance("organizer") == "990.00"
        assert office.balance("wins_payable", "pool:P1") == "15.00", "the other win alone"

    def test_a_win_under_the_stake_that_was_credited(self, office: Office) -> None:
        """90.00 of 100.00 has won: 60.00 is 2/3. Of the 90.00 staked 60.00 was received: 30.00 more is due (D-6)."""
        pool, player = office.pool(), office.player("ivan", "90.00")
        number = office.bet(player, "1", "90.00").json["number"]
        office.bet(office.cashier, "2", "10.00")
        office.decide(pool, "1")
        assert account_of(player) == "60.00"
        line = cancelled_by_two(office, number)
        assert money_of(line) == {
            "received": "60.00",
            "due": "30.00",
            "from_organizer": "90.00",
            "to_jackpot": "60.00",
        }
        assert account_of(player) == "90.00"
        assert office.balance("wins_payable", "pool:P1") == "0.00"

    def test_a_minus_pools_bet(self, office: Office) -> None:
        """10.00 and 20.00 won with a tenth each: 997.00 is left. What the pool gave, 11.00, is the jackpot's now."""
        pool = office.pool()
        number = office.bet(office.cashier, "1", "10.00").json["number"]
        other = office.bet(office.cashier, "1", "20.00").json
        office.decide(pool, "1")
        assert office.balance("organizer") == "997.00"
        line = money_of(cancelled(office, number))
        assert line == {"due": "10.00", "from_organizer": "10.00", "to_jackpot": "11.00"}
        assert office.balance("organizer") == "987.00"
        assert office.balance("wins_payable", "pool:P1") == "32.00"
        office.clock(NEXT_DAY)
        assert office.pay(other["code"]).json["amount"] == "22.00"

    def test_a_minus_pools_bet_whose_tenth_has_lapsed(self, office: Office) -> None:
        """Of its 11.00 the 1.00 lies in the jackpot already; the 10.00 follows, and the organizer's 10.00 is due."""
        pool = office.pool()
        ticket = office.bet(office.cashier, "1", "10.00").json
        office.decide(pool, "1")
        office.clock("2023-02-24T00:00:00+03:00")
        office.app.test_cli_runner().invoke(args=["pools", "expire-due"])
        line = money_of(cancelled(office, ticket["number"]))
        assert line == {"due": "10.00", "from_organizer": "10.00", "to_jackpot": "10.00"}
        assert office.balance("jackpot", "totolot") == "11.00"
        assert office.pay(ticket["code"]).json["amount"] == "10.00"
        assert office.balance("wins_payable", "pool:P1") == "0.00"

    def test_a_win_that_has_lapsed(self, office: Office, settled: dict[str, Any]) -> None:
        """The 15.00 lies in the jackpot already: the organizer returns 10.00 and nothing else moves."""
        office.clock("2023-02-24T00:00:00+03:00")
        result = office.app.test_cli_runner().invoke(args=["pools", "expire-due"])
        assert result.output == "P1: невостребованные выигрыши зачислены в «Джек-пот»\n"
        assert money_of(cancelled(office, settled["cash"]["number"])) == {"due": "10.00", "from_organizer": "10.00"}
        assert office.balance("jackpot", "totolot") == "15.00"
        assert office.pay(settled["cash"]["code"]).json["amount"] == "10.00"
