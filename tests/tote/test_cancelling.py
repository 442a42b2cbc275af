"""Bets cancelled by the organizer at every stage of a pool; every figure worked by hand (T-Rules 27, 29; D-18)."""

from __future__ import annotations

from typing import Any

import pytest
from werkzeug.test import TestResponse

from office.significant.kinds import BET_CANCELLED
from tests.approvals.people import code_of, decided
from tests.office import Member, Office
from tests.records import facts_of

NEXT_DAY = "2022-11-23T10:00:00+03:00"
WHY = {"reason": "after_start", "explanation": "Ставка принята после начала матча"}


def cancel(office: Office, number: int, key: str | None = None, **told: Any) -> TestResponse:
    """The organizer cancels a bet."""
    return office.organizer.post(f"/tickets/{number}/cancellation", {**WHY, **told}, key)


def cancelled(office: Office, number: int, **told: Any) -> dict[str, Any]:
    """The same, done."""
    answer = cancel(office, number, **told)
    assert answer.status_code == 201, answer.json
    return dict(answer.json)


def money_of(line: dict[str, Any]) -> dict[str, str]:
    """What of a cancellation's money is not nothing."""
    named = ("received", "due", "from_stakes", "from_withdrawal", "from_fund", "from_organizer")
    recovered = ("to_jackpot", "taken_back", "claimed", "overpaid")
    return {name: line[name] for name in (*named, *recovered) if line[name] != "0.00"}


def approved(office: Office, number: int) -> int:
    """The cancellation of a paid bet, proposed by one organizer and approved by another; the proposal's number."""
    proposed = office.organizer.post(f"/tickets/{number}/cancellation-proposals", WHY)
    assert proposed.status_code == 201, proposed.json
    assert decided(office.second_organizer, proposed.json["id"]).status_code == 201
    return int(proposed.json["id"])


def stand_of(office: Office, number: int) -> tuple[str, str | None, str | None]:
    """A ticket's status, the stake given back, the reason it was cancelled for."""
    ticket = office.organizer.get(f"/tickets/{number}").json
    return ticket["status"], ticket["stake_back"], ticket["cancellation_reason"]


def figures(office: Office) -> tuple[str, ...]:
    """Bets, pool, withdrawal, fund, wins, to the jackpot, by the sheet."""
    sheet = office.organizer.get("/pools/P1/sheet").json
    return tuple(str(sheet[name]) for name in ("bets", "pool", "withdrawal", "fund", "wins", "to_jackpot"))


def account_of(player: Member) -> str:
    """The money on a game account."""
    return str(player.get("/players/me").json["balance"])


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


@pytest.fixture
def settled(office: Office) -> dict[str, Any]:
    """10.00 on 1 at the desk and 10.00 online, 30.00 on 2 at the desk: fund 30.00, each of the two wins 15.00."""
    pool, player = office.pool(), office.player("ivan", "10.00")
    cash = office.bet(office.cashier, "1", "10.00").json
    online = office.bet(player, "1", "10.00").json
    lost = office.bet(office.cashier, "2", "30.00").json
    assert office.decide(pool, "1").json["wins"] == "30.00"
    office.clock(NEXT_DAY)
    assert office.balance("organizer") == "1000.00"
    return {"cash": cash, "online": online, "lost": lost, "player": player}


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
        line = cancelled(office, number, approval=approved(office, number))
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
        line = cancelled(office, number, approval=approved(office, number))
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
        line = cancelled(office, number, approval=approved(office, number))
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

    def test_a_cancelled_bet_is_paid_its_stake_though_the_pools_wins_are_held(
        self, office: Office, settled: dict[str, Any]
    ) -> None:
        assert office.supervisor.post("/pools/P1/payout-holds", {"reason": "проверка"}).status_code == 201
        assert office.pay(settled["cash"]["code"]).json["code"] == "payout_held"
        cancelled(office, settled["cash"]["number"])
        assert office.pay(settled["cash"]["code"]).json["amount"] == "10.00"


def test_while_a_corrected_pool_is_held_its_bets_wait_for_the_hold_and_are_told_so(office: Office) -> None:
    """Settled anew and complete, but what it takes back waits for the hold, however long; then the bet is cancelled."""
    pool = office.pool()
    number = office.bet(office.cashier, "1", "10.00").json["number"]
    office.bet(office.cashier, "2", "10.00")
    office.decide(pool, "1")
    held = office.supervisor.post("/pools/P1/payout-holds", {"reason": "проверка жалобы"}).json["id"]
    assert office.correct(pool, "2").status_code == 201
    assert cancel(office, number).json["code"] == "settlement_under_way", "the new run is not complete"
    assert office.organizer.post("/pools/P1/settlement").status_code == 201
    refused = cancel(office, number)
    assert (refused.status_code, refused.json["code"]) == (409, "payout_held")
    assert refused.json["detail"] == "Выплаты приостановлены: проверка жалобы."
    assert office.organizer.post(f"/payout-holds/{held}/release", {"reason": "верно"}).status_code == 201
    assert office.organizer.post("/pools/P1/settlement").status_code == 201
    assert money_of(cancelled(office, number)) == {"due": "10.00", "from_organizer": "10.00"}


def test_a_win_held_from_being_credited_is_not_credited_behind_its_cancellation(office: Office) -> None:
    """The run is complete and its crediting held; the bet of 10.00 is cancelled and credited; then the run goes on."""
    pool, player = office.pool(), office.player("ivan", "10.00")
    number = office.bet(player, "1", "10.00").json["number"]
    office.bet(office.cashier, "2", "10.00")
    held = office.supervisor.post("/pools/P1/payout-holds", {"reason": "проверка"}).json["id"]
    office.decide(pool, "1")
    assert account_of(player) == "0.00"
    assert money_of(cancelled(office, number)) == {"due": "10.00", "from_organizer": "10.00", "to_jackpot": "12.00"}
    assert account_of(player) == "10.00"
    assert office.organizer.post(f"/payout-holds/{held}/release", {"reason": "верно"}).status_code == 201
    assert office.organizer.post("/pools/P1/settlement").status_code == 201
    assert (account_of(player), stand_of(office, number)[0]) == ("10.00", "credited")


def test_t_rules_27_a_registered_bet_is_cancelled_by_the_organizer_and_by_nobody_else(office: Office) -> None:
    """Not at the desk that sold it, nor by the player it belongs to; while nobody cancels it, it stands."""
    office.pool()
    player = office.player("ivan", "10.00")
    number = office.bet(player, "1", "10.00").json["number"]
    for member in (office.cashier, player, office.supervisor, office.accountant):
        answer = member.post(f"/tickets/{number}/cancellation", WHY)
        assert code_of(answer) == (403, "forbidden")
    assert stand_of(office, number) == ("accepted", None, None)
    assert office.balance("pool", "pool:P1") == "10.00"


def test_a_cancelled_bet_stays_cancelled_when_its_pool_is_settled_again(office: Office) -> None:
    """10.00 paid 15.00 in cash and then cancelled, 10.00 credited, 30.00 on 2. By 2 the fund of 30.00 is the 30.00's.

    The word on the cancelled bet stands, and its 15.00 of the first division is undone with it: the jackpot has none,
    the organizer bears the 15.00 in all, and the 15.00 that was credited comes back.
    """
    pool, player = office.pool(), office.player("ivan", "10.00")
    cash = office.bet(office.cashier, "1", "10.00").json
    assert office.bet(player, "1", "10.00").status_code == 201
    assert office.bet(office.cashier, "2", "30.00").status_code == 201
    office.decide(pool, "1")
    office.clock(NEXT_DAY)
    assert office.pay(cash["code"]).json["amount"] == "15.00"
    cancelled(office, cash["number"], approval=approved(office, cash["number"]))
    assert (office.balance("jackpot", "totolot"), office.balance("organizer")) == ("15.00", "985.00")

    assert office.settle_again(pool, "2")["wins"] == "30.00"

    assert stand_of(office, cash["number"]) == ("paid", "10.00", "after_start")
    assert (office.balance("jackpot", "totolot"), office.balance("organizer")) == ("0.00", "985.00")
    assert account_of(player) == "0.00"
    assert office.balance("wins_payable", "pool:P1") == "30.00"


def test_a_replay_gives_the_same_answer_and_a_second_cancellation_none(office: Office) -> None:
    office.pool()
    number = office.bet(office.cashier, "1", "10.00").json["number"]
    first = cancel(office, number, key="cancel-this-bet")
    again = cancel(office, number, key="cancel-this-bet")
    assert (first.status_code, again.status_code, again.json) == (201, 201, first.json)
    assert again.headers["Idempotency-Replayed"] == "true"
    refused = cancel(office, number)
    assert (code_of(refused), refused.json["reason"]) == ((409, "already_cancelled"), "after_start")
    assert refused.json["cancelled_at"] == first.json["cancelled_at"]
    assert code_of(cancel(office, 999)) == (404, "not_found")
    proposal = office.organizer.post(f"/tickets/{number}/cancellation-proposals", WHY)
    assert code_of(proposal) == (409, "already_cancelled")


def test_what_is_asked_for_is_a_reason_from_the_list_and_words(office: Office) -> None:
    office.pool()
    number = office.bet(office.cashier, "1", "10.00").json["number"]
    path = f"/tickets/{number}/cancellation"
    for told in ({}, {"reason": "after_start"}, {**WHY, "reason": "changed_mind"}, {**WHY, "explanation": ""}):
        assert office.organizer.post(path, told).status_code == 422, told
    unneeded = office.organizer.post(f"/tickets/{number}/cancellation-proposals", WHY)
    assert code_of(unneeded) == (409, "second_person_not_needed")


def test_another_cancellation_than_was_approved(office: Office, settled: dict[str, Any]) -> None:
    number = settled["online"]["number"]
    approval = approved(office, number)
    assert code_of(cancel(office, number, approval=approval, reason="unpaid")) == (409, "approval_differs")
    assert code_of(cancel(office, settled["lost"]["number"], approval=approval)) == (409, "approval_differs")
    assert cancel(office, number, approval=approval).status_code == 201


def test_a_cancelled_bet_is_a_significant_event(office: Office) -> None:
    office.pool()
    number = office.bet(office.cashier, "1", "10.00").json["number"]
    cancelled(office, number)
    assert facts_of(office, BET_CANCELLED) == [
        (
            f"ticket:{number}",
            {
                "pool": "P1",
                "stage": "selling",
                "reason": "after_start",
                "stake": "10.00",
                "received": "0.00",
                "currency": "BYN",
            },
        )
    ]
