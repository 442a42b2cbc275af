"""The folder's routes under one name."""

from __future__ import annotations

from api.house import caller
from api.requests import Blueprint
from office.callers import Role

players = Blueprint("players", __name__, url_prefix="/api/v1", description="Игроки и игровые счета")
OFFICE = (Role.SUPERVISOR, Role.ACCOUNTANT, Role.AUDITOR)
"""Who sees every registration, and nobody's name in clear (D-16)."""


def own_id() -> int:
    """The calling player's number."""
    player_id = caller().player_id
    assert player_id is not None, "a player's token names the player"
    return player_id
