"""Until when a win is paid: the term a run gave, and what a hold of payouts has added to it (T-Rules 40, 45; D-1)."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, ColumnElement, ForeignKey, Index, case, func, or_, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from db.base import Fact
from db.instants import Instant
from ledger.settlements import Settlement


class PaymentTerm(Fact):
    """The term in which the wins of a run are paid, and the terms behind it; every end is exclusive.

    The first row of a run is written with its completion. While payouts are held nobody can be paid, so a hold that
    ends gives back the days it took: a later row, which names it, with the ends that hold from then on, for the whole
    run or for the one ``ticket_id`` that was held alone. The latest end is in force. Where a run returns every stake,
    that has no end, and so have disputes about it (T-Rules 32, D-21): there is one row, both ends of it empty.
    """

    __tablename__ = "payment_terms"
    __table_args__ = (
        CheckConstraint("payable_from < payable_until AND payable_until < disputes_until", name="in_order"),
        CheckConstraint("(payable_until IS NULL) = (disputes_until IS NULL)", name="ends_together"),
        CheckConstraint("ticket_id IS NULL OR hold_id IS NOT NULL", name="a_ticket_has_its_own_by_a_hold"),
        Index("ix_payment_terms_run_id_ticket_id", "run_id", "ticket_id"),
        Index("uq_payment_terms_run_id", "run_id", unique=True, postgresql_where="hold_id IS NULL"),
    )

    run_id: Mapped[int] = mapped_column(ForeignKey("settlement_runs.id"))
    ticket_id: Mapped[int | None] = mapped_column(ForeignKey("tickets.id"))
    payable_from: Mapped[datetime]
    payable_until: Mapped[datetime | None]
    claims_until: Mapped[datetime | None]
    disputes_until: Mapped[datetime | None]
    hold_id: Mapped[int | None] = mapped_column(ForeignKey("payout_holds.id"))


_PROLONGED = (
    select(func.max(PaymentTerm.payable_until))
    .where(
        PaymentTerm.run_id == Settlement.run_id,
        or_(PaymentTerm.ticket_id.is_(None), PaymentTerm.ticket_id == Settlement.ticket_id),
    )
    .correlate(Settlement)
    .scalar_subquery()
)
DEADLINE: ColumnElement[datetime | None] = case(
    (Settlement.payable_until.is_not(None), func.greatest(Settlement.payable_until, _PROLONGED, type_=Instant)),
)
"""When what a settlement owes lapses, exclusive, in a query of settlements; none where it never does (D-17, D-21)."""


def deadline_of(session: Session, settlement: Settlement) -> datetime | None:
    """When what this settlement owes lapses, exclusive; none where it never does."""
    return session.scalar(select(DEADLINE).where(Settlement.id == settlement.id))


def term_of(session: Session, run_id: int, ticket_id: int | None = None) -> PaymentTerm | None:
    """The term in force for a run, or for a ticket of it; none where the run is not complete."""
    concerned = or_(PaymentTerm.ticket_id.is_(None), PaymentTerm.ticket_id == ticket_id)
    return session.scalar(
        select(PaymentTerm)
        .where(PaymentTerm.run_id == run_id, concerned)
        .order_by(PaymentTerm.payable_until.desc(), PaymentTerm.id)
        .limit(1)
    )
