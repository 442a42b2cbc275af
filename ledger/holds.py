"""Holding the payouts of a pool or event while its result is in doubt: cash and crediting wait alike (D-23)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, ForeignKey, Function, Index, func, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from db.base import Fact
from db.clock import trade_time
from ledger.refusals import Refusal
from ledger.settlements import SettlementCompletion, SettlementRun

OF_A_TICKET = "_ticket"


class HoldCause(StrEnum):
    """Why payouts are held: somebody's decision, or a claim or dispute that is to be decided first."""

    DECISION = "decision"
    CLAIM = "claim"
    DISPUTE = "dispute"


class PayoutHold(Fact):
    """From ``held_at`` on nothing is paid or credited for a pool, event or ticket, named as a settlement run names it.

    By decision it is held once at a time; each claim and each dispute holds by itself.
    """

    __tablename__ = "payout_holds"
    __table_args__ = (
        Index("ix_payout_holds_trade_subject_id", "trade", "subject_id"),
        CheckConstraint("cause IN ('decision', 'claim', 'dispute')", name="cause_known"),
    )

    trade: Mapped[str]
    subject_id: Mapped[int]
    reason: Mapped[str]
    held_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    held_at: Mapped[datetime]
    cause: Mapped[str] = mapped_column(default=HoldCause.DECISION)


class PayoutRelease(Fact):
    """The end of a hold; one a hold."""

    __tablename__ = "payout_releases"

    hold_id: Mapped[int] = mapped_column(ForeignKey("payout_holds.id"), unique=True)
    reason: Mapped[str]
    released_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    released_at: Mapped[datetime]


RELEASED = select(PayoutRelease.id).where(PayoutRelease.hold_id == PayoutHold.id).exists()
"""Whether a hold has ended, in a query of holds."""


SETTLED_AGAIN = (SettlementRun.version > 1) & ~(
    select(SettlementCompletion.id).where(SettlementCompletion.run_id == SettlementRun.id).exists()
)
"""Whether a run is about to take an earlier one's place, in a query of runs."""


def hold_payouts(
    session: Session, trade: str, subject_id: int, *, by: int, reason: str, cause: HoldCause = HoldCause.DECISION
) -> PayoutHold:
    """Hold the payouts of a pool, event or ticket: those under way are waited for, those behind are refused.

    Raises:
        Refusal: ``payouts_already_held``, they are held by decision.
    """
    shut_payouts(session, trade, subject_id)
    if cause is HoldCause.DECISION and standing_hold(session, trade, subject_id, cause) is not None:
        raise Refusal("payouts_already_held", "Выплаты здесь уже приостановлены.")
    hold = PayoutHold(
        trade=trade, subject_id=subject_id, reason=reason, held_by=by, held_at=trade_time(session), cause=cause
    )
    session.add(hold)
    session.flush()
    return hold


def release_payouts(session: Session, hold: PayoutHold, *, by: int, reason: str) -> PayoutRelease:
    """End a hold: from its commit on the pool or event is paid and credited again.

    Raises:
        Refusal: ``payouts_not_held``, it was ended before.
    """
    shut_payouts(session, hold.trade, hold.subject_id)
    if session.scalar(select(PayoutRelease.id).where(PayoutRelease.hold_id == hold.id)) is not None:
        raise Refusal("payouts_not_held", "Эта приостановка уже снята.")
    return write_release(session, hold, by=by, reason=reason)


def write_release(session: Session, hold: PayoutHold, *, by: int, reason: str) -> PayoutRelease:
    """Write down the end of a hold that stands; of two who would at once, a unique key lets one."""
    release = PayoutRelease(hold_id=hold.id, reason=reason, released_by=by, released_at=trade_time(session))
    session.add(release)
    session.flush()
    return release


def enter_payouts(session: Session, trade: str, subject_id: int) -> None:
    """Enter the payouts of a pool or event; they cannot be held before this transaction ends.

    Taken before any lock of a ticket or a settlement, so that nobody waits for one another in a circle. While a
    settlement is under way that takes an earlier one's place, nobody is paid by either (D-14).

    Raises:
        Refusal: ``payout_held`` with the reason; ``settlement_under_way``.
    """
    stand_by_payouts(session, trade, subject_id)
    hold = standing_hold(session, trade, subject_id)
    if hold is not None:
        raise held_now(hold)
    if is_settled_again(session, trade, subject_id):
        raise Refusal("settlement_under_way", "Протокол исправлен, пул рассчитывается заново: повторите через минуту.")


def held_now(hold: PayoutHold) -> Refusal:
    """The refusal of what waits for the hold of a pool or event to end."""
    return Refusal("payout_held", f"Выплаты приостановлены: {hold.reason}.", since=hold.held_at.isoformat())


def is_settled_again(session: Session, trade: str, subject_id: int) -> bool:
    """Whether a pool or event is just being settled by a corrected protocol: its run is not complete yet."""
    under_way = select(SettlementRun.id).where(
        SettlementRun.trade == trade, SettlementRun.subject_id == subject_id, SETTLED_AGAIN
    )
    return session.scalar(under_way) is not None


def enter_ticket(session: Session, trade: str, ticket_id: int) -> None:
    """Refuse the payout of a ticket that is held by itself; the gate its run was entered by keeps it from being so.

    Raises:
        Refusal: ``payout_held`` with the reason.
    """
    hold = standing_hold(session, ticket_trade(trade), ticket_id)
    if hold is not None:
        raise Refusal(
            "payout_held", f"Выплата по билету приостановлена: {hold.reason}.", since=hold.held_at.isoformat()
        )


def stand_by_payouts(session: Session, trade: str, subject_id: int) -> None:
    """Keep the payouts of a pool or event as they are, held or not, until this transaction ends."""
    session.execute(select(func.pg_advisory_xact_lock_shared(_gate(trade, subject_id))))


def shut_payouts(session: Session, trade: str, subject_id: int) -> None:
    """Wait for the payouts and creditings under way, and let none begin before this transaction ends."""
    session.execute(select(func.pg_advisory_xact_lock(_gate(trade, subject_id))))


def standing_hold(session: Session, trade: str, subject_id: int, cause: HoldCause | None = None) -> PayoutHold | None:
    """A hold under which a pool, event or ticket stands, if it does; the first, or the first of one cause."""
    held = select(PayoutHold).where(PayoutHold.trade == trade, PayoutHold.subject_id == subject_id, ~RELEASED)
    if cause is not None:
        held = held.where(PayoutHold.cause == cause)
    return session.scalar(held.order_by(PayoutHold.id).limit(1))


def ticket_trade(trade: str) -> str:
    """How one ticket of a trade is named, where its runs and holds are its own and not those of a whole pool."""
    return trade if trade.endswith(OF_A_TICKET) else trade + OF_A_TICKET


def _gate(trade: str, subject_id: int) -> Function[int]:
    return func.hashtextextended(f"payouts:{trade}:{subject_id}", 0)
