"""The whole settlement of a pool, transaction by transaction: it may be stopped anywhere and begun again."""

from __future__ import annotations

from db.session import Sessions, transaction
from ledger.settlements import SettlementCompletion, SettlementRun
from office.operator import Operator
from tote.crediting import credit_chunk, finish, is_credited
from tote.pools import pool_by_code
from tote.settlement import complete, divided, start, write_chunk

CHUNK = 10_000
"""Tickets a transaction: some tenths of a second, so that a seal never waits long for it."""


def settle_pool(sessions: Sessions, operator: Operator, code: str, chunk: int = CHUNK) -> SettlementCompletion:
    """Settle the pool with this code to the end, from wherever an earlier attempt stopped.

    Raises:
        Refusal: ``unknown_pool`` and those of :func:`tote.settlement.start`.
    """
    with transaction(sessions) as session:
        pool = pool_by_code(session, code)
        run = start(session, pool)
    with transaction(sessions) as session:
        settling = divided(session, pool, run)
    deciding = True
    while deciding:
        with transaction(sessions) as session:
            deciding = write_chunk(session, operator, settling, chunk) > 0
    with transaction(sessions) as session:
        completion = complete(session, operator, settling)
    _credit(sessions, operator, run, chunk)
    return completion


def _credit(sessions: Sessions, operator: Operator, run: SettlementRun, chunk: int) -> None:
    with transaction(sessions) as session:
        if is_credited(session, run.id):
            return
    after: int | None = 0
    while after is not None:
        with transaction(sessions) as session:
            after = credit_chunk(session, operator, run, after, chunk)
    with transaction(sessions) as session:
        finish(session, run)
