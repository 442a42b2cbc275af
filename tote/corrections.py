"""Until when a protocol may be corrected: while no pool of its event has begun to settle by it.

D-14 as far as built: it wants a settlement by the wrong protocol reversed and made again, and until that is built, what
is settled stays (docs/decisions/0021).
"""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from ledger.refusals import Refusal
from ledger.settlements import SettlementRun
from tote.models import Pool
from tote.pools import TRADE


def refuse_if_settling(session: Session, event_id: int) -> None:
    """Object to correcting a protocol that a pool's settlement goes by.

    Whoever confirms the correction has kept settlers from beginning (:func:`events.protocols.hold_protocol`).

    Raises:
        Refusal: ``settlement_begun``, with the codes of the pools.
    """
    begun = session.scalars(
        select(Pool.code)
        .join(SettlementRun, SettlementRun.subject_id == Pool.id)
        .where(SettlementRun.trade == TRADE, Pool.event_id == event_id)
        .order_by(Pool.code)
        .distinct()
    ).all()
    if begun:
        said = f"По протоколу уже рассчитываются пулы: {', '.join(begun)}. Протокол не исправляется."
        raise Refusal("settlement_begun", said, pools=list(begun))
