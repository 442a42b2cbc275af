"""Whether there is what somebody wants to stop: a mistyped code would leave sales running."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Select, false, select
from sqlalchemy.orm import Session

from desk.models import Desk, Terminal
from events.models import Event
from ledger.refusals import Refusal
from office.stops.models import Scope
from tote.games.register import GAMES
from tote.models import Pool, PoolOutcome

OUTCOME_OF_POOL = "pool:"
NAMED: dict[Scope, Callable[[str], Select[int]]] = {
    Scope.SPORT: lambda sport: select(Event.id).where(Event.sport == sport).limit(1),
    Scope.EVENT: lambda code: select(Event.id).where(Event.code == code),
    Scope.POOL: lambda code: select(Pool.id).where(Pool.code == code),
    Scope.OUTCOME: lambda subject: _outcome(subject),
    Scope.DESK: lambda code: select(Desk.id).where(Desk.code == code),
    Scope.TERMINAL: lambda code: select(Terminal.id).where(Terminal.code == code),
}
"""How each subject is looked up. The bookmaker's markets have no register yet, so that none is found."""


def checked_subject(session: Session, scope: Scope, subject: str) -> str:
    """The subject of a stop, once it is sure that it exists.

    Raises:
        Refusal: ``not_found``; ``bad_request``, everywhere has no subject and everything else has one.
    """
    if (scope is Scope.EVERYWHERE) != (subject == ""):
        raise Refusal("bad_request", "Укажите subject, а для everywhere не указывайте его.", field="subject")
    if not _exists(session, scope, subject):
        raise Refusal("not_found", "Того, что нужно остановить, нет: проверьте код.", field="subject")
    return subject


def _exists(session: Session, scope: Scope, subject: str) -> bool:
    if scope is Scope.EVERYWHERE:
        return True
    if scope is Scope.GAME:
        return subject in GAMES
    return scope in NAMED and session.scalar(NAMED[scope](subject)) is not None


def _outcome(subject: str) -> Select[int]:
    pool, _, outcome = subject.removeprefix(OUTCOME_OF_POOL).partition("/")
    of_pool = select(PoolOutcome.id).join(Pool, Pool.id == PoolOutcome.pool_id)
    named = of_pool.where(Pool.code == pool, PoolOutcome.code == outcome)
    return named if subject.startswith(OUTCOME_OF_POOL) else named.where(false())
