"""One pool that settles by any result, its figures worked by hand, and where its money lies after each.

Staked are 10.00 at the desk (A) and 10.00 by Ivan on 1, 20.00 at the desk (C) and 10.00 by Olga on 2: a pool of 50.00,
withdrawn 20.00, a fund of 30.00.

* 1: 30.00 on 20.00 is 3/2: A and Ivan win 15.00 each.
* 2: 30.00 on 30.00 is 1: C wins 20.00, Olga 10.00.
* X: nobody wins, 30.00 to the jackpot.
* 1 and 2: everybody won. Each stake with a tenth of it: 11.00, 11.00, 22.00, 11.00; the withdrawal of 20.00 goes back,
  5.00 are the organizer's.
* not held: each stake goes back, and the withdrawal of 20.00 with them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.office import Member, Office

AFTER = "2022-11-22T16:00:00+03:00"
NEXT_DAY = "2022-11-23T10:00:00+03:00"
NOT_HELD: tuple[str, ...] = ()
SETTLED = ("settled", "payable", "expired", "archived", "returned")
"""How a pool may stand that was settled, as time goes by."""
MONEY = {
    # revenue, organizer, jackpot, wins payable (cash only: the online ones are credited), Ivan, Olga
    ("1",): ("20.00", "1000.00", "0.00", "15.00", "15.00", "0.00"),
    ("2",): ("20.00", "1000.00", "0.00", "20.00", "0.00", "10.00"),
    ("X",): ("20.00", "1000.00", "30.00", "0.00", "0.00", "0.00"),
    ("1", "2"): ("0.00", "995.00", "0.00", "33.00", "11.00", "11.00"),
    NOT_HELD: ("0.00", "1000.00", "0.00", "30.00", "10.00", "10.00"),
}
"""Where the money lies when the pool was settled by a result and nobody fetched or spent anything."""
STATES = {
    ("1",): ["won 15.00", "credited 15.00", "lost 0.00", "lost 0.00"],
    ("2",): ["lost 0.00", "lost 0.00", "won 20.00", "credited 10.00"],
    ("X",): ["lost 0.00"] * 4,
    ("1", "2"): ["won 11.00", "credited 11.00", "won 22.00", "credited 11.00"],
    NOT_HELD: ["returned 10.00", "credited 10.00", "returned 20.00", "credited 10.00"],
}
"""How the four tickets stand then: status, and what they are due with the stake given back."""


@dataclass
class Match:
    """The pool of that match, its tickets in the order they were sold, and its two players."""

    office: Office
    pool: dict[str, Any]
    ivan: Member
    olga: Member
    codes: dict[str, str]
    numbers: list[int]

    def money(self) -> tuple[str, ...]:
        """Revenue, organizer, jackpot, wins payable, Ivan's balance, Olga's; the prize fund is always empty."""
        assert self.office.balance("prize_fund", "pool:P1") == "0.00"
        return (
            self.office.balance("withdrawal_revenue"),
            self.office.balance("organizer"),
            self.office.balance("jackpot", "totolot"),
            self.office.balance("wins_payable", "pool:P1"),
            *(player.get("/players/me").json["balance"] for player in (self.ivan, self.olga)),
        )

    def states(self) -> list[str]:
        """How the tickets stand: status, and win and stake back together."""
        shown = [self.office.organizer.get(f"/tickets/{number}").json for number in self.numbers]
        return [f"{one['status']} {_sum(one['win'], one['stake_back'])}" for one in shown]

    def decisions(self, ticket: int) -> list[dict[str, Any]]:
        """The history of a ticket, by its place among the four."""
        answer = self.office.accountant.get(f"/tickets/{self.numbers[ticket]}/decisions")
        assert answer.status_code == 200, answer.json
        return list(answer.json["items"])

    def settle_by(self, *outcomes: str) -> dict[str, Any]:
        """Close, fix the result, settle; or correct the result that was fixed and settle again."""
        if self.office.organizer.get("/pools/P1").json["status"] in SETTLED:
            return self.office.settle_again(self.pool, *outcomes)
        self.office.determine(self.pool, *outcomes)
        return self.settle_by_what_was_fixed()

    def settle_by_what_was_fixed(self) -> dict[str, Any]:
        """Settle by the protocol in force."""
        return dict(self.office.organizer.post("/pools/P1/settlement").json)


def sold(office: Office) -> Match:
    """The four bets."""
    pool, ivan, olga = office.pool(), office.player("ivan", "10.00"), office.player("olga", "10.00")
    bets = [
        office.bet(office.cashier, "1", "10.00"),
        office.bet(ivan, "1", "10.00"),
        office.bet(office.cashier, "2", "20.00"),
        office.bet(olga, "2", "10.00"),
    ]
    assert {bet.status_code for bet in bets} == {201}
    codes = {"A": bets[0].json["code"], "C": bets[2].json["code"]}
    return Match(office, pool, ivan, olga, codes, [bet.json["number"] for bet in bets])


def _sum(*amounts: str) -> str:
    total = sum(int(amount.replace(".", "")) for amount in amounts)
    return f"{total // 100}.{total % 100:02}"
