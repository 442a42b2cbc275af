"""What a payout was for, told alike by the intake and by the shift's report (T-Prov 16, B-Prov 15, 17)."""

from __future__ import annotations

from typing import Any

from desk.shift_report import report_so_far
from tests.office import Office
from tests.reports.registers.reading import columns, shown

PAID = ("paid_tickets", "paid", "returned_tickets", "returned", "cancelled_tickets", "cancelled", "paid_out")


def paid_out(office: Office) -> list[tuple[Any, ...]]:
    """What the intake says of the payouts of each shift."""
    return columns(shown(office.supervisor, "intake")["items"], *PAID)


def report(office: Office) -> list[tuple[str, int, int]]:
    """What the shift's report says of them, as far as it has come; in minor units."""
    with office.house.sessions() as session:
        found = report_so_far(session, office.house.operator, office.shift_id)
    return [(line.title, line.times, line.amount) for line in found.paid_out.lines]


def test_t_prov_16_a_minus_pools_payout_is_a_win_and_a_stake_given_back(office: Office) -> None:
    """10.00, the only bet, won: 11.00 are paid, of which 1.00 is won. Of P2 a bet of 7.00 is cancelled."""
    pools = office.pool(), office.pool("P2")
    winner = office.bet(office.cashier, "1", "10.00").json["code"]
    gone = office.bet(office.cashier, "1", "7.00", "P2").json
    breach = {"reason": "influence", "explanation": "Судья матча"}
    assert office.organizer.post(f"/tickets/{gone['number']}/cancellation", breach).status_code == 201
    office.decide(pools[0], "1")
    office.clock("2022-11-23T10:00:00+03:00")
    assert [office.pay(code).json["amount"] for code in (winner, gone["code"])] == ["11.00", "7.00"]
    assert paid_out(office) == [(1, "1.00", 1, "10.00", 1, "7.00", "18.00")]
    assert report(office) == [
        ("Выигрыши", 1, 1_00),
        ("Возвращённые ставки", 1, 10_00),
        ("Ставки, отменённые организатором", 1, 7_00),
    ]


def test_d_14_what_was_paid_by_the_former_protocol_counts_towards_the_stake_first(office: Office) -> None:
    """Fund 60 % of 20.00: 12.00, of which the outcome 1 wins 12.00 for its 10.00; paid to ticket 1.

    Corrected, both outcomes are true: everybody won, 10.00 and 1.00 are due to each. Ticket 1 had 12.00, ticket 2 gets
    its 11.00, of which 1.00 is won. Wins: 12.00 and 1.00.
    """
    pool = office.pool()
    first = office.bet(office.cashier, "1", "10.00").json["code"]
    second = office.bet(office.cashier, "2", "10.00").json["code"]
    office.decide(pool, "1")
    office.clock("2022-11-23T10:00:00+03:00")
    assert office.pay(first).json["amount"] == "12.00"
    office.settle_again(pool, "1", "2")
    office.clock("2022-11-24T10:00:00+03:00")
    assert office.pay(second).json["amount"] == "11.00"
    assert paid_out(office) == [(2, "13.00", 1, "10.00", 0, "0.00", "23.00")]
    assert report(office) == [("Выигрыши", 2, 13_00), ("Возвращённые ставки", 1, 10_00)]
