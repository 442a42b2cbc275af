"""The first tables: office, events, players, desk, ledger, tote, keys of requests."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002"
down_revision = "0001"

FACTS = (
    "accounts",
    "chart_lines",
    "idempotency_keys",
    "desks",
    "events",
    "pools",
    "results",
    "shifts",
    "terminals",
    "pool_closings",
    "pool_outcomes",
    "protocols",
    "shift_closings",
    "tickets",
    "pool_bets",
    "settlement_runs",
    "pool_divisions",
    "settlement_completions",
    "settlement_creditings",
    "settlements",
    "endings",
    "payouts",
    "transfers",
)
MUTABLE = (
    "counters",
    "person_versions",
    "users",
    "balances",
    "players",
    "access_tokens",
    "ticket_states",
)


def upgrade() -> None:
    """Make the tables, guard the facts, open the others to the application."""
    op.create_table(
        "accounts",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
        sa.UniqueConstraint("id", "currency", name=op.f("uq_accounts_id_currency")),
        sa.UniqueConstraint("kind", "subject", "currency", name=op.f("uq_accounts_kind_subject_currency")),
    )
    op.create_table(
        "chart_lines",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("normal_side", sa.Text(), nullable=False),
        sa.Column("effective_from", sa.Date(), nullable=False),
        sa.CheckConstraint("normal_side IN ('debit', 'credit')", name=op.f("ck_chart_lines_normal_side")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chart_lines")),
        sa.UniqueConstraint("kind", "effective_from", name=op.f("uq_chart_lines_kind_effective_from")),
    )
    op.create_table(
        "counters",
        sa.Column("series", sa.Text(), nullable=False),
        sa.Column("last", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("series", name=op.f("pk_counters")),
    )
    op.create_table(
        "idempotency_keys",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.LargeBinary(), nullable=False),
        sa.Column("route", sa.Text(), nullable=False),
        sa.Column("reference", sa.BigInteger(), nullable=True),
        sa.Column("refusal", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True),
        sa.CheckConstraint(
            "(reference IS NULL) <> (refusal IS NULL)", name=op.f("ck_idempotency_keys_made_or_refused")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_idempotency_keys")),
        sa.UniqueConstraint("scope", "key", name=op.f("uq_idempotency_keys_scope_key")),
    )
    op.create_table(
        "person_versions",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("ciphertext", sa.LargeBinary(), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person_versions")),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("login", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=False),
        sa.Column("blocked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column(
            "created_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("login", name=op.f("uq_users_login")),
    )
    op.create_table(
        "balances",
        sa.Column("account_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("balance", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("balance >= 0", name=op.f("ck_balances_not_negative")),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_balances_account_id")),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_balances")),
    )
    op.create_table(
        "desks",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("certificate", sa.Text(), nullable=False),
        sa.Column("cash_register", sa.Text(), nullable=False),
        sa.Column("cash_account_id", sa.BigInteger(), nullable=False),
        sa.Column("registered_by", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["cash_account_id"], ["accounts.id"], name=op.f("fk_desks_cash_account_id")),
        sa.ForeignKeyConstraint(["registered_by"], ["users.id"], name=op.f("fk_desks_registered_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_desks")),
        sa.UniqueConstraint("code", name=op.f("uq_desks_code")),
    )
    op.create_table(
        "events",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("sport", sa.Text(), nullable=False),
        sa.Column("home", sa.Text(), nullable=False),
        sa.Column("away", sa.Text(), nullable=False),
        sa.Column("venue_zone", sa.Text(), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("entered_by", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["entered_by"], ["users.id"], name=op.f("fk_events_entered_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
        sa.UniqueConstraint("code", name=op.f("uq_events_code")),
    )
    op.create_table(
        "players",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("login", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=False),
        sa.Column("person_version_id", sa.BigInteger(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=True),
        sa.Column("blocked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column(
            "registered_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_players_account_id")),
        sa.ForeignKeyConstraint(
            ["person_version_id"], ["person_versions.id"], name=op.f("fk_players_person_version_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_players")),
        sa.UniqueConstraint("account_id", name=op.f("uq_players_account_id")),
        sa.UniqueConstraint("login", name=op.f("uq_players_login")),
    )
    op.create_table(
        "pools",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("event_id", sa.BigInteger(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("opens_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closes_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("minimum_stake", sa.BigInteger(), nullable=False),
        sa.Column("maximum_stake", sa.BigInteger(), nullable=False),
        sa.Column("fund_percent", sa.Numeric(), nullable=False),
        sa.Column("minimum_coefficient", sa.Numeric(), nullable=True),
        sa.Column("stakes_account_id", sa.BigInteger(), nullable=False),
        sa.Column("fund_account_id", sa.BigInteger(), nullable=False),
        sa.Column("wins_account_id", sa.BigInteger(), nullable=False),
        sa.Column("announced_by", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("fund_percent > 0 AND fund_percent <= 100", name=op.f("ck_pools_fund_percent")),
        sa.CheckConstraint("minimum_stake > 0 AND maximum_stake >= minimum_stake", name=op.f("ck_pools_stake_limits")),
        sa.CheckConstraint("opens_at < closes_at", name=op.f("ck_pools_window")),
        sa.ForeignKeyConstraint(["announced_by"], ["users.id"], name=op.f("fk_pools_announced_by")),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_pools_event_id")),
        sa.ForeignKeyConstraint(["fund_account_id"], ["accounts.id"], name=op.f("fk_pools_fund_account_id")),
        sa.ForeignKeyConstraint(["stakes_account_id"], ["accounts.id"], name=op.f("fk_pools_stakes_account_id")),
        sa.ForeignKeyConstraint(["wins_account_id"], ["accounts.id"], name=op.f("fk_pools_wins_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pools")),
        sa.UniqueConstraint("code", name=op.f("uq_pools_code")),
        sa.UniqueConstraint("fund_account_id", name=op.f("uq_pools_fund_account_id")),
        sa.UniqueConstraint("stakes_account_id", name=op.f("uq_pools_stakes_account_id")),
        sa.UniqueConstraint("wins_account_id", name=op.f("uq_pools_wins_account_id")),
    )
    op.create_index(op.f("ix_pools_event_id"), "pools", ["event_id"], unique=False)
    op.create_table(
        "results",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("event_id", sa.BigInteger(), nullable=False),
        sa.Column("score", sa.Text(), nullable=True),
        sa.Column("outcomes", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("entered_by", sa.BigInteger(), nullable=False),
        sa.Column("entered_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("cardinality(outcomes) > 0", name=op.f("ck_results_names_an_outcome")),
        sa.ForeignKeyConstraint(["entered_by"], ["users.id"], name=op.f("fk_results_entered_by")),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_results_event_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_results")),
        sa.UniqueConstraint("id", "event_id", "entered_by", name=op.f("uq_results_id_event_id_entered_by")),
    )
    op.create_table(
        "shifts",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("desk_id", sa.BigInteger(), nullable=False),
        sa.Column("opened_by", sa.BigInteger(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("counted", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("counted >= 0", name=op.f("ck_shifts_counted_not_negative")),
        sa.ForeignKeyConstraint(["desk_id"], ["desks.id"], name=op.f("fk_shifts_desk_id")),
        sa.ForeignKeyConstraint(["opened_by"], ["users.id"], name=op.f("fk_shifts_opened_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shifts")),
    )
    op.create_index("ix_shifts_desk_id_id", "shifts", ["desk_id", "id"], unique=False)
    op.create_table(
        "terminals",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("desk_id", sa.BigInteger(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("secret_digest", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["desk_id"], ["desks.id"], name=op.f("fk_terminals_desk_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_terminals")),
        sa.UniqueConstraint("code", name=op.f("uq_terminals_code")),
    )
    op.create_table(
        "access_tokens",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("player_id", sa.BigInteger(), nullable=True),
        sa.Column("terminal_id", sa.BigInteger(), nullable=True),
        sa.Column("issued_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("(user_id IS NULL) <> (player_id IS NULL)", name=op.f("ck_access_tokens_one_holder")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_access_tokens_player_id")),
        sa.ForeignKeyConstraint(["terminal_id"], ["terminals.id"], name=op.f("fk_access_tokens_terminal_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_access_tokens_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_access_tokens")),
        sa.UniqueConstraint("digest", name=op.f("uq_access_tokens_digest")),
    )
    op.create_table(
        "pool_closings",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("pool_id", sa.BigInteger(), nullable=False),
        sa.Column("bets", sa.BigInteger(), nullable=False),
        sa.Column("stakes", sa.BigInteger(), nullable=False),
        sa.Column("withdrawal", sa.BigInteger(), nullable=False),
        sa.Column("fund", sa.BigInteger(), nullable=False),
        sa.Column("closed_by", sa.BigInteger(), nullable=True),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["closed_by"], ["users.id"], name=op.f("fk_pool_closings_closed_by")),
        sa.ForeignKeyConstraint(["pool_id"], ["pools.id"], name=op.f("fk_pool_closings_pool_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pool_closings")),
        sa.UniqueConstraint("pool_id", name=op.f("uq_pool_closings_pool_id")),
    )
    op.create_table(
        "pool_outcomes",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("pool_id", sa.BigInteger(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["pool_id"], ["pools.id"], name=op.f("fk_pool_outcomes_pool_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pool_outcomes")),
        sa.UniqueConstraint("pool_id", "code", name=op.f("uq_pool_outcomes_pool_id_code")),
    )
    op.create_table(
        "protocols",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("event_id", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("result_id", sa.BigInteger(), nullable=False),
        sa.Column("entered_by", sa.BigInteger(), nullable=False),
        sa.Column("confirmed_by", sa.BigInteger(), nullable=False),
        sa.Column("signatories", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("drawn_up_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("cardinality(signatories) > 0", name=op.f("ck_protocols_signed")),
        sa.CheckConstraint("entered_by <> confirmed_by", name=op.f("ck_protocols_two_persons")),
        sa.ForeignKeyConstraint(["confirmed_by"], ["users.id"], name=op.f("fk_protocols_confirmed_by")),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_protocols_event_id")),
        sa.ForeignKeyConstraint(
            ["result_id", "event_id", "entered_by"],
            ["results.id", "results.event_id", "results.entered_by"],
            name=op.f("fk_protocols_result_id_event_id_entered_by"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_protocols")),
        sa.UniqueConstraint("event_id", "version", name=op.f("uq_protocols_event_id_version")),
        sa.UniqueConstraint("number", name=op.f("uq_protocols_number")),
        sa.UniqueConstraint("result_id", name=op.f("uq_protocols_result_id")),
    )
    op.create_table(
        "shift_closings",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("shift_id", sa.BigInteger(), nullable=False),
        sa.Column("closed_by", sa.BigInteger(), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expected", sa.BigInteger(), nullable=False),
        sa.Column("counted", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("counted >= 0", name=op.f("ck_shift_closings_counted_not_negative")),
        sa.ForeignKeyConstraint(["closed_by"], ["users.id"], name=op.f("fk_shift_closings_closed_by")),
        sa.ForeignKeyConstraint(["shift_id"], ["shifts.id"], name=op.f("fk_shift_closings_shift_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shift_closings")),
        sa.UniqueConstraint("shift_id", name=op.f("uq_shift_closings_shift_id")),
    )
    op.create_table(
        "tickets",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("stake", sa.BigInteger(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("code_digest", sa.LargeBinary(), nullable=False),
        sa.Column("code_sealed", sa.LargeBinary(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=True),
        sa.Column("shift_id", sa.BigInteger(), nullable=True),
        sa.Column("terminal_id", sa.BigInteger(), nullable=True),
        sa.Column("cashier_id", sa.BigInteger(), nullable=True),
        sa.Column("placed_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("(player_id IS NULL) <> (shift_id IS NULL)", name=op.f("ck_tickets_desk_or_player")),
        sa.CheckConstraint("stake > 0", name=op.f("ck_tickets_stake_positive")),
        sa.ForeignKeyConstraint(["cashier_id"], ["users.id"], name=op.f("fk_tickets_cashier_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_tickets_player_id")),
        sa.ForeignKeyConstraint(["shift_id"], ["shifts.id"], name=op.f("fk_tickets_shift_id")),
        sa.ForeignKeyConstraint(["terminal_id"], ["terminals.id"], name=op.f("fk_tickets_terminal_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tickets")),
        sa.UniqueConstraint("code_digest", name=op.f("uq_tickets_code_digest")),
    )
    op.create_index(
        "ix_tickets_player_id_id",
        "tickets",
        ["player_id", "id"],
        unique=False,
        postgresql_where="player_id IS NOT NULL",
    )
    op.create_table(
        "pool_bets",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("ticket_id", sa.BigInteger(), nullable=False),
        sa.Column("pool_id", sa.BigInteger(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("stake", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["pool_id", "outcome"],
            ["pool_outcomes.pool_id", "pool_outcomes.code"],
            name=op.f("fk_pool_bets_pool_id_outcome"),
        ),
        sa.ForeignKeyConstraint(["ticket_id"], ["tickets.id"], name=op.f("fk_pool_bets_ticket_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pool_bets")),
        sa.UniqueConstraint("ticket_id", name=op.f("uq_pool_bets_ticket_id")),
    )
    op.create_index("ix_pool_bets_pool_id_ticket_id", "pool_bets", ["pool_id", "ticket_id"], unique=False)
    op.create_table(
        "settlement_runs",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("trade", sa.Text(), nullable=False),
        sa.Column("subject_id", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("protocol_id", sa.BigInteger(), nullable=False),
        sa.Column("payable_account_id", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["payable_account_id"], ["accounts.id"], name=op.f("fk_settlement_runs_payable_account_id")
        ),
        sa.ForeignKeyConstraint(["protocol_id"], ["protocols.id"], name=op.f("fk_settlement_runs_protocol_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_settlement_runs")),
        sa.UniqueConstraint("trade", "subject_id", "version", name=op.f("uq_settlement_runs_trade_subject_id_version")),
    )
    op.create_table(
        "pool_divisions",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("run_id", sa.BigInteger(), nullable=False),
        sa.Column("pool_id", sa.BigInteger(), nullable=False),
        sa.Column("true_outcomes", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("minus_pool", sa.Boolean(), nullable=False),
        sa.Column("winning_bets", sa.BigInteger(), nullable=False),
        sa.Column("winning_stake", sa.BigInteger(), nullable=False),
        sa.Column("coefficient_numerator", sa.Numeric(), nullable=True),
        sa.Column("coefficient_denominator", sa.Numeric(), nullable=True),
        sa.Column("wins", sa.BigInteger(), nullable=False),
        sa.Column("to_jackpot", sa.BigInteger(), nullable=False),
        sa.Column("from_organizer", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["pool_id"], ["pools.id"], name=op.f("fk_pool_divisions_pool_id")),
        sa.ForeignKeyConstraint(["run_id"], ["settlement_runs.id"], name=op.f("fk_pool_divisions_run_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pool_divisions")),
        sa.UniqueConstraint("run_id", name=op.f("uq_pool_divisions_run_id")),
    )
    op.create_table(
        "settlement_completions",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("run_id", sa.BigInteger(), nullable=False),
        sa.Column("tickets", sa.BigInteger(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("completed_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["settlement_runs.id"], name=op.f("fk_settlement_completions_run_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_settlement_completions")),
        sa.UniqueConstraint("run_id", name=op.f("uq_settlement_completions_run_id")),
    )
    op.create_table(
        "settlement_creditings",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("run_id", sa.BigInteger(), nullable=False),
        sa.Column("credited_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["settlement_runs.id"], name=op.f("fk_settlement_creditings_run_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_settlement_creditings")),
        sa.UniqueConstraint("run_id", name=op.f("uq_settlement_creditings_run_id")),
    )
    op.create_table(
        "settlements",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("ticket_id", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("run_id", sa.BigInteger(), nullable=False),
        sa.Column("reverses_id", sa.BigInteger(), nullable=True),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.Column("win", sa.BigInteger(), nullable=False),
        sa.Column("stake_back", sa.BigInteger(), nullable=False),
        sa.Column("payable_from", sa.DateTime(timezone=True), nullable=True),
        sa.Column("payable_until", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("(version = 1) = (reverses_id IS NULL)", name=op.f("ck_settlements_later_versions_reverse")),
        sa.CheckConstraint(
            "(win + stake_back > 0) = (payable_from IS NOT NULL)", name=op.f("ck_settlements_due_has_a_term")
        ),
        sa.CheckConstraint("win >= 0 AND stake_back >= 0", name=op.f("ck_settlements_not_negative")),
        sa.ForeignKeyConstraint(["reverses_id"], ["settlements.id"], name=op.f("fk_settlements_reverses_id")),
        sa.ForeignKeyConstraint(["run_id"], ["settlement_runs.id"], name=op.f("fk_settlements_run_id")),
        sa.ForeignKeyConstraint(["ticket_id"], ["tickets.id"], name=op.f("fk_settlements_ticket_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_settlements")),
        sa.UniqueConstraint("reverses_id", name=op.f("uq_settlements_reverses_id")),
        sa.UniqueConstraint("ticket_id", "version", name=op.f("uq_settlements_ticket_id_version")),
    )
    op.create_index("ix_settlements_run_id_ticket_id", "settlements", ["run_id", "ticket_id"], unique=False)
    op.create_table(
        "endings",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("settlement_id", sa.BigInteger(), nullable=False),
        sa.Column("end", sa.Text(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["settlement_id"], ["settlements.id"], name=op.f("fk_endings_settlement_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_endings")),
        sa.UniqueConstraint("settlement_id", name=op.f("uq_endings_settlement_id")),
    )
    op.create_table(
        "payouts",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("settlement_id", sa.BigInteger(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("person_version_id", sa.BigInteger(), nullable=False),
        sa.Column("shift_id", sa.BigInteger(), nullable=False),
        sa.Column("cashier_id", sa.BigInteger(), nullable=False),
        sa.Column("paid_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("amount > 0", name=op.f("ck_payouts_amount_positive")),
        sa.ForeignKeyConstraint(["cashier_id"], ["users.id"], name=op.f("fk_payouts_cashier_id")),
        sa.ForeignKeyConstraint(
            ["person_version_id"], ["person_versions.id"], name=op.f("fk_payouts_person_version_id")
        ),
        sa.ForeignKeyConstraint(["settlement_id"], ["settlements.id"], name=op.f("fk_payouts_settlement_id")),
        sa.ForeignKeyConstraint(["shift_id"], ["shifts.id"], name=op.f("fk_payouts_shift_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_payouts")),
        sa.UniqueConstraint("number", name=op.f("uq_payouts_number")),
        sa.UniqueConstraint("settlement_id", name=op.f("uq_payouts_settlement_id")),
    )
    op.create_table(
        "ticket_states",
        sa.Column("ticket_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("settlement_id", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["settlement_id"], ["settlements.id"], name=op.f("fk_ticket_states_settlement_id")),
        sa.ForeignKeyConstraint(["ticket_id"], ["tickets.id"], name=op.f("fk_ticket_states_ticket_id")),
        sa.PrimaryKeyConstraint("ticket_id", name=op.f("pk_ticket_states")),
    )
    op.create_table(
        "transfers",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("debit_account_id", sa.BigInteger(), nullable=False),
        sa.Column("credit_account_id", sa.BigInteger(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("ticket_id", sa.BigInteger(), nullable=True),
        sa.Column("settlement_id", sa.BigInteger(), nullable=True),
        sa.Column("shift_id", sa.BigInteger(), nullable=True),
        sa.Column("reverses_id", sa.BigInteger(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("occurred_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("booked_on", sa.Date(), nullable=False),
        sa.CheckConstraint("amount > 0", name=op.f("ck_transfers_amount_positive")),
        sa.CheckConstraint("debit_account_id <> credit_account_id", name=op.f("ck_transfers_two_accounts")),
        sa.ForeignKeyConstraint(
            ["credit_account_id", "currency"],
            ["accounts.id", "accounts.currency"],
            name=op.f("fk_transfers_credit_account_id_currency"),
        ),
        sa.ForeignKeyConstraint(
            ["debit_account_id", "currency"],
            ["accounts.id", "accounts.currency"],
            name=op.f("fk_transfers_debit_account_id_currency"),
        ),
        sa.ForeignKeyConstraint(["reverses_id"], ["transfers.id"], name=op.f("fk_transfers_reverses_id")),
        sa.ForeignKeyConstraint(["settlement_id"], ["settlements.id"], name=op.f("fk_transfers_settlement_id")),
        sa.ForeignKeyConstraint(["shift_id"], ["shifts.id"], name=op.f("fk_transfers_shift_id")),
        sa.ForeignKeyConstraint(["ticket_id"], ["tickets.id"], name=op.f("fk_transfers_ticket_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_transfers")),
        sa.UniqueConstraint("reverses_id", name=op.f("uq_transfers_reverses_id")),
    )
    op.create_index("ix_transfers_credit_account_id_id", "transfers", ["credit_account_id", "id"], unique=False)
    op.create_index("ix_transfers_debit_account_id_id", "transfers", ["debit_account_id", "id"], unique=False)
    op.create_index(
        "ix_transfers_settlement_id",
        "transfers",
        ["settlement_id"],
        unique=False,
        postgresql_where="settlement_id IS NOT NULL",
    )
    op.create_index(
        "ix_transfers_shift_id", "transfers", ["shift_id"], unique=False, postgresql_where="shift_id IS NOT NULL"
    )
    op.create_index(
        "ix_transfers_ticket_id", "transfers", ["ticket_id"], unique=False, postgresql_where="ticket_id IS NOT NULL"
    )
    for table in FACTS:
        op.execute(f"SELECT guard_fact('{table}')")
    for table in MUTABLE:
        op.execute(f"SELECT open_to_application('{table}')")


def downgrade() -> None:
    """Go back to an empty house; the tables point at one another, so all go in one statement."""
    op.execute("DROP TABLE " + ", ".join((*FACTS, *MUTABLE)))
