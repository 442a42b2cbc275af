"""A pool of the fifth game from its announcement to its last payout: what the API answered, as JSON on the last line.

Run as a process of its own, on the database its environment names, with the packages it is to find first on its path.
"""

from __future__ import annotations

import json
import os
from typing import Any

import tote.games
from api.tasks import SWEEPS
from db.urls import DatabaseUrls
from tests.office import Office
from tests.reports.registers.reading import exported, table

NUMBERS = [{"code": code, "name": f"{code} голов"} for code in ("0", "1", "2", "3", "5")]
GAME = {"game": "toto_number", "outcomes": NUMBERS}
SOLD = (("0", "10.00"), ("2", "20.00"), ("1", "1.00"), ("5", "15.00"))


def played(office: Office) -> dict[str, Any]:
    """The day, in the order of what happened."""
    found: dict[str, Any] = {"packages": list(tote.games.__path__)}
    words = [{"code": code, "name": code} for code in ("мало", "много")]
    pool = office.pool(**GAME)
    body = {name: pool[name] for name in ("name", "game", "event_id", "opens_at", "closes_at", "minimum_stake")}
    wrong = {**body, "code": "P2", "maximum_stake": "5.00", "outcomes": words}
    found["wrong"] = office.organizer.post("/pools", wrong).json
    found["pool"] = pool
    tickets = [office.bet(office.cashier, number, stake).json for number, stake in SOLD]
    online = office.bet(office.player("ivan", "3.00"), "3", "3.00").json
    found["paper"] = office.cashier.post(f"/tickets/{tickets[1]['number']}/prints", {"format": "pdf"}).json["content"]
    found["board"] = office.organizer.get("/pools/P1/totals").json["outcomes"]
    found["settled"] = office.decide(pool, "2").json
    found["told"] = [office.organizer.get(f"/tickets/{each['number']}").json for each in (*tickets, online)]
    office.clock("2022-12-22T23:59:59+03:00")
    found["paid"] = office.pay(tickets[1]["code"]).json
    office.clock("2022-12-23T00:00:00+03:00")
    found["late"] = office.pay(tickets[2]["code"]).json
    SWEEPS["expire_wins"](office.house)
    found["jackpot"] = office.balance("jackpot", "numbers")
    found["revenue"] = office.balance("withdrawal_revenue")
    SWEEPS["seal"](office.house)
    found["register"] = table(exported(office, "ticket-register"))
    found["whose"] = table(exported(office, "expired-tickets"))
    case = {"calculator": "tote", "game": "toto_number", "currency": "BYN", "result": "2"}
    bets = [{"outcome": number, "stake": stake} for number, stake in (*SOLD, ("3", "3.00"))]
    found["calculated"] = office.organizer.post("/calculators/tote", {**case, "bets": bets}).json
    found["wrongs"] = [*office.wrongs(), *map(str, office.contract.breaches)]
    return found


def main() -> None:
    """Play it, and tell."""
    named = (os.environ[name] for name in ("DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_ADMIN_URL"))
    office = Office(DatabaseUrls(*named))
    try:
        print(json.dumps(played(office), ensure_ascii=False))
    finally:
        office.close()


if __name__ == "__main__":
    main()
