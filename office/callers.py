"""Who makes a request: the roles there are, and the caller a bearer token stands for (DESIGN 4)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """Who may do what; every route names the roles that may call it, and nobody else may."""

    ADMINISTRATOR = "administrator"
    ORGANIZER = "organizer"
    TRADER = "trader"
    SUPERVISOR = "supervisor"
    CASHIER = "cashier"
    PLAYER = "player"
    ACCOUNTANT = "accountant"
    AUDITOR = "auditor"


@dataclass(frozen=True)
class Caller:
    """Whoever makes a request: the role, the login's id or the player's, a cashier's terminal, and the session.

    ``restricted`` is who signed in with a one-time password: until it is changed, nothing else may be done.
    """

    role: Role
    user_id: int | None = None
    player_id: int | None = None
    terminal_id: int | None = None
    token_id: int | None = None
    restricted: bool = False

    @property
    def key_scope(self) -> str:
        """What an idempotency key is unique within: a new login of the same cashier must not double a bet.

        A cashier's keys are the terminal's, whoever works there; anybody else's are the person's, wherever signed in.
        """
        if self.player_id is not None:
            return f"player:{self.player_id}"
        return f"terminal:{self.terminal_id}" if self.role is Role.CASHIER else f"user:{self.user_id}"
