"""Selling: bets in cash and from game accounts, one request sent twice, two refused."""

from __future__ import annotations

from typing import Any

from api.commands.demonstration.bets import BETS, REFUSED, SENT_TWICE, Bet
from api.commands.demonstration.cast import Cast
from api.commands.demonstration.screen import Screen


def sell(cast: Cast, screen: Screen) -> None:
    """Bets in cash and from game accounts, one sent twice, two refused."""
    tickets = {bet.name: ticket_of(cast, bet) for bet in BETS}
    screen.table(
        "Принятые ставки",
        ("билет", "<код", "<кто", "<пул", "<исход", "ставка"),
        [
            (ticket["number"], ticket["code_masked"], bet.player or "наличные", bet.pool, bet.outcome, bet.stake)
            for bet, ticket in ((bet, tickets[bet.name]) for bet in BETS)
        ],
    )
    again = ticket_of(cast, SENT_TWICE)
    assert again["number"] == tickets[SENT_TWICE.name]["number"], "a key makes one ticket"
    screen.line(f"Запрос с тем же ключом повторён: тот же билет № {again['number']}, деньги взяты один раз.")
    for bet in REFUSED:
        refused = cast.bettor(bet).refusal_of("/pool-bets", _order(bet), bet.key)
        screen.line(f"Отказ ({bet.player or 'наличные'}, ставка {bet.stake}): {refused.detail} [{refused.code}]")


def ticket_of(cast: Cast, bet: Bet) -> dict[str, Any]:
    """The ticket of a bet, made now or when its key was first sent; only here the payable code is told."""
    return cast.bettor(bet).post("/pool-bets", _order(bet), bet.key)


def number_of(cast: Cast, bet: Bet) -> int:
    """The number of a bet's ticket; nothing is sold by asking, and nobody has to sign in."""
    return cast.records.ticket_number(bet.key)


def _order(bet: Bet) -> dict[str, str]:
    return {"pool": bet.pool, "outcome": bet.outcome, "stake": bet.stake}
