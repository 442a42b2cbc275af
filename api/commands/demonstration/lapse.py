"""Three months later: what nobody fetched lapses to the jackpot, but for stakes given back (T-Rules 38.2, 40; D-21)."""

from __future__ import annotations

from api.commands.demonstration.cast import Cast
from api.commands.demonstration.decided import lapsed
from api.commands.demonstration.screen import Screen


def let_lapse(cast: Cast, screen: Screen) -> None:
    """Do what the task worker does every minute; if it came first, nothing is left to do."""
    cast.sweep_lapsed()
    screen.table(
        "Срок выплаты истёк 23.02.2023: невостребованные выигрыши зачислены в «Джек-пот»",
        ("билет", "<пул", "<исход", "ставка", "в джек-пот", "остаётся к возврату"),
        lapsed(cast),
    )
