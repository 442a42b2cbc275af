"""Holding the payouts of a pool or event while its result is in doubt: cash and crediting wait alike (D-23)."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Function, Index, func, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from db.base import Fact
from db.clock import trade_time
from ledger.refusals import Refusal
from ledger.settlements import SettlementCompletion, SettlementRun


class PayoutHold(Fact):
    """From ``held_at`` on nothing is paid or credited for a pool or event, named as a settlement run names it."""

    __tablename__ = "payout_holds"
    __table_args__ = (Index("ix_payout_holds_trade_subject_id", "trade", "subject_id"),)

    trade: Mapped[str]
    subject_id: Mapped[int]
    reason: Mapped[str]
    held_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    held_at: Mapped[datetime]


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


def hold_payouts(session: Session, trade: str, subject_id: int, *, by: int, reason: str) -> PayoutHold:
    """Hold the payouts of a pool or event: those under way are waited for, those behind are refused.

    Raises:
        Refusal: ``payouts_already_held``.
    """
    _shut(session, trade, subject_id)
    if standing_hold(session, trade, subject_id) is not None:
        raise Refusal("payouts_already_held", "Выплаты здесь уже приостановлены.")
    hold = PayoutHold(trade=trade, subject_id=subject_id, reason=reason, held_by=by, held_at=trade_time(session))
    session.add(hold)
    session.flush()
    return hold


def release_payouts(session: Session, hold: PayoutHold, *, by: int, reason: str) -> PayoutRelease:
    """End a hold: from its commit on the pool or event is paid and credited again.

    Raises:
        Refusal: ``payouts_not_held``, it was ended before.
    """
    _shut(session, hold.trade, hold.subject_id)
    if session.scalar(select(PayoutRelease.id).where(PayoutRelease.hold_id == hold.id)) is not None:
        raise Refusal("payouts_not_held", "Эта приостановка уже снята.")
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
    session.execute(select(func.pg_advisory_xact_lock_shared(_gate(trade, subject_id))))
    hold = standing_hold(session, trade, subject_id)
    if hold is not None:
        raise Refusal("payout_held", f"Выплаты приостановлены: {hold.reason}.", since=hold.held_at.isoformat())
    if is_settled_again(session, trade, subject_id):
        raise Refusal("settlement_under_way", "Протокол исправлен, пул рассчитывается заново: повторите через минуту.")


def halt_payouts(session: Session, trade: str, subject_id: int) -> None:
    """Wait for whoever is just paid or credited by a pool or event; nobody else is until this transaction ends."""
    _shut(session, trade, subject_id)


def is_settled_again(session: Session, trade: str, subject_id: int) -> bool:
    """Whether a pool or event is just being settled by a corrected protocol: its run is not complete yet."""
    under_way = select(SettlementRun.id).where(
        SettlementRun.trade == trade, SettlementRun.subject_id == subject_id, SETTLED_AGAIN
    )
    return session.scalar(under_way) is not None


def standing_hold(session: Session, trade: str, subject_id: int) -> PayoutHold | None:
    """The hold under which a pool or event stands, if it does."""
    held = select(PayoutHold).where(PayoutHold.trade == trade, PayoutHold.subject_id == subject_id, ~RELEASED)
    return session.scalar(held)


def _shut(session: Session, trade: str, subject_id: int) -> None:
    session.execute(select(func.pg_advisory_xact_lock(_gate(trade, subject_id))))


def _gate(trade: str, subject_id: int) -> Function[int]:
    return func.hashtextextended(f"payouts:{trade}:{subject_id}", 0)
