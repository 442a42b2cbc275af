"""The games this totalizator runs. A new game is its file and one name here."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from tote.games.game import Game
from tote.games.sportloto_position import SPORTLOTO_POSITION
from tote.games.sportloto_variant import SPORTLOTO_VARIANT
from tote.games.totolot_position import TOTOLOT_POSITION
from tote.games.totolot_variant import TOTOLOT_VARIANT
from tote.rules.refusal import RuleError

AnyGame: TypeAlias = Game[Any, Any]
"""A game whose outcomes and results only it itself looks into."""


def registered(*games: AnyGame) -> Mapping[str, AnyGame]:
    """The games by their codes. `ValueError` for a reused code: old pools would fall under another game's rules."""
    by_code = {game.code: game for game in games}
    if len(by_code) < len(games):
        raise ValueError(f"A game's code is used twice among {[game.code for game in games]}.")
    return MappingProxyType(by_code)


GAMES = registered(TOTOLOT_VARIANT, SPORTLOTO_VARIANT, TOTOLOT_POSITION, SPORTLOTO_POSITION)
"""The games of which pools are announced and calculated."""


def game(code: object) -> AnyGame:
    """The game of this code; `RuleError` `unknown_game` names the known ones."""
    known = GAMES.get(code) if isinstance(code, str) else None
    if known is None:
        raise RuleError("unknown_game", "game", f"Unknown game {code!r:.40}; known: {', '.join(GAMES)}.")
    return known
