"""A bet the organizer cancels, and what is seen of it and its money afterwards."""

from __future__ import annotations

from typing import Any

from werkzeug.test import TestResponse

from tests.approvals.people import decided
from tests.office import Member, Office

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


def cancelled_by_two(office: Office, number: int) -> dict[str, Any]:
    """Cancelled after its money was received, which takes a second person's word."""
    return cancelled(office, number, approval=approved(office, number))


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
