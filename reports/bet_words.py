"""How bets on positions are told in short: by how many there are."""

from __future__ import annotations

from ledger.amount_in_words import counted

POSITIONS = ("позиция", "позиции", "позиций")
BETS = ("ставка", "ставки", "ставок")


def positions_and_bets(positions: int, bets: int) -> str:
    """What a ticket in a pool of positions is made on: 13 позиций, 1594323 ставки."""
    return f"{positions} {counted(positions, POSITIONS)}, {bets} {counted(bets, BETS)}"
