"""How single tickets were decided, version by version, and how each version ended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from api.commands.demonstration.bets import TOLD_TO_THE_END, Bet
from api.commands.demonstration.cast import Cast
from api.commands.demonstration.sales import number_of
from api.commands.demonstration.screen import Screen

HEADINGS = ("билет", "<пул", "<кто", "<исход", "ставка", "<решение", "к выплате", "получено", "<чем кончилось", "сумма")
DECISIONS = {"won": "выигрыш", "lost": "проигрыш", "returned": "возврат", "cancelled": "отмена"}
ENDS = {"paid": "выплачено", "credited": "зачислено", "expired": "истекло, в джек-пот", "reversed": "отменено"}
OVER = {"taken_back": "снято со счёта", "claimed": "долг игрока", "overpaid": "несёт организатор"}


def tell_decisions(cast: Cast, screen: Screen, pool: str | None = None) -> None:
    """The tickets whose fate took a turn, of all pools or of one: cancelled, returned, corrected, lapsed."""
    rows = [
        (number, bet.pool, bet.player or "наличные", bet.outcome, bet.stake, *_told(decision))
        for bet, number, decisions in _decided(cast)
        if pool in (None, bet.pool)
        for decision in decisions
    ]
    screen.table("Решения по билетам: каждая строка — решение, исправленное следующим", HEADINGS, rows)


def lapsed(cast: Cast) -> list[tuple[object, ...]]:
    """The tickets whose win lapsed: what went to the jackpot, and the stake that is owed on."""
    return [
        (number, bet.pool, bet.outcome, bet.stake, decision["amount"], decisions[-1]["stake_back"])
        for bet, number, decisions in _decided(cast)
        for decision in decisions
        if decision["end"] == "expired"
    ]


def _decided(cast: Cast) -> Iterator[tuple[Bet, int, list[dict[str, Any]]]]:
    for bet in TOLD_TO_THE_END:
        number = number_of(cast, bet)
        yield bet, number, cast.accountant.get(f"/tickets/{number}/decisions")["items"]


def _told(decision: dict[str, Any]) -> tuple[object, ...]:
    """A decision, what earlier ones had paid, and how it ended or what became of what was too much."""
    word = DECISIONS[decision["decision"]]
    for field, said in OVER.items():
        if decision[field] != "0.00":
            return word, decision["due"], decision["received"], said, decision[field]
    return word, decision["due"], decision["received"], ENDS.get(decision["end"]), decision["amount"]
