"""The register of tickets: one row a ticket for ever, and one mutable row that says how it stands (DESIGN 3.1-3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from db.base import Base, Fact
from ledger.codes import TicketCode


class Ticket(Fact):
    """A registered bet: what was staked, where, by whom and when. The running number is ``id``.

    At a desk the ticket is anonymous and belongs to a shift; online it belongs to a player (INDUSTRY: ticket).
    Once registered it is neither changed nor cancelled (T-Rules 27).
    """

    __tablename__ = "tickets"
    __table_args__ = (
        CheckConstraint("stake > 0", name="stake_positive"),
        CheckConstraint("(player_id IS NULL) <> (shift_id IS NULL)", name="desk_or_player"),
        Index("ix_tickets_player_id_id", "player_id", "id", postgresql_where="player_id IS NOT NULL"),
        Index("ix_tickets_shift_id_id", "shift_id", "id", postgresql_where="shift_id IS NOT NULL"),
        Index("ix_tickets_placed_at", "placed_at"),
    )

    game: Mapped[str]
    stake: Mapped[int]
    currency: Mapped[str]
    code_digest: Mapped[bytes] = mapped_column(unique=True)
    code_sealed: Mapped[bytes]
    player_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"))
    shift_id: Mapped[int | None] = mapped_column(ForeignKey("shifts.id"))
    terminal_id: Mapped[int | None] = mapped_column(ForeignKey("terminals.id"))
    cashier_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    placed_at: Mapped[datetime]


class Status(StrEnum):
    """How a ticket stands. Each word is kept apart in every report (INDUSTRY: words kept apart)."""

    ACCEPTED = "accepted"
    WON = "won"
    LOST = "lost"
    RETURNED = "returned"
    CANCELLED = "cancelled"
    PAID = "paid"
    CREDITED = "credited"
    EXPIRED = "expired"


OPEN = (Status.ACCEPTED, Status.WON, Status.RETURNED, Status.CANCELLED)
"""How a ticket stands whose end is still to come: undecided, or decided and neither fetched nor booked as lapsed."""


class TicketState(Base):
    """The projection of a ticket's facts: acts lock this row, lists read it, the audit proves it (DESIGN 3.2)."""

    __tablename__ = "ticket_states"
    # What is open is little of all there is: lists find it by the first, the sweep of expired wins by the second.
    __table_args__ = (
        Index(
            "ix_ticket_states_open",
            "status",
            "ticket_id",
            postgresql_where=f"status IN ({', '.join(repr(status.value) for status in OPEN)})",
        ),
        Index("ix_ticket_states_won", "settlement_id", postgresql_where="status = 'won'"),
    )

    ticket_id: Mapped[int] = mapped_column(ForeignKey("tickets.id"), primary_key=True, autoincrement=False)
    status: Mapped[str]
    settlement_id: Mapped[int | None] = mapped_column(ForeignKey("settlements.id"))


@dataclass(frozen=True)
class NewTicket:
    """A ticket about to be issued: stake in minor units, and either the player or the desk's shift and cashier."""

    game: str
    stake: int
    currency: str
    code: TicketCode
    placed_at: datetime
    player_id: int | None = None
    shift_id: int | None = None
    terminal_id: int | None = None
    cashier_id: int | None = None

    def parameters(self) -> dict[str, Any]:
        """The values that :func:`issuing` asks for, by name."""
        return {
            "game": self.game,
            "stake": self.stake,
            "currency": self.currency,
            "code_digest": self.code.digest,
            "code_sealed": self.code.sealed,
            "player_id": self.player_id,
            "shift_id": self.shift_id,
            "terminal_id": self.terminal_id,
            "cashier_id": self.cashier_id,
            "placed_at": self.placed_at,
        }


def issuing(given: str = "") -> str:
    """The parts of a placing statement that register a ticket and its state; ``issued`` gives the ticket's ``id``.

    With ``given`` (``FROM`` a part that took the stake from a game account) nothing is issued unless it gave a row: a
    bet exists only together with its money (T-Rules 35.3). The text is put together once, when a trade is imported:
    building it for each bet would cost more than the database takes for it.
    """
    return f"""
        issued AS (
            INSERT INTO tickets (game, stake, currency, code_digest, code_sealed,
                player_id, shift_id, terminal_id, cashier_id, placed_at)
            SELECT :game, :stake, :currency, :code_digest, :code_sealed,
                :player_id, :shift_id, :terminal_id, :cashier_id, :placed_at {given}
            RETURNING id
        ), standing AS (
            INSERT INTO ticket_states (ticket_id, status) SELECT id, '{Status.ACCEPTED.value}' FROM issued
        )"""


def find(session: Session, code_digest: bytes) -> Ticket | None:
    """The ticket that carries a code, looked up by the code's HMAC."""
    return session.scalar(select(Ticket).where(Ticket.code_digest == code_digest))


def lock_state(session: Session, ticket_id: int) -> TicketState:
    """The ticket's state, locked: whatever pays, expires or corrects a ticket passes here first."""
    return session.scalars(
        select(TicketState)
        .where(TicketState.ticket_id == ticket_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    ).one()
