"""Where stakes are returned, the terms of payment and of disputes have no end (T-Rules 32, D-21)."""

from __future__ import annotations

from alembic import op

revision = "0024"
down_revision = "0023"

ENDS = ("payable_until", "disputes_until")


def upgrade() -> None:
    """Let both ends be empty, but only together."""
    for end in ENDS:
        op.alter_column("payment_terms", end, nullable=True)
    op.create_check_constraint(
        op.f("ck_payment_terms_ends_together"), "payment_terms", "(payable_until IS NULL) = (disputes_until IS NULL)"
    )


def downgrade() -> None:
    """Ask for both ends again; where stakes were returned meanwhile, the narrower rule refuses that."""
    op.drop_constraint(op.f("ck_payment_terms_ends_together"), "payment_terms")
    for end in ENDS:
        op.alter_column("payment_terms", end, nullable=False)
