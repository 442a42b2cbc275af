"""Printing tickets: an original once, where and while it was sold; whatever is printed later is a duplicate (INDUSTRY).

A ticket is paid to whoever presents it, so two originals of one would be two claims. The print is a fact, and the paper
is made of the record behind it, so a terminal that lost the answer asks again and gets the same original.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, ForeignKey, UniqueConstraint, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from db.base import Fact
from db.clock import trade_time
from desk.shifts import enter_shift
from ledger.refusals import Refusal
from ledger.tickets import Ticket, lock_state
from office.callers import Caller
from office.significant.kinds import TICKET_DUPLICATED
from office.significant.log import note

ORIGINAL = 0

IsCancelled = Callable[[Session, int], bool]
"""How a trade tells whether the bet of a ticket was cancelled, whatever became of its stake. A desk knows no trade."""


class PaperForm(StrEnum):
    """What the paper is made for: any printer, or a receipt printer's own language."""

    PDF = "pdf"
    ESCPOS = "escpos"


class TicketPrint(Fact):
    """A ticket put on paper. ``copy`` is 0 for the original, of which there is one, and the duplicate's number else.

    An original of a ticket sold at a desk is printed by a cashier, one of a player's own ticket by the player.
    """

    __tablename__ = "ticket_prints"
    __table_args__ = (
        UniqueConstraint("ticket_id", "copy"),
        CheckConstraint("copy >= 0", name="copy_not_negative"),
        CheckConstraint("(copy = 0) = (reason IS NULL)", name="duplicate_has_a_reason"),
        CheckConstraint("form IN ('pdf', 'escpos')", name="form_known"),
        CheckConstraint("(printed_by IS NULL) <> (player_id IS NULL)", name="printed_by_somebody"),
        CheckConstraint("copy = 0 OR printed_by IS NOT NULL", name="duplicate_by_the_office"),
    )

    ticket_id: Mapped[int] = mapped_column(ForeignKey("tickets.id"))
    copy: Mapped[int]
    form: Mapped[str]
    reason: Mapped[str | None]
    printed_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    player_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"))
    terminal_id: Mapped[int | None] = mapped_column(ForeignKey("terminals.id"))
    printed_at: Mapped[datetime]


def print_original(
    session: Session, number: int, form: PaperForm, by: Caller, is_cancelled: IsCancelled
) -> TicketPrint:
    """Put the ticket with this number on paper for the first time; whose it is was asked before.

    A ticket of a desk is printed at the terminal that sold it and within the shift it was sold in: the shift stays open
    until the transaction ends.

    Raises:
        Refusal: ``not_found``; ``no_open_shift``, ``terminal_withdrawn``, ``desk_withdrawn``; ``not_sold_here``,
            another terminal sold it; ``selling_shift_over``; ``ticket_cancelled``; ``already_printed`` with when.
    """
    ticket = _ticket(session, number)
    at = trade_time(session) if by.player_id is not None else _within_selling_shift(session, ticket, by)
    earlier = _printed_before(session, ticket, is_cancelled)
    if earlier is not None:
        said = "Билет уже напечатан. Дубликат печатает старший кассир, с указанием причины."
        raise Refusal("already_printed", said, printed_at=earlier.printed_at.isoformat())
    return _print(session, ticket, ORIGINAL, form, None, by, at)


def print_duplicate(
    session: Session, number: int, form: PaperForm, reason: str, by: Caller, is_cancelled: IsCancelled
) -> TicketPrint:
    """Put a ticket on paper again, marked as a duplicate with a number of its own; it is a significant event.

    It needs no original before it: whoever lost the first paper to a jammed printer may be long out of the shift.

    Raises:
        Refusal: ``not_found``; ``ticket_cancelled``.
    """
    ticket = _ticket(session, number)
    earlier = _printed_before(session, ticket, is_cancelled)
    copy = 1 if earlier is None else earlier.copy + 1
    printed = _print(session, ticket, copy, form, reason, by, trade_time(session))
    note(session, TICKET_DUPLICATED, f"ticket:{number}", by, duplicate=copy, reason=reason, sold_by=ticket.cashier_id)
    return printed


def _ticket(session: Session, number: int) -> Ticket:
    ticket = session.get(Ticket, number)
    if ticket is None:
        raise Refusal("not_found", "Билета с таким номером нет.")
    return ticket


def _within_selling_shift(session: Session, ticket: Ticket, by: Caller) -> datetime:
    """The instant of the terminal's gates, behind which the shift the ticket was sold in cannot end."""
    shift = enter_shift(session, by.terminal_id)
    if ticket.terminal_id != by.terminal_id:
        raise Refusal("not_sold_here", "Оригинал билета печатает только терминал, который его продал.")
    if ticket.shift_id != shift.id:
        said = "Смена, в которую билет продан, закрыта. Дубликат печатает старший кассир."
        raise Refusal("selling_shift_over", said)
    return shift.entered_at


def _printed_before(session: Session, ticket: Ticket, is_cancelled: IsCancelled) -> TicketPrint | None:
    """The last print of a ticket; its state is locked, so that no other print and no cancellation comes between.

    Raises:
        Refusal: ``ticket_cancelled``.
    """
    lock_state(session, ticket.id)
    if is_cancelled(session, ticket.id):
        raise Refusal("ticket_cancelled", "Ставка отменена: билет не печатается.")
    prints = select(TicketPrint).where(TicketPrint.ticket_id == ticket.id)
    return session.scalar(prints.order_by(TicketPrint.copy.desc()).limit(1))


def _print(
    session: Session, ticket: Ticket, copy: int, form: PaperForm, reason: str | None, by: Caller, at: datetime
) -> TicketPrint:
    printed = TicketPrint(
        ticket_id=ticket.id,
        copy=copy,
        form=form,
        reason=reason,
        printed_by=by.user_id,
        player_id=by.player_id,
        terminal_id=by.terminal_id,
        printed_at=at,
    )
    session.add(printed)
    session.flush()
    return printed
