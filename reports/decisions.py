"""All that was ever decided on a ticket: every version, what it went by and how it ended (D-14, DESIGN 3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ScalarSelect, Select, cast, func, select
from sqlalchemy.orm import Session, aliased

from events.models import Protocol
from ledger.journal import Transfer
from ledger.refusals import Refusal
from ledger.settlements import Ending, Settlement, SettlementCompletion, SettlementRun
from ledger.terms import DEADLINE
from ledger.tickets import Ticket
from tote.recovery import CLAIMED, OVERPAID, TAKEN_BACK

UNDOING = aliased(Transfer)


@dataclass(frozen=True)
class TicketDecision:
    """A version of the decision on a ticket, money in minor units.

    ``run`` is the version of the settlement that made it and ``protocol`` the number of the protocol it went by; a
    cancellation by the organizer went by none. ``amount`` is what its ending moved. The last three say what became of
    money that earlier versions had paid too much; what a later version undid is not told.
    """

    version: int
    run: int
    cause: str
    protocol: int | None
    decided_at: datetime
    decision: str
    win: int
    stake_back: int
    received: int
    payable_from: datetime | None
    payable_until: datetime | None
    end: str | None
    amount: int | None
    ended_at: datetime | None
    taken_back: int
    claimed: int
    overpaid: int

    @property
    def due(self) -> int:
        """What this version had still to pay or credit."""
        return max(self.win + self.stake_back - self.received, 0)


def decisions_on(session: Session, number: int) -> Sequence[TicketDecision]:
    """The decisions on the ticket with this running number that are, or once were, valid; the first one first.

    Raises:
        Refusal: ``not_found``.
    """
    if session.get(Ticket, number) is None:
        raise Refusal("not_found", "Билета с таким номером нет.")
    versions: Select[*tuple[Any, ...]] = (
        select(
            Settlement.version,
            SettlementRun.version,
            SettlementRun.cause,
            Protocol.number,
            SettlementRun.started_at,
            Settlement.decision,
            Settlement.win,
            Settlement.stake_back,
            Settlement.received,
            Settlement.payable_from,
            DEADLINE,
            Ending.end,
            Ending.amount,
            Ending.ended_at,
            _moved(TAKEN_BACK),
            _moved(CLAIMED),
            _moved(OVERPAID),
        )
        .join(SettlementRun, SettlementRun.id == Settlement.run_id)
        .join(SettlementCompletion, SettlementCompletion.run_id == SettlementRun.id)
        .outerjoin(Protocol, Protocol.id == SettlementRun.protocol_id)
        .outerjoin(Ending, Ending.settlement_id == Settlement.id)
        .where(Settlement.ticket_id == number)
        .order_by(Settlement.version)
    )
    return [TicketDecision(*row) for row in session.execute(versions)]


def _moved(kind: str) -> ScalarSelect[int]:
    """What a version moved by transfers of a kind that stand."""
    undone = select(UNDOING.id).where(UNDOING.reverses_id == Transfer.id).exists()
    moved = select(cast(func.coalesce(func.sum(Transfer.amount), 0), BigInteger)).where(
        Transfer.settlement_id == Settlement.id, Transfer.kind == kind, ~undone
    )
    return moved.scalar_subquery()
