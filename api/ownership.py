"""What is whose: a cashier sees the own desk, a player what is the player's own, the office everything.

Every route that names or lists what belongs to a desk or a player passes here. What is another's is refused in the
very words of what is not there, so that no number tells whether it exists.
"""

from __future__ import annotations

from dataclasses import dataclass

from flask import g
from sqlalchemy import select

from api.house import caller, session
from desk.models import Terminal
from ledger.refusals import Refusal
from office.callers import Role


@dataclass(frozen=True)
class Sight:
    """The one desk or the one player a caller sees; who is tied to neither sees them all."""

    desk_id: int | None = None
    player_id: int | None = None


def sight() -> Sight:
    """What the caller of this request sees; a cashier's desk is asked for once."""
    if "sight" not in g:
        g.sight = _sight()
    found: Sight = g.sight
    return found


def own_only(absent: Refusal, *, desk_id: int | None = None, player_id: int | None = None) -> None:
    """Refuse what belongs to another desk or player as what is not there."""
    mine = sight()
    if mine.desk_id not in (None, desk_id) or mine.player_id not in (None, player_id):
        raise absent


def own_desk(asked: int | None, absent: Refusal) -> int | None:
    """The desk whose rows a list may show: the one asked for, a cashier's own without asking, None for all."""
    if asked is not None:
        own_only(absent, desk_id=asked, player_id=sight().player_id)
        return asked
    return sight().desk_id


def own_player(asked: int | None, absent: Refusal) -> int | None:
    """The player whose rows a list may show: the one asked for, a player's self without asking, None for all."""
    if asked is not None:
        own_only(absent, desk_id=sight().desk_id, player_id=asked)
        return asked
    return sight().player_id


def _sight() -> Sight:
    me = caller()
    if me.role is Role.CASHIER:
        return Sight(desk_id=session().scalars(select(Terminal.desk_id).where(Terminal.id == me.terminal_id)).one())
    if me.role is Role.PLAYER:
        assert me.player_id is not None, "a player's token names the player"
        return Sight(player_id=me.player_id)
    return Sight()
