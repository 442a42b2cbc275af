"""The whole settlement of a pool, transaction by transaction: it may be stopped anywhere and begun again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sqlalchemy import select
from sqlalchemy.orm import Session, aliased

from db.session import Sessions, transaction
from ledger.holds import RELEASED, PayoutHold
from ledger.refusals import Refusal
from ledger.settlements import SettlementCompletion, SettlementCrediting, SettlementRun
from office.operator import Operator
from tote.crediting import credit_chunk, finish, is_credited
from tote.division import divided
from tote.late_crediting import credit_released
from tote.models import Pool
from tote.pools import TRADE, pool_by_code
from tote.recovery import recover_chunk
from tote.settlement import complete, start, write_chunk

CHUNK = 10_000
"""Tickets a transaction: some tenths of a second, so that a seal never waits long for it."""


def settle_pool(sessions: Sessions, operator: Operator, code: str, chunk: int = CHUNK) -> SettlementCompletion:
    """Settle the pool with this code to the end, from wherever an earlier attempt stopped.

    Where a protocol was corrected, this is the settlement by the new one (D-14). While the pool's payouts are held, it
    is settled but for the crediting; that follows when they are released.

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
    """The codes of pools whose last run is not complete, or not credited to the last ticket nor held from being so."""
    complete = select(SettlementCompletion.id).where(SettlementCompletion.run_id == SettlementRun.id).exists()
    credited = select(SettlementCrediting.id).where(SettlementCrediting.run_id == SettlementRun.id).exists()
    later = aliased(SettlementRun)
    superseded = (
        select(later.id)
        .where(later.trade == TRADE, later.subject_id == Pool.id, later.version > SettlementRun.version)
        .exists()
    )
    held = select(PayoutHold.id).where(PayoutHold.trade == TRADE, PayoutHold.subject_id == Pool.id, ~RELEASED).exists()
    begun = (
        select(Pool.code)
        .join(SettlementRun, SettlementRun.subject_id == Pool.id)
        .where(SettlementRun.trade == TRADE, ~superseded, ~complete | (~credited & ~held))
        .order_by(SettlementRun.id)
    )
    return list(session.scalars(begun))


def _credit(sessions: Sessions, operator: Operator, run: SettlementRun, chunk: int) -> None:
    """Credit what is due first, so that as much as can be is taken back of what was too much, and less is claimed."""
    with transaction(sessions) as session:
        if is_credited(session, run.id):
            return
    try:
        _through(sessions, partial(credit_chunk, operator=operator, run=run, size=chunk))
        if run.version > 1:
            _through(sessions, partial(recover_chunk, operator=operator, run=run, size=chunk))
    except Refusal as refusal:
        if refusal.code not in ("payout_held", "settlement_under_way"):
            raise
        return  # the sweep goes on from here when they are released, or with the run that takes this one's place
    with transaction(sessions) as session:
        finish(session, run)


def _through(sessions: Sessions, chunk: Callable[..., int | None]) -> None:
    """Take a step chunk after chunk, each in a transaction of its own, to the last ticket."""
    after: int | None = 0
    while after is not None:
        with transaction(sessions) as session:
            after = chunk(session, after=after)
