"""What becomes of settled pools when the protocol they were settled by is corrected (D-14, FIELD-FAULTS 005).

The correction begins a run of the next version for each of them; :mod:`tote.settling` drives it as it drives the first,
from wherever it stopped. From its start until its completion the pool pays nobody.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from db.clock import trade_time
from events.models import Protocol, Result
from events.protocols import Trade
from ledger.holds import shut_payouts
from ledger.refusals import Refusal
from ledger.settlements import Cause, SettlementCompletion, SettlementRun
from tote.division import true_outcomes
from tote.models import Pool
from tote.pools import TRADE
from tote.settlement import run_of

COMPLETE = select(SettlementCompletion.id).where(SettlementCompletion.run_id == SettlementRun.id).exists()


def refuse_while_settling(session: Session, result: Result) -> None:
    """Object to correcting a protocol by which a pool is just being settled, or by a result that decides none of it.

    Raises:
        Refusal: ``settlement_under_way`` with the codes of the pools, which the next sweep settles to the end;
            ``result_names_no_outcome``, a pool settled before has none of the outcomes the new result names.
    """
    under_way = session.scalars(_runs(result.event_id).where(~COMPLETE).order_by(Pool.code)).all()
    if under_way:
        codes = [pool.code for pool in under_way]
        said = f"Ещё рассчитываются пулы: {', '.join(codes)}. Дождитесь окончания расчёта и повторите."
        raise Refusal("settlement_under_way", said, pools=codes)
    for pool in settled_pools(session, result.event_id):
        true_outcomes(session, pool, result)


def halt(session: Session, event_id: int) -> None:
    """Wait for the payouts and creditings under way in the pools of an event, and stop those behind them.

    One whose run is only being completed is among them: it may be complete when it is asked about.
    """
    for pool in session.scalars(_runs(event_id).order_by(Pool.id)).all():
        shut_payouts(session, TRADE, pool.id)


def settle_again(session: Session, protocol: Protocol) -> None:
    """Begin the next version of every settled pool's settlement, by a protocol that corrects another one.

    The terms of payment are counted from now (D-14).
    """
    at = trade_time(session)
    for pool in settled_pools(session, protocol.event_id):
        former = run_of(session, pool)
        assert former is not None, "a settled pool has a run"
        session.add(
            SettlementRun(
                trade=TRADE,
                subject_id=pool.id,
                version=former.version + 1,
                cause=Cause.PROTOCOL,
                protocol_id=protocol.id,
                payable_account_id=pool.wins_account_id,
                started_at=at,
            )
        )
    session.flush()


def settled_pools(session: Session, event_id: int) -> Sequence[Pool]:
    """The pools of an event that were settled by a protocol, in the order of their announcement."""
    return session.scalars(_runs(event_id).where(COMPLETE).order_by(Pool.id)).all()


def _runs(event_id: int) -> Select[Pool]:
    settled = (SettlementRun.trade == TRADE) & (SettlementRun.subject_id == Pool.id)
    return select(Pool).join(SettlementRun, settled).where(Pool.event_id == event_id).distinct()


TOTE = Trade(object_to=refuse_while_settling, halt=halt, settle_again=settle_again)
"""The totalizator, as a room of events asks it."""
