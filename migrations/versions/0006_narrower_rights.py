"""Narrower rights and words: the application updates only what changes, and columns take only the words they know."""

from __future__ import annotations

from alembic import op

revision = "0006"
down_revision = "0005"

CHANGING = {
    "access_tokens": "ended_at",
    "balances": "balance",
    "counters": "last",
    "person_versions": "ciphertext",
    "players": "password_hash, person_version_id, blocked_at",
    "ticket_states": "status, settlement_id",
    "users": "name, role, password_hash, blocked_at",
}
WORDS = {
    ("accounts", "kind"): (
        "cash bank special_fund player pool prize_fund wins_payable jackpot "
        "withdrawal_revenue organizer claims suspense"
    ),
    ("endings", "end"): "paid credited expired reversed",
    ("settlements", "decision"): "won lost returned cancelled",
    ("ticket_states", "status"): "accepted won lost returned cancelled paid credited expired",
    ("users", "role"): "administrator organizer trader supervisor cashier accountant auditor",
    ("access_tokens", "role"): "administrator organizer trader supervisor cashier player accountant auditor",
}


def upgrade() -> None:
    """Let the application move nobody's game account, and let no column hold a word nobody wrote."""
    for table, columns in CHANGING.items():
        op.execute(f"REVOKE UPDATE ON {table} FROM totalizator_application")
        op.execute(f"GRANT UPDATE ({columns}) ON {table} TO totalizator_application")
    op.alter_column("players", "account_id", nullable=False)
    for (table, column), words in WORDS.items():
        known = ", ".join(f"'{word}'" for word in words.split())
        op.create_check_constraint(op.f(f"ck_{table}_{column}_known"), table, f'"{column}" IN ({known})')


def downgrade() -> None:
    """Go back to whole rows and free words."""
    for table, column in WORDS:
        op.drop_constraint(op.f(f"ck_{table}_{column}_known"), table)
    op.alter_column("players", "account_id", nullable=True)
    for table in CHANGING:
        op.execute(f"GRANT UPDATE ON {table} TO totalizator_application")
