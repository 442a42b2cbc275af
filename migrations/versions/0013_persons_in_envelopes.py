"""Persons in envelopes: data keys, persons with versions, the digests they are found by, views and erasures."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from db.errors import SetupError

revision = "0013"
down_revision = "0012"

KINDS = "kind IN ('natural', 'legal_entity')"
SORTS = "sort IN ('document', 'registration_number', 'name_and_birth')"
FACTS = ("person_views", "person_erasures")
CHANGING = {
    "data_keys": "wrapped, wrapped_under, retired_at, destroyed_at",
    "person_identities": "person_id",
    "person_versions": "data_key_id, erased_at",
    "persons": "erased_at",
    "players": "person_id",
}
LOST = sa.text("""
    SELECT (SELECT count(*) FROM data_keys), (SELECT count(*) FROM tickets WHERE get_byte(code_sealed, 0) = 1),
        (SELECT count(*) FROM person_versions WHERE data_key_id IS NOT NULL),
        (SELECT count(*) FROM person_versions WHERE erased_at IS NOT NULL)
""")
"""What an older schema cannot keep: data keys, codes and versions of persons under them, and that one was erased."""


def upgrade() -> None:
    """Make the tables; what is on record is one person a version, under its old ciphertext until keys are rotated."""
    _data_keys()
    _persons()
    _digests()
    _facts()
    for table, columns in CHANGING.items():
        if table in ("data_keys", "person_identities", "persons"):
            op.execute(f"SELECT open_to_application('{table}')")
            op.execute(f"REVOKE UPDATE ON {table} FROM totalizator_application")
        op.execute(f"GRANT UPDATE ({columns}) ON {table} TO totalizator_application")
    op.execute("GRANT SELECT, INSERT, DELETE ON person_words TO totalizator_application")
    op.execute("GRANT DELETE ON person_identities TO totalizator_application")
    for fact in FACTS:
        op.execute(f"SELECT guard_fact('{fact}')")


def downgrade() -> None:
    """Take the tables away, while nothing was sealed under a data key: see docs/decisions/0020.

    Raises:
        SetupError: a data key is on record, or a version was erased. Nothing is undone.
    """
    _refuse_to_lose()
    for fact in reversed(FACTS):
        op.drop_table(fact)
    op.drop_table("person_identities")
    op.drop_table("person_words")
    op.drop_column("players", "person_id")
    op.drop_constraint(op.f("ck_person_versions_erased_or_there"), "person_versions")
    op.drop_index(op.f("ix_person_versions_directly_sealed"), "person_versions")
    for column in ("person_id", "data_key_id", "erased_at"):
        op.drop_column("person_versions", column)
    op.alter_column("person_versions", "ciphertext", nullable=False)
    op.drop_table("persons")
    op.drop_table("data_keys")


def _refuse_to_lose() -> None:
    # Whoever is about to write the first key or to erase somebody comes before this or finds the schema changed.
    op.execute("LOCK TABLE data_keys, tickets, person_versions IN ACCESS EXCLUSIVE MODE")
    keys, codes, versions, erased = op.get_bind().execute(LOST).one()
    if keys or erased:
        raise SetupError(
            f"revision 0013 cannot be undone: {keys} data keys would be lost, and nobody could read the codes of "
            f"{codes} tickets and {versions} versions of persons again; {erased} erased versions would be taken for "
            "kept ones. "
            "Go back by restoring a backup from before the upgrade, or mend forward."
        )


def _data_keys() -> None:
    op.create_table(
        "data_keys",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("wrapped", sa.LargeBinary(), nullable=True),
        sa.Column("wrapped_under", sa.Text(), nullable=False),
        _instant("made_at"),
        sa.Column("retired_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("destroyed_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "(wrapped IS NULL) = (destroyed_at IS NOT NULL)", name=op.f("ck_data_keys_destroyed_or_there")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_data_keys")),
    )
    op.create_index(
        op.f("ix_data_keys_wrapped_under_id"),
        "data_keys",
        ["wrapped_under", "id"],
        postgresql_where=sa.text("wrapped IS NOT NULL"),
    )
    op.create_index(op.f("ix_data_keys_purpose_id"), "data_keys", ["purpose", "id"])


def _persons() -> None:
    op.create_table(
        "persons",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        _instant("recorded_at"),
        sa.Column("erased_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(KINDS, name=op.f("ck_persons_kind_known")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_persons")),
    )
    # What was kept so far says of nobody whether two versions are one person, and no mark can be taken here, for texts
    # are opened with keys. The rotation of keys takes the marks and names who shares one; it makes no two persons one,
    # and until it has run nobody recorded before is found again.
    op.execute("INSERT INTO persons (id, kind, recorded_at) SELECT id, 'natural', recorded_at FROM person_versions")
    op.execute("SELECT setval('persons_id_seq', coalesce(max(id), 0) + 1, false) FROM persons")
    op.add_column("person_versions", sa.Column("person_id", sa.BigInteger(), nullable=True))
    op.execute("UPDATE person_versions SET person_id = id")
    op.alter_column("person_versions", "person_id", nullable=False)
    op.add_column("person_versions", sa.Column("data_key_id", sa.BigInteger(), nullable=True))
    op.add_column("person_versions", sa.Column("erased_at", sa.DateTime(timezone=True), nullable=True))
    op.alter_column("person_versions", "ciphertext", nullable=True)
    op.create_check_constraint(
        op.f("ck_person_versions_erased_or_there"), "person_versions", "(ciphertext IS NULL) = (erased_at IS NOT NULL)"
    )
    for column, table in (("person_id", "persons"), ("data_key_id", "data_keys")):
        op.create_foreign_key(op.f(f"fk_person_versions_{column}"), "person_versions", table, [column], ["id"])
    op.create_index(op.f("ix_person_versions_person_id_id"), "person_versions", ["person_id", "id"])
    op.create_index(
        op.f("ix_person_versions_directly_sealed"),
        "person_versions",
        ["id"],
        postgresql_where=sa.text("data_key_id IS NULL"),
    )
    op.add_column("players", sa.Column("person_id", sa.BigInteger(), nullable=True))
    op.execute("UPDATE players SET person_id = person_version_id")
    op.create_foreign_key(op.f("fk_players_person_id"), "players", "persons", ["person_id"], ["id"])
    op.create_unique_constraint(op.f("uq_players_person_id"), "players", ["person_id"])


def _digests() -> None:
    op.create_table(
        "person_words",
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("person_version_id", sa.BigInteger(), nullable=False),
        sa.Column("field", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_version_id"], ["person_versions.id"], name=op.f("fk_person_words_person_version_id")
        ),
        sa.PrimaryKeyConstraint("digest", "person_version_id", name=op.f("pk_person_words")),
    )
    op.create_index(op.f("ix_person_words_person_version_id"), "person_words", ["person_version_id"])
    op.create_table(
        "person_identities",
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("sort", sa.Text(), nullable=False),
        sa.Column("person_id", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(SORTS, name=op.f("ck_person_identities_sort_known")),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["persons.id"],
            name=op.f("fk_person_identities_person_id"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_person_identities")),
    )
    op.create_index(op.f("ix_person_identities_person_id"), "person_identities", ["person_id"])


def _facts() -> None:
    op.create_table(
        "person_views",
        *_of_a_fact(),
        sa.Column("person_version_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        _instant("viewed_at", "trade_clock()"),
        sa.ForeignKeyConstraint(
            ["person_version_id"], ["person_versions.id"], name=op.f("fk_person_views_person_version_id")
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_person_views_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person_views")),
    )
    op.create_index(op.f("ix_person_views_person_version_id"), "person_views", ["person_version_id"])
    op.create_table(
        "person_erasures",
        *_of_a_fact(),
        sa.Column("person_id", sa.BigInteger(), nullable=False),
        sa.Column("versions", postgresql.ARRAY(sa.BigInteger()), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        _instant("erased_at", "trade_clock()"),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"], name=op.f("fk_person_erasures_person_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_person_erasures_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person_erasures")),
    )
    op.create_index(op.f("ix_person_erasures_person_id"), "person_erasures", ["person_id"])


def _instant(name: str, clock: str = "clock_timestamp()") -> sa.Column:
    return sa.Column(name, sa.DateTime(timezone=True), server_default=sa.text(clock), nullable=False)


def _of_a_fact() -> tuple[sa.Column, sa.Column]:
    return sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False), _instant("recorded_at")
