"""The whole settlement of a pool, transaction by transaction: it may be stopped anywhere and begun again."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from db.session import Sessions, transaction
from ledger.holds import RELEASED, PayoutHold
from ledger.refusals import Refusal
from ledger.settlements import SettlementCompletion, SettlementCrediting, SettlementRun
from office.operator import Operator
from tote.crediting import credit_chunk, finish, is_credited
from tote.late_crediting import credit_released
from tote.models import Pool
from tote.pools import TRADE, pool_by_code
from tote.settlement import complete, divided, start, write_chunk

CHUNK = 10_000
"""Tickets a transaction: some tenths of a second, so that a seal never waits long for it."""


def settle_pool(sessions: Sessions, operator: Operator, code: str, chunk: int = CHUNK) -> SettlementCompletion:
    """Settle the pool with this code to the end, from wherever an earlier attempt stopped.

    While the pool's payouts are held, it is settled but for the crediting; that follows when they are released.

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


def resume_settlements(sessions: Sessions, operator: Operator) -> list[str]:
    """Bring every settlement that somebody began and nobody finished to its end; the codes of those pools.

    The sweep goes by state: a run counts as unfinished until it is credited to the last ticket. Tickets that were held
    by themselves are credited behind their runs.
    """
    with transaction(sessions) as session:
        codes = unfinished(session)
    for code in codes:
        settle_pool(sessions, operator, code)
    credit_released(sessions, operator)
    return codes


def unfinished(session: Session) -> list[str]:
    """The codes of pools whose settlement was begun and is not credited to the last ticket, nor held from being so."""
    credited = select(SettlementCrediting.id).where(SettlementCrediting.run_id == SettlementRun.id).exists()
    held = select(PayoutHold.id).where(PayoutHold.trade == TRADE, PayoutHold.subject_id == Pool.id, ~RELEASED).exists()
    begun = (
        select(Pool.code)
        .join(SettlementRun, SettlementRun.subject_id == Pool.id)
        .where(SettlementRun.trade == TRADE, ~credited, ~held)
        .order_by(SettlementRun.id)
    )
    return list(session.scalars(begun))


def _credit(sessions: Sessions, operator: Operator, run: SettlementRun, chunk: int) -> None:
    with transaction(sessions) as session:
        if is_credited(session, run.id):
            return
    after: int | None = 0
    while after is not None:
        try:
            with transaction(sessions) as session:
                after = credit_chunk(session, operator, run, after, chunk)
        except Refusal as refusal:
            if refusal.code != "payout_held":
                raise
            return  # the sweep goes on from here when they are released
    with transaction(sessions) as session:
        finish(session, run)
