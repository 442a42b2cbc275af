"""Tickets whose end is still to come are found among themselves, however many have ended (DESIGN 7)."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    """Index what is open: little of all there is."""
    op.create_index(
        op.f("ix_ticket_states_open"),
        "ticket_states",
        ["status", "ticket_id"],
        postgresql_where=sa.text("status IN ('accepted', 'won', 'returned', 'cancelled')"),
    )


def downgrade() -> None:
    """Look for them among all tickets again."""
    op.drop_index(op.f("ix_ticket_states_open"), "ticket_states")
