"""The task queue's own tables, from the SQL that its pinned version brings."""

from __future__ import annotations

from importlib.metadata import version
from importlib.resources import files

from alembic import op
from sqlalchemy import text

revision = "0004"
down_revision = "0003"

PINNED = "3.10.0"

DROP = """
DO $$
DECLARE
    made record;
BEGIN
    FOR made IN SELECT oid::regclass AS name FROM pg_class
        WHERE relname LIKE 'procrastinate\\_%' AND relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace
    LOOP
        EXECUTE format('DROP TABLE %s CASCADE', made.name);
    END LOOP;
    FOR made IN SELECT oid::regprocedure AS name FROM pg_proc
        WHERE proname LIKE 'procrastinate\\_%' AND pronamespace = 'public'::regnamespace
    LOOP
        EXECUTE format('DROP FUNCTION %s CASCADE', made.name);
    END LOOP;
    FOR made IN SELECT oid::regtype AS name FROM pg_type
        WHERE typname LIKE 'procrastinate\\_%' AND typtype IN ('e', 'c') AND typnamespace = 'public'::regnamespace
    LOOP
        EXECUTE format('DROP TYPE IF EXISTS %s CASCADE', made.name);
    END LOOP;
END
$$
"""

GRANTS = """
DO $$
DECLARE
    made record;
BEGIN
    FOR made IN SELECT oid::regclass AS name, relkind FROM pg_class
        WHERE relname LIKE 'procrastinate\\_%' AND relkind IN ('r', 'S') AND relnamespace = 'public'::regnamespace
    LOOP
        IF made.relkind = 'r' THEN
            EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO totalizator_application', made.name);
        ELSE
            EXECUTE format('GRANT USAGE, SELECT, UPDATE ON SEQUENCE %s TO totalizator_application', made.name);
        END IF;
    END LOOP;
END
$$
"""


def upgrade() -> None:
    """Apply the queue's schema; another installed version would bring another one, so it is refused."""
    installed = version("procrastinate")
    if installed != PINNED:
        raise RuntimeError(f"this revision is written for procrastinate {PINNED}, installed is {installed}")
    schema = files("procrastinate").joinpath("sql/schema.sql").read_text("utf-8")
    op.get_bind().connection.cursor().execute(schema)
    op.execute(text(GRANTS))


def downgrade() -> None:
    """Drop whatever the queue made."""
    op.execute(text(DROP))
