"""How tickets stand at a cut, told by their facts alone: the projection says only how they stand now.

A seal may be taken while a bet or a payout is being written, and then holds some of its rows and not the others. So one
row decides whether an act belongs to the cut: its transfer, and for a decision the completion of its run. What they
name was written with them or before them, and is read as it is. Thus every total is the ledger's at the same seal.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, Subquery, case, func, or_, select, true

from db.instants import Instant
from desk.models import Desk, Payout, Shift
from desk.payouts import PAYOUT
from events.models import Event
from ledger.journal import Transfer
from ledger.settlements import End, Ending, Settlement, SettlementCompletion, SettlementRun
from ledger.terms import PaymentTerm
from ledger.tickets import Status, Ticket
from reports.registers.cut import Cut, known
from tote.crediting import CREDIT
from tote.expiry import WIN_EXPIRED
from tote.models import Pool, PoolBet
from tote.recovery import TAKEN_BACK
from tote.sales import STAKE

ENDED = (PAYOUT, CREDIT, WIN_EXPIRED)
"""The transfers by which a decision ends."""
FETCHED = (End.PAID, End.CREDITED)
STATUS_WORDS = {
    Status.ACCEPTED.value: "принят",
    Status.WON.value: "выиграл",
    Status.LOST.value: "проиграл",
    Status.RETURNED.value: "ставка возвращается",
    Status.CANCELLED.value: "отменён организатором",
    Status.PAID.value: "выплачен",
    Status.CREDITED.value: "зачислен на игровой счёт",
    Status.EXPIRED.value: "срок выплаты истёк",
}
"""What people read for a status; the words are kept apart (INDUSTRY)."""
DECISION_WORDS = {word: STATUS_WORDS[word] for word in ("won", "lost", "cancelled")} | {"returned": "ставка возвращена"}


def decisions(cut: Cut) -> Subquery:
    """The valid decision on each ticket that has one: the version whose run is complete, and no later one's is.

    With what a report says of it: the run's version, cause and protocol, and the completion from which on it is valid.
    """
    # Versions have bounds of their own: one may be written by a run that was complete long before (D-21).
    decided, later, run = cut.of(Settlement), cut.of(Settlement), known(SettlementRun)
    complete, ready = cut.of(SettlementCompletion), cut.of(SettlementCompletion)
    replaced = (
        select(later.id)
        .join(ready, ready.run_id == later.run_id)
        .where(later.reverses_id == decided.id)
        .correlate(decided)
        .exists()
    )
    return (
        select(
            *(getattr(decided, column.key) for column in Settlement.__table__.columns if column.key != "recorded_at"),
            run.cause,
            run.protocol_id,
            run.version.label("run_version"),
            complete.id.label("completion_id"),
            complete.completed_at,
            _deadline(cut, decided).label("deadline"),
        )
        .join(complete, complete.run_id == decided.run_id)
        .join(run, run.id == decided.run_id)
        .where(~replaced)
        .subquery()
    )


def _deadline(cut: Cut, decided: Any) -> ColumnElement[datetime | None]:
    """When what a decision owes lapses, as holds known to the cut have prolonged it (`ledger.terms`)."""
    term = cut.of(PaymentTerm)
    prolonged = (
        select(func.max(term.payable_until, type_=Instant))
        .where(term.run_id == decided.run_id, or_(term.ticket_id.is_(None), term.ticket_id == decided.ticket_id))
        .correlate(decided)
        .scalar_subquery()
    )
    ends = func.greatest(decided.payable_until, prolonged, type_=Instant)
    return case((decided.payable_until.is_not(None), ends))


@dataclass(frozen=True)
class Standing:
    """The tickets of a cut with all that a report of tickets says: bet, pool, event, desk, decision and its ending."""

    cut: Cut
    paid: Any
    ticket: Any
    bet: Any
    pool: Any
    event: Any
    desk: Any
    decided: Subquery
    ended: Any

    def joined(self, *columns: ColumnElement[Any], whole: bool = True) -> Select[*tuple[Any, ...]]:
        """These columns of every ticket; ``whole`` gives the tickets without a decision as well."""
        decided = self.decided.c
        joined = self.placed(*columns).join(self.decided, decided.ticket_id == self.ticket.id, isouter=whole)
        return joined.outerjoin(self.ended, (self.ended.settlement_id == decided.id) & ended_by(self.cut, self.ended))

    def placed(self, *columns: ColumnElement[Any]) -> Select[*tuple[Any, ...]]:
        """These columns of every ticket with its bet, whatever was decided on it."""
        shift = known(Shift)
        return (
            select(*columns)
            .select_from(self.ticket)
            .join(self.paid, (self.paid.ticket_id == self.ticket.id) & (self.paid.kind == STAKE))
            .join(self.bet, self.bet.ticket_id == self.ticket.id)
            .join(self.pool, self.pool.id == self.bet.pool_id)
            .join(self.event, self.event.id == self.pool.event_id)
            .outerjoin(shift, shift.id == self.ticket.shift_id)
            .outerjoin(self.desk, self.desk.id == shift.desk_id)
        )

    @property
    def status(self) -> ColumnElement[str]:
        """The status a ticket has by its facts (INDUSTRY: words kept apart)."""
        return func.coalesce(self.ended.end, self.decided.c.decision, Status.ACCEPTED.value)

    @property
    def owed(self) -> ColumnElement[int]:
        """What the decision still owes: beyond what was received, and nothing once it has ended."""
        decided = self.decided.c
        due = func.greatest(decided.win + decided.stake_back - decided.received, 0)
        return case((self.ended.id.is_(None), func.coalesce(due, 0)), else_=0)

    @property
    def fetched(self) -> ColumnElement[int]:
        """What was paid and credited for the ticket by all its versions, less what was taken back (D-14)."""
        decided = self.decided.c
        back = self.cut.of(Transfer)
        taken = (
            select(func.coalesce(func.sum(back.amount), 0))
            .where(back.settlement_id == decided.id, back.kind == TAKEN_BACK)
            .correlate(self.decided)
            .scalar_subquery()
        )
        # Only where earlier versions gave too much can anything have been taken back.
        over = case((decided.received > decided.win + decided.stake_back, taken), else_=0)
        now = case((self.ended.end.in_(FETCHED), self.ended.amount), else_=0)
        return func.coalesce(decided.received, 0) + now - over

    @property
    def provisional(self) -> ColumnElement[bool]:
        """Whether anything the report says of the ticket is held by no seal yet."""
        decided = self.decided.c
        return self.cut.provisional(
            (Transfer, self.paid.id),
            (Settlement, decided.id),
            (SettlementCompletion, decided.completion_id),
            (Ending, self.ended.id),
        )

    def last_fetching(self) -> Any:
        """When and where the ticket's money was fetched last: ``end``, ``ended_at``, ``desk``."""
        version, ended, line, shift, desk = (known(fact) for fact in (Settlement, Ending, Payout, Shift, Desk))
        return (
            select(ended.end, ended.ended_at, desk.code.label("desk"))
            .select_from(version)
            .join(ended, ended.settlement_id == version.id)
            .outerjoin(line, line.settlement_id == version.id)
            .outerjoin(shift, shift.id == line.shift_id)
            .outerjoin(desk, desk.id == shift.desk_id)
            .where(version.ticket_id == self.ticket.id, ended.end.in_(FETCHED), ended.amount > 0)
            .where(ended_by(self.cut, ended))
            .order_by(version.version.desc())
            .limit(1)
            .correlate(self.ticket)
            .lateral("fetched")
        )


def standing(cut: Cut) -> Standing:
    """The tickets of a cut as their facts tell them."""
    ticket, bet, pool, event, desk = (known(fact) for fact in (Ticket, PoolBet, Pool, Event, Desk))
    return Standing(cut, cut.of(Transfer), ticket, bet, pool, event, desk, decisions(cut), known(Ending))


def ended_by(cut: Cut, ended: Any) -> ColumnElement[bool]:
    """Whether an ending belongs to the cut: the transfer of its money does, or it moved none and does itself."""
    if not cut.sealed:
        return true()
    moved = cut.of(Transfer)
    money = select(moved.id).where(moved.settlement_id == ended.settlement_id, moved.kind.in_(ENDED)).correlate(ended)
    return case((ended.amount == 0, ended.id < cut.bound(Ending)), else_=money.exists())


LATERAL = true()
"""What a part that already names its row is joined on."""
