"""Who may throw which switch, and let sales go on again: whoever answers for what is stopped."""

from __future__ import annotations

from ledger.refusals import Refusal
from office.callers import Caller, Role
from office.stops.models import Scope

MAY_STOP: dict[Role, frozenset[Scope]] = {
    Role.ORGANIZER: frozenset(Scope),
    Role.ADMINISTRATOR: frozenset({Scope.EVERYWHERE, Scope.DESK, Scope.TERMINAL}),
    Role.TRADER: frozenset({Scope.EVENT, Scope.POOL, Scope.MARKET, Scope.OUTCOME}),
    Role.SUPERVISOR: frozenset({Scope.DESK, Scope.TERMINAL}),
}
"""The organizer answers for everything, the administrator for the machines, a trader for what is offered, a supervisor
for what happens at the desks."""


def refuse_foreign_switch(by: Caller, scope: str) -> None:
    """Let nobody stop or resume what is not theirs to answer for.

    Raises:
        Refusal: ``forbidden``.
    """
    if Scope(scope) not in MAY_STOP.get(by.role, frozenset()):
        raise Refusal("forbidden", "Останавливать и возобновлять такие продажи ваша роль не может.", scope=scope)
