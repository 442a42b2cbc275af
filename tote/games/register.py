"""The games this totalizator runs. A new game is its file and one name here."""

from collections.abc import Mapping
from types import MappingProxyType

from tote.games.game import Game
from tote.games.totolot_variant import TOTOLOT_VARIANT
from tote.rules.refusal import RuleError


def registered(*games: Game) -> Mapping[str, Game]:
    """The games by their codes. `ValueError` for a reused code: old pools would fall under another game's rules."""
    by_code = {game.code: game for game in games}
    if len(by_code) < len(games):
        raise ValueError(f"A game's code is used twice among {[game.code for game in games]}.")
    return MappingProxyType(by_code)


GAMES = registered(TOTOLOT_VARIANT)


def game(code: object) -> Game:
    """The game of this code; `RuleError` `unknown_game` names the known ones."""
    known = GAMES.get(code) if isinstance(code, str) else None
    if known is None:
        raise RuleError("unknown_game", "game", f"Unknown game {code!r:.40}; known: {', '.join(GAMES)}.")
    return known
