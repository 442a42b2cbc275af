"""Settling through the API; every figure worked by hand (T-Rules 23, 36.1; T-Prov 12, 16; D-3, D-5, D-6, D-22)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db.session import transaction
from ledger.journal import Transfer
from ledger.settlements import Settlement, SettlementCompletion
from tests.office import Member, Office
from tote.division import Settling, divided
from tote.models import PoolDivision
from tote.pools import pool_by_code
from tote.rules.pool import GroupWin
from tote.settlement import complete, start, write_chunk
from tote.settling import settle_pool


def figures(sheet: dict[str, Any]) -> tuple[str, ...]:
    """Pool, withdrawal, fund, wins, jackpot, organizer's own money."""
    return tuple(sheet[name] for name in ("pool", "withdrawal", "fund", "wins", "to_jackpot", "from_organizer"))


def how(office: Office, number: int) -> tuple[str, str | None, str | None]:
    """How a ticket stands: status, win, stake given back."""
    ticket = office.organizer.get(f"/tickets/{number}").json
    return ticket["status"], ticket["win"], ticket["stake_back"]


def sold(office: Office, *bets: tuple[str, str], member: Member | None = None) -> list[int]:
    """Bets at the desk, an outcome and a stake each; their numbers."""
    answers = [office.bet(member or office.cashier, outcome, stake) for outcome, stake in bets]
    assert {answer.status_code for answer in answers} == {201}
    return [answer.json["number"] for answer in answers]


def test_nobody_won(office: Office) -> None:
    """30.00 in the pool, 18.00 of fund, all of it to the jackpot of the family (T-Rules 36.1)."""
    pool = office.pool()
    first, second = sold(office, ("1", "10.00"), ("2", "20.00"))
    sheet = office.decide(pool, "X").json
    assert figures(sheet) == ("30.00", "12.00", "18.00", "0.00", "18.00", "0.00")
    assert (sheet["coefficient"], sheet["winning_bets"], sheet["minus_pool"]) == (None, 0, False)
    assert how(office, first) == how(office, second) == ("lost", "0.00", "0.00")
    assert office.balance("jackpot", "totolot") == "18.00"
    assert office.balance("withdrawal_revenue") == "12.00"


def test_minus_pool(office: Office) -> None:
    """Everybody won: 10.00 + 1.00, 1.01 + 0.11 (a tenth is 0.101, rounded up), 5.00 + 0.50 online; 1.61 is ours.

    Of 16.01 a fund of 9.61 (9.606 rounded up) and a withdrawal of 6.40 were parted; the withdrawal goes back.
    """
    pool = office.pool()
    tickets = sold(office, ("1", "10.00"), ("1", "1.01"))
    player = office.player("ivan", "5.00")
    online = sold(office, ("1", "5.00"), member=player)[0]
    sheet = office.decide(pool, "1").json
    assert figures(sheet) == ("16.01", "6.40", "9.61", "17.62", "0.00", "1.61")
    assert (sheet["minus_pool"], sheet["coefficient"]) == (True, None)
    assert [how(office, number) for number in tickets] == [("won", "1.00", "10.00"), ("won", "0.11", "1.01")]
    assert how(office, online) == ("credited", "0.50", "5.00")
    assert player.get("/players/me").json["balance"] == "5.50"
    assert office.balance("withdrawal_revenue") == "0.00"
    assert office.balance("wins_payable", "pool:P1") == "12.12"
    assert office.balance("organizer") == "998.39"


def test_minimum_coefficient(office: Office) -> None:
    """FIELD-FAULTS 013: fund 540.00 on 800.00 is 0.675; 1.05 was promised: 840.00, of which 300.00 is ours (D-6)."""
    pool = office.pool(minimum_coefficient="1.05")
    (winner, _) = sold(office, ("1", "800.00"), ("2", "100.00"))
    sheet = office.decide(pool, "1").json
    assert figures(sheet) == ("900.00", "360.00", "540.00", "840.00", "0.00", "300.00")
    assert (sheet["coefficient"], sheet["coefficient_display"]) == ("27/40", "0.6750")
    assert how(office, winner) == ("won", "840.00", "0.00")
    assert office.balance("organizer") == "700.00"


def test_a_coefficient_under_one_is_paid_as_it_is(office: Office) -> None:
    """The same pool without a promise: 800.00 × 0.675 = 540.00 (D-6)."""
    pool = office.pool()
    (winner, _) = sold(office, ("1", "800.00"), ("2", "100.00"))
    assert figures(office.decide(pool, "1").json) == ("900.00", "360.00", "540.00", "540.00", "0.00", "0.00")
    assert how(office, winner) == ("won", "540.00", "0.00")


def test_residue_goes_to_the_jackpot(office: Office) -> None:
    """FIELD-FAULTS 002: 60 % of 166.66 is 99.996, rounded up a fund of 100.00; three of 33.33 leave 0.01."""
    pool = office.pool()
    winners = sold(office, ("1", "50.00"), ("1", "50.00"), ("1", "50.00"), ("2", "16.66"))[:3]
    sheet = office.decide(pool, "1").json
    assert figures(sheet) == ("166.66", "66.66", "100.00", "99.99", "0.01", "0.00")
    assert {how(office, number) for number in winners} == {("won", "33.33", "0.00")}
    assert office.balance("jackpot", "totolot") == "0.01"
    assert office.balance("prize_fund", "pool:P1") == "0.00"


def test_nine_kopecks_by_three_and_two(office: Office) -> None:
    """FIELD-FAULTS 002: 60 % of 0.15 is 0.09; 9 × 3/5 = 5.4 and 9 × 2/5 = 3.6 give 5 + 3, 1 to the jackpot."""
    pool = office.pool(minimum_stake="0.01")
    three, two, _ = sold(office, ("1", "0.03"), ("1", "0.02"), ("2", "0.10"))
    assert figures(office.decide(pool, "1").json) == ("0.15", "0.06", "0.09", "0.08", "0.01", "0.00")
    assert (how(office, three)[1], how(office, two)[1]) == ("0.05", "0.03")


def test_several_true_outcomes_win_alike(office: Office) -> None:
    """36.00 of fund on 10.00 + 20.00 of true stakes is 6/5: 12.00 and 24.00 (D-22)."""
    pool = office.pool()
    first, draw, second = sold(office, ("1", "10.00"), ("X", "20.00"), ("2", "30.00"))
    sheet = office.decide(pool, "1", "X").json
    assert figures(sheet) == ("60.00", "24.00", "36.00", "36.00", "0.00", "0.00")
    assert sheet["coefficient"] == "6/5"
    assert [outcome["true"] for outcome in sheet["outcomes"]] == [True, True, False]
    assert [how(office, number)[:2] for number in (first, draw, second)] == [
        ("won", "12.00"),
        ("won", "24.00"),
        ("lost", "0.00"),
    ]


def test_a_pool_without_bets_moves_nothing(office: Office) -> None:
    """FIELD-FAULTS 004: no movement, no exception, no minus pool."""
    pool = office.pool()
    before = office.accountant.get("/reports/trial-balance").json
    sheet = office.decide(pool, "1").json
    assert figures(sheet) == ("0.00",) * 6
    assert (sheet["status"], sheet["coefficient"], sheet["minus_pool"]) == ("settled", None, False)
    assert office.accountant.get("/reports/trial-balance").json == before


def test_a_win_under_a_kopeck(office: Office) -> None:
    """60 % of 10.01 is 6.006, a fund of 6.01 on 10.00: 0.601 × 0.01 is nothing, × 9.99 is 6.00; 0.01 is left."""
    pool = office.pool(minimum_stake="0.01")
    small = office.bet(office.cashier, "1", "0.01").json
    large, _ = sold(office, ("1", "9.99"), ("2", "0.01"))
    assert figures(office.decide(pool, "1").json) == ("10.01", "4.00", "6.01", "6.00", "0.01", "0.00")
    assert how(office, small["number"]) == ("won", "0.00", "0.00")
    assert how(office, large) == ("won", "6.00", "0.00")
    office.clock("2022-11-23T10:00:00+03:00")
    assert office.pay(small["code"]).json["code"] == "ticket_lost"


def test_what_must_come_before_settling(office: Office) -> None:
    """Closed first, then a protocol, and one that names an outcome of this pool (T-Rules 10, 30)."""
    pool = office.pool()
    settle = "/pools/P1/settlement"
    assert office.organizer.post(settle).json["code"] == "pool_not_closed"
    office.organizer.post("/pools/P1/closing")
    assert office.organizer.post(settle).json["code"] == "result_not_confirmed"
    office.clock("2022-11-22T16:00:00+03:00")
    path = f"/events/{pool['event_id']}"
    result = office.organizer.post(path + "/results", {"outcomes": ["3"], "source": "протокол"}).json["id"]
    office.second_organizer.post(path + "/protocols", {"result_id": result, "signatories": ["Первый"]})
    assert office.organizer.post(settle).json["code"] == "result_names_no_outcome"
    assert office.organizer.get("/pools/P1").json["status"] == "result_confirmed"


@pytest.mark.parametrize(
    ("determined", "first", "end"),
    [
        # D-1: determined 10 January, paid 11 January to 11 April, both whole days of Minsk (three hours before UTC).
        ("2025-01-10T16:00:00+03:00", "2025-01-10T21:00:00", "2025-04-11T21:00:00"),
        # 30 November is the first day; three months on is the last day of February, and it is paid to its end.
        ("2025-11-29T23:59:00+03:00", "2025-11-29T21:00:00", "2026-02-28T21:00:00"),
    ],
)
def test_the_term_of_a_win(office: Office, determined: str, first: str, end: str) -> None:
    """FIELD-FAULTS 017: the payout asks the clock itself, whatever ran or did not run at night."""
    pool = office.pool()
    issued = office.bet(office.cashier, "1", "10.00").json
    code = issued["code"]
    online = sold(office, ("2", "10.00"), ("1", "10.00"), member=office.player("ivan", "20.00"))[1]
    office.decide(pool, "1", at=determined)
    ticket = office.organizer.get(f"/tickets/{issued['number']}").json
    assert (ticket["payable_from"], ticket["payable_until"]) == (f"{first}+00:00", f"{end}+00:00")
    assert office.organizer.get(f"/tickets/{online}").json["payable_until"] is None, "credited at once (D-17)"
    assert office.pay(code).json["code"] == "not_payable_yet"
    office.clock(f"{end}+00:00")
    refused = office.pay(code)
    assert (refused.json["code"], refused.json["payable_until"]) == ("payment_term_over", f"{end}+00:00")
    office.clock(f"{first}+00:00")
    assert office.pay(code).json["amount"] == "9.00"


def test_the_term_is_counted_from_the_determination_not_from_the_chunk(office: Office) -> None:
    """Begun on 22 November a minute before midnight, decided after it: payable from 23 November 00:00 of Minsk (D-1).

    Three months on, 23 February is paid to its end: till 24 February 00:00, both three hours earlier in UTC.
    """
    pool = office.pool()
    (winner,) = sold(office, ("1", "10.00"))
    sold(office, ("2", "10.00"))
    office.determine(pool, "1", at="2022-11-22T23:59:00+03:00")
    with transaction(office.house.sessions) as session:
        start(session, pool_by_code(session, "P1"))
    office.clock("2022-11-23T00:05:00+03:00")
    settle_pool(office.house.sessions, office.house.operator, "P1")
    with office.house.sessions() as session:
        decided = session.scalars(select(Settlement).where(Settlement.ticket_id == winner)).one()
    assert decided.payable_from == datetime(2022, 11, 22, 21, tzinfo=UTC)
    assert decided.payable_until == datetime(2023, 2, 23, 21, tzinfo=UTC)


def one_ticket_missing(session: Session, office: Office, settling: Settling) -> Settling:
    """One of the two tickets decided, the other not."""
    assert write_chunk(session, office.house.operator, settling, 1) == 1
    return settling


def decided_a_kopeck_high(session: Session, office: Office, settling: Settling) -> Settling:
    """The tickets decided by a division that gives 0.01 too much, completed by the right one."""
    write_chunk(session, office.house.operator, with_win(settling, 12_01), 10)
    return settling


def divided_a_kopeck_low(session: Session, office: Office, settling: Settling) -> Settling:
    """The tickets decided rightly, completed by a division that gives 0.01 too little."""
    write_chunk(session, office.house.operator, settling, 10)
    return with_win(settling, 11_99)


def with_win(settling: Settling, win: int) -> Settling:
    """The same settling with this win for the first group, which won 12.00."""
    assert settling.division.wins[0] == GroupWin(win=12_00)
    wrong = (GroupWin(win=win), *settling.division.wins[1:])
    return replace(settling, division=replace(settling.division, wins=wrong))


@pytest.mark.parametrize("broken", [one_ticket_missing, decided_a_kopeck_high, divided_a_kopeck_low])
def test_a_broken_settlement_is_not_completed(
    office: Office, broken: Callable[[Session, Office, Settling], Settling]
) -> None:
    """10.00 on each of two outcomes: a fund of 12.00, the winner's. What does not agree with it books nothing."""
    pool = office.pool()
    sold(office, ("1", "10.00"), ("2", "10.00"))
    office.determine(pool, "1")
    with office.house.sessions() as session:
        announced = pool_by_code(session, "P1")
        settling = divided(session, announced, start(session, announced))
        moved = session.scalar(select(func.max(Transfer.id)))
        offered = broken(session, office, settling)
        with pytest.raises(AssertionError):
            complete(session, office.house.operator, offered)
        assert session.scalar(select(func.max(Transfer.id))) == moved
        for booked in (SettlementCompletion, PoolDivision):
            assert session.scalar(select(func.count()).select_from(booked)) == 0
        session.rollback()
    assert figures(office.organizer.post("/pools/P1/settlement").json)[3] == "12.00"
