"""Guards: how a table becomes append-only, what the application may do with a table; and the trade's clock."""

from __future__ import annotations

from alembic import op

revision = "0001"
down_revision = None

# The trigger fires a statement even when no row would be touched, and for the owner as well; ENABLE ALWAYS keeps it
# alive in sessions that replay another server's changes.
GUARDS = """
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END
$$;

CREATE FUNCTION guard_fact(fact regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format(
        'CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %s '
        'FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', fact);
    EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER append_only', fact);
    EXECUTE format('GRANT SELECT, INSERT ON %s TO totalizator_application', fact);
    EXECUTE format('GRANT SELECT ON SEQUENCE %s TO totalizator_application', pg_get_serial_sequence(fact::text, 'id'));
END
$$;

CREATE FUNCTION open_to_application(mutable regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    numbers text;
BEGIN
    EXECUTE format('GRANT SELECT, INSERT, UPDATE ON %s TO totalizator_application', mutable);
    FOR numbers IN
        SELECT pg_get_serial_sequence(mutable::text, attname) FROM pg_attribute
        WHERE attrelid = mutable AND attnum > 0 AND NOT attisdropped
    LOOP
        IF numbers IS NOT NULL THEN
            EXECUTE format('GRANT USAGE ON SEQUENCE %s TO totalizator_application', numbers);
        END IF;
    END LOOP;
END
$$;

CREATE TABLE clock_shifts (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_clock_shifts PRIMARY KEY,
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    shift interval NOT NULL,
    reason text NOT NULL
);
SELECT guard_fact('clock_shifts');
REVOKE INSERT ON clock_shifts FROM totalizator_application;

CREATE FUNCTION trade_clock() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
    SELECT clock_timestamp() + coalesce((SELECT shift FROM clock_shifts ORDER BY id DESC LIMIT 1), interval '0')
$$;

REVOKE ALL ON FUNCTION guard_fact(regclass), open_to_application(regclass) FROM PUBLIC;
"""


def upgrade() -> None:
    """Make the functions that later revisions call for each of their tables."""
    op.execute(GUARDS)
    op.execute("GRANT SELECT ON alembic_version TO totalizator_application")


def downgrade() -> None:
    """Take the functions away; no guarded table is left by now."""
    op.execute("DROP FUNCTION trade_clock()")
    op.execute("DROP TABLE clock_shifts")
    op.execute("DROP FUNCTION guard_fact(regclass), open_to_application(regclass), refuse_change()")
