"""A day with payouts in cash at two desks, for the papers that tell of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.office import Office

LONG = "Константинопольская-Задунайская-Заволжская-Северодвинская"
"""A surname of 58 letters; a request takes 60."""


@dataclass(frozen=True)
class Paid:
    """The office, and the lines of the journal as they were answered."""

    office: Office
    lines: list[dict[str, Any]]


def pay_out(office: Office) -> Paid:
    """Of five bets of 10.00 a fund of 30.00: three on 1 share it, and win 10.00 each: 10 × 30/30.

    Two are paid at the first desk on the 23rd, one at the second desk on the 24th, to somebody with a long name.
    """
    pool = office.pool()
    here, there = office.cashier, office.another_cashier(2)
    sold = [office.bet(who, "1", "10.00").json for who in (here, here, there)]
    for _ in range(2):
        assert office.bet(there, "2", "10.00").status_code == 201
    office.decide(pool, "1")
    office.clock("2022-11-23T10:00:00+03:00")
    lines = [office.pay(ticket["code"], here) for ticket in sold[:2]]
    office.clock("2022-11-24T10:00:00+03:00")
    lines.append(office.pay(sold[2]["code"], there, surname=LONG, name="Ўладзімір", patronymic="Іванавіч"))
    assert [line.status_code for line in lines] == [201] * 3, lines[-1].json
    return Paid(office, [line.json for line in lines])
