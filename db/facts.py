"""Which tables may change. Every other one is append-only and guarded; a test compares this list with the database."""

from __future__ import annotations

MUTABLE_TABLES = frozenset(
    {
        "access_tokens",  # a session ends
        "alarm_channels",  # how far a channel's alarms are planned
        "alarm_deliveries",  # a delivery is tried again, and arrives
        "alembic_version",  # the schema moves on
        "attempt_counts",  # attempts at guessing are counted, and forgotten
        "balances",  # the money on a game account, proved against the transfers by the audit
        "counters",  # numbers without gaps
        "data_keys",  # the master key is rotated, a text is destroyed with its key
        "open_sales_stops",  # the stops of sales that have not been ended: every sale looks here
        "person_identities",  # who is erased is known by nothing
        "person_versions",  # erasure is owed by rule
        "person_words",  # what is erased is found by nothing
        "persons",  # somebody is erased
        "players",  # a password changes, a registration ends
        "ticket_states",  # the projection acts lock and lists read
        "users",  # a password changes, a login is blocked
    }
)
"""Tables with rows that are updated. The task queue's own tables (``procrastinate_…``) are mutable as well."""


def is_mutable(table: str) -> bool:
    """Whether rows of the table may be updated or deleted."""
    return table in MUTABLE_TABLES or table.startswith("procrastinate_")
