"""All tables of all rooms in one place, for Alembic and for the tests that count them."""

from __future__ import annotations

from importlib import import_module

from db.base import Base

MODULES = (
    "api.idempotency",
    "db.clock",
    "db.data_keys",
    "desk.cash_limits",
    "desk.certificates",
    "desk.deliveries",
    "desk.fiscal_papers",
    "desk.models",
    "desk.ticket_prints",
    "events.models",
    "events.starts.models",
    "ledger.accounts",
    "ledger.checkpoints",
    "ledger.holds",
    "ledger.journal",
    "ledger.seals.models",
    "ledger.settlements",
    "ledger.terms",
    "ledger.tickets",
    "office.approvals.models",
    "office.alarms.deliveries",
    "office.numbers",
    "office.persons.models",
    "office.settings.versions",
    "office.significant.log",
    "office.throttling.counts",
    "office.tokens",
    "office.stops.models",
    "office.users",
    "players.game_accounts",
    "players.models",
    "tote.claims.models",
    "tote.checkpoints",
    "tote.models",
)
for module in MODULES:
    import_module(module)

metadata = Base.metadata
