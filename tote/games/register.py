"""The games this totalizator runs: every module beside this one is a game, found by being there.

What games share lies in `tote.games.shared` and in `tote.rules`.
"""

from collections.abc import Iterable, Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType, ModuleType
from typing import Any, TypeAlias

import tote.games
from tote.games.game import Game
from tote.rules.refusal import RuleError

AnyGame: TypeAlias = Game[Any, Any]
"""A game whose outcomes and results only it itself looks into."""
NO_GAMES = {"game", "register"}
"""The modules of this package that are no games: what a game is, and this one."""
MEMBERS = tuple(name for name in vars(Game) if not name.startswith("_"))
"""What a game must have."""


def registered(*games: AnyGame) -> Mapping[str, AnyGame]:
    """The games by their codes. `ValueError` for a reused code: old pools would fall under another game's rules."""
    by_code = {game.code: game for game in games}
    if len(by_code) < len(games):
        raise ValueError(f"A game's code is used twice among {[game.code for game in games]}.")
    return MappingProxyType(by_code)


def families_of(games: Iterable[AnyGame]) -> Mapping[str, str]:
    """How the families of these games are called, by their codes. `ValueError` where two games call one otherwise."""
    titles: dict[str, str] = {}
    for game in games:
        if titles.setdefault(game.family, game.family_title) != game.family_title:
            raise ValueError(f"The family {game.family} has two names: {titles[game.family]}, {game.family_title}.")
    return MappingProxyType(titles)


def game_in(module: ModuleType) -> AnyGame:
    """The game of a module, its constant `GAME`. `ValueError` where it has none, or one that lacks something."""
    found = getattr(module, "GAME", None)
    if found is None:
        raise ValueError(f"{module.__name__} is no game: it has no GAME. What games share goes to tote.games.shared.")
    missing = [name for name in MEMBERS if not hasattr(found, name)]
    if missing:
        raise ValueError(f"{module.__name__} is no game: its GAME has no {', '.join(missing)}.")
    known: AnyGame = found
    return known


def _modules() -> list[ModuleType]:
    """The modules that are games, by their names."""
    found = iter_modules(tote.games.__path__)
    names = sorted(one.name for one in found if not one.ispkg and one.name not in NO_GAMES)
    return [import_module(f"tote.games.{name}") for name in names]


GAMES = registered(*map(game_in, _modules()))
"""The games of which pools are announced and calculated."""
FAMILIES = families_of(GAMES.values())
"""The families whose jackpots there are, and how they are called."""


def game(code: object) -> AnyGame:
    """The game of this code; `RuleError` `unknown_game` names the known ones."""
    known = GAMES.get(code) if isinstance(code, str) else None
    if known is None:
        raise RuleError("unknown_game", "game", f"Unknown game {code!r:.40}; known: {', '.join(GAMES)}.")
    return known
