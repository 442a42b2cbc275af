"""Every game that is sold has a name for whoever reads of it, and the registers tell no other."""

from __future__ import annotations

from reports.game_words import GAMES as WORDS
from tote.games.register import GAMES


def test_every_game_has_its_name() -> None:
    assert set(WORDS) == set(GAMES)
    assert len(set(WORDS.values())) == len(WORDS)
