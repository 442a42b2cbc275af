"""Settled again after wins lapsed, bets were cancelled, the jackpot was drawn, or a crediting broke off (D-14, D-18).

The figures of each result are worked in tests/tote/match.py.
"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from db.session import transaction
from ledger.accounts import OPERATOR as OPERATORS
from ledger.accounts import Kind, open_account
from ledger.journal import Movement, post
from ledger.settlements import SettlementCrediting
from office.significant.kinds import JACKPOT_SHORT
from tests.approvals.people import code_of
from tests.office import OPERATOR, Office
from tests.records import facts_of
from tests.tote.match import AFTER, MONEY, NOT_HELD, STATES, sold
from tests.tote.written import cancel, expire
from tote.crediting import credit_chunk, finish
from tote.division import divided
from tote.models import CancellationStage
from tote.pools import pool_by_code
from tote.settlement import complete, start, write_chunk
from tote.settling import settle_pool

LATER = "2023-03-01T10:00:00+03:00"
SELLING, CLOSED, SETTLED = CancellationStage


def draw(office: Office, amount: int) -> None:
    """So much of the jackpot, in minor units, is drawn elsewhere, and the bank pays it out."""
    with transaction(office.house.sessions) as session:
        jackpot = open_account(session, Kind.JACKPOT, "totolot", "BYN")
        bank = open_account(session, Kind.BANK, OPERATORS, "BYN")
        at = datetime(2022, 11, 22, 14, tzinfo=UTC)
        drawn = [Movement(jackpot, bank, amount, "jackpot_drawn")]
        post(session, drawn, currency="BYN", occurred_at=at, booked_on=OPERATOR.day_of(at))


def test_what_the_jackpot_no_longer_has_the_organizer_bears(office: Office) -> None:
    """Nobody won, 30.00 went to the jackpot and 18.00 of it were drawn elsewhere. By 1 the 30.00 are the winners':
    12.00 come back from the jackpot, 18.00 are the organizer's. By X again the jackpot is as it would have been.
    """
    match = sold(office)
    match.settle_by("X")
    draw(office, 18_00)
    sheet = match.settle_by("1")
    assert (sheet["wins"], sheet["jackpot_shortfall"]) == ("30.00", "18.00")
    assert match.money() == ("20.00", "982.00", "0.00", "15.00", "15.00", "0.00")
    told = {"pool": "P1", "amount": "18.00"}
    assert facts_of(office, JACKPOT_SHORT) == [(f"pool:{match.pool['id']}", told)]

    sheet = match.settle_by("X")
    assert [version["jackpot_shortfall"] for version in sheet["versions"]] == ["0.00", "18.00", "0.00"]
    assert match.money() == ("20.00", "1000.00", "12.00", "0.00", "0.00", "0.00")


def test_a_jackpot_that_was_emptied_gives_back_what_another_pool_brought(office: Office) -> None:
    """All 30.00 were drawn, but another pool of 10.00 that nobody won brought 6.00: 24.00 are the organizer's."""
    match, other = sold(office), office.pool("P2")
    office.bet(office.cashier, "1", "10.00", "P2")
    match.settle_by("X")
    draw(office, 30_00)
    assert office.decide(other, "X").json["to_jackpot"] == "6.00"
    match.settle_by(*NOT_HELD)
    # Of the 30.00 that are returned to C and A in cash and 20.00 online, the withdrawal of 20.00 is a part; the other
    # pool's withdrawal of 4.00 stays revenue.
    assert match.money() == ("4.00", "976.00", "0.00", "30.00", "10.00", "10.00")


def test_a_lapsed_win_comes_back_from_the_jackpot_and_the_new_one_has_its_own_term(office: Office) -> None:
    """A's 15.00 lapsed on 23 February 2023. In March the protocol is corrected: everybody won, A is due 11.00."""
    match = sold(office)
    match.settle_by("1")
    office.clock(LATER)
    expire(office, match.numbers[0])
    assert (office.balance("jackpot", "totolot"), match.states()[0]) == ("15.00", "expired 15.00")

    match.settle_by("1", "2")
    assert (match.money(), match.states()) == (MONEY["1", "2"], STATES["1", "2"])
    lapsed, stands = match.decisions(0)
    assert (lapsed["end"], lapsed["amount"]) == ("expired", "15.00")
    assert (stands["received"], stands["due"]) == ("0.00", "11.00")
    # From 2 March, three months from that day: until 2 June, 24:00 in Minsk.
    assert (stands["payable_from"], stands["payable_until"]) == (
        "2023-03-01T21:00:00+00:00",
        "2023-06-02T21:00:00+00:00",
    )
    match.settle_by("1")
    assert (match.money(), match.states()) == (MONEY["1",], STATES["1",])


def test_of_a_minus_pool_whose_tenth_lapsed_the_stake_is_due_until_the_correction(office: Office) -> None:
    """A's 1.00 lapsed, the 10.00 stayed due. By 2 A lost and neither is owed; by both again 11.00 are."""
    match = sold(office)
    match.settle_by("1", "2")
    office.clock(LATER)
    expire(office, match.numbers[0])
    assert match.states()[0] == "returned 10.00"
    match.settle_by("2")
    assert (match.money(), match.states()) == (MONEY["2",], STATES["2",])
    assert [one["end"] for one in match.decisions(0)] == ["expired", "reversed", None]
    match.settle_by("1", "2")
    assert (match.money(), match.states()) == (MONEY["1", "2"], STATES["1", "2"])


def test_a_lapsed_win_of_a_player_who_fetched_the_stake_is_paid_the_rest(office: Office) -> None:
    """A's 1.00 lapsed and the 10.00 was fetched. By 1 A is due 15.00: 5.00 more, in a term of their own."""
    match = sold(office)
    match.settle_by("1", "2")
    office.clock(LATER)
    expire(office, match.numbers[0])
    assert office.pay(match.codes["A"]).json["amount"] == "10.00"
    match.settle_by("1")
    assert match.money() == ("20.00", "1000.00", "0.00", "5.00", "15.00", "0.00")
    office.clock("2023-03-02T10:00:00+03:00")
    assert office.pay(match.codes["A"]).json["amount"] == "5.00"


def test_t_rules_29_a_bet_cancelled_while_the_pool_sold_was_never_in_it(office: Office) -> None:
    """Without C's 20.00 the pool is 30.00, the fund 18.00: by 1 it is 9.00 each, by 2 all 18.00 are Olga's."""
    match = sold(office)
    cancel(office, match.numbers[2], SELLING, 20_00)
    sheet = match.settle_by("1")
    assert (sheet["withdrawal"], sheet["fund"], sheet["wins"]) == ("12.00", "18.00", "18.00")
    assert match.states() == ["won 9.00", "credited 9.00", "cancelled 20.00", "lost 0.00"]
    match.settle_by("2")
    assert match.states() == ["lost 0.00", "lost 0.00", "cancelled 20.00", "credited 18.00"]
    assert match.money() == ("12.00", "1000.00", "0.00", "20.00", "0.00", "18.00")


def test_t_rules_29_a_bet_cancelled_after_the_closing_leaves_withdrawal_and_fund(office: Office) -> None:
    """Closed on 20.00 and 30.00; without C they are 12.00 and 18.00, so 8.00 and 12.00 of the stake come from them.

    If the event was not held, the 12.00 of withdrawal go back, and the three stakes that are left.
    """
    match = sold(office)
    office.determine(match.pool, "1")
    cancel(office, match.numbers[2], CLOSED, 0, 8_00, 12_00)
    assert match.settle_by_what_was_fixed()["wins"] == "18.00"
    assert match.states() == ["won 9.00", "credited 9.00", "cancelled 20.00", "lost 0.00"]
    match.settle_by(*NOT_HELD)
    assert match.states() == ["returned 10.00", "credited 10.00", "cancelled 20.00", "credited 10.00"]
    assert match.money() == ("0.00", "1000.00", "0.00", "30.00", "10.00", "10.00")


def test_t_rules_29_a_bet_cancelled_after_the_settlement_shares_with_the_jackpot(office: Office) -> None:
    """A's 15.00 went to the jackpot, the organizer owes A's 10.00; the word on A is not decided again.

    By 2 A would have lost: nothing for the jackpot. By 1 again A's share of 15.00 is the jackpot's. If everybody won,
    the jackpot has A's 11.00.
    """
    match = sold(office)
    match.settle_by("1")
    cancel(office, match.numbers[0], SETTLED)
    cancelled = ("20.00", "990.00", "15.00", "10.00", "15.00", "0.00")
    assert match.money() == cancelled
    match.settle_by("2")
    assert match.money() == ("20.00", "990.00", "0.00", "30.00", "0.00", "10.00")
    assert match.states() == ["cancelled 10.00", "lost 0.00", "won 20.00", "credited 10.00"]
    sheet = match.settle_by("1")
    assert (sheet["wins"], sheet["to_jackpot"], match.money()) == ("15.00", "15.00", cancelled)
    match.settle_by("1", "2")
    assert match.money() == ("0.00", "985.00", "11.00", "32.00", "11.00", "11.00")
    assert [one["decision"] for one in match.decisions(0)] == ["won", "cancelled"]


@pytest.mark.parametrize("chunk", [1, 2, 100])
def test_several_tickets_of_a_player_are_taken_back_in_their_order_down_to_zero(office: Office, chunk: int) -> None:
    """Three of 10.00 win 10.00 each (fund 30.00 on 30.00); 12.00 of the 30.00 are spent, so 18.00 are there.

    Of the first ticket all 10.00 are taken back, of the second 8.00, of the third nothing; 2.00 and 10.00 are claimed.
    """
    pool, ivan = office.pool(), office.player("ivan", "30.00")
    office.pool("P2", closes_at="2022-11-22T13:00:00+03:00")
    numbers = [office.bet(ivan, "1", "10.00").json["number"] for _ in range(3)]
    office.bet(office.cashier, "2", "20.00")
    office.decide(pool, "1")
    office.clock("2022-11-22T12:00:00+03:00")
    assert office.bet(ivan, "X", "12.00", "P2").status_code == 201
    office.clock(AFTER)
    office.correct(pool, "2")
    settle_pool(office.house.sessions, OPERATOR, "P1", chunk)

    last = [office.auditor.get(f"/tickets/{number}/decisions").json["items"][-1] for number in numbers]
    assert [(one["taken_back"], one["claimed"]) for one in last] == [
        ("10.00", "0.00"),
        ("8.00", "2.00"),
        ("0.00", "10.00"),
    ]
    assert ivan.get("/players/me").json["balance"] == "0.00"
    assert office.balance("claims", "player:1") == "12.00"


def test_what_a_player_is_due_more_is_credited_before_anything_is_claimed(office: Office) -> None:
    """Ivan's 10.00 on 1 won 24.00, which he spent; by 2 his other ticket wins 24.00: they pay for the first.

    Pool 40.00, fund 24.00. Each ticket is a chunk of its own.
    """
    pool, ivan = office.pool(), office.player("ivan", "20.00")
    office.pool("P2", closes_at="2022-11-22T13:00:00+03:00")
    for outcome in ("1", "2"):
        assert office.bet(ivan, outcome, "10.00").status_code == 201
    office.bet(office.cashier, "X", "20.00")
    office.decide(pool, "1")
    office.clock("2022-11-22T12:00:00+03:00")
    assert office.bet(ivan, "X", "24.00", "P2").status_code == 201
    office.clock(AFTER)
    office.correct(pool, "2")
    settle_pool(office.house.sessions, OPERATOR, "P1", chunk=1)
    assert ivan.get("/players/me").json["balance"] == "0.00"
    assert office.balance("claims", "player:1") == "0.00"


def test_the_crediting_of_a_run_whose_place_was_taken_stops(office: Office) -> None:
    """Complete and credited only to Ivan's ticket when the protocol is corrected; the rest is the new run's."""
    match = sold(office)
    office.determine(match.pool, "1")
    with transaction(office.house.sessions) as session:
        pool = pool_by_code(session, "P1")
        run = start(session, pool)
        settling = divided(session, pool, run)
        assert write_chunk(session, OPERATOR, settling, 10) == 4
        complete(session, OPERATOR, settling)
        assert credit_chunk(session, OPERATOR, run, 0, 2) == match.numbers[1]
    assert match.ivan.get("/players/me").json["balance"] == "15.00"
    office.correct(match.pool, "2")
    settle_pool(office.house.sessions, OPERATOR, "P1")

    with transaction(office.house.sessions) as session:
        assert credit_chunk(session, OPERATOR, run, match.numbers[1], 2) is None
        finish(session, run)
        credited = session.scalars(select(SettlementCrediting.run_id)).all()
    assert list(credited) == [run.id + 1]
    assert (match.money(), match.states()) == (MONEY["2",], STATES["2",])


def test_a_win_due_again_is_fetched_within_the_new_term_only(office: Office) -> None:
    """Corrected in March to the same outcome by another source: A's 15.00 had lapsed, and are due until 2 June."""
    match = sold(office)
    match.settle_by("1")
    office.clock(LATER)
    assert code_of(office.pay(match.codes["A"])) == (409, "payment_term_over")
    match.settle_by("1")
    assert code_of(office.pay(match.codes["A"])) == (409, "not_payable_yet")
    office.clock("2023-06-02T23:59:00+03:00")
    assert office.pay(match.codes["A"]).json["amount"] == "15.00"
