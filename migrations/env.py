"""How Alembic reaches the database: the caller hands over an open connection of the owner's."""

from __future__ import annotations

from alembic import context

from migrations.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, compare_type=True)
with context.begin_transaction():
    context.run_migrations()
