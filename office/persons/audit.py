"""What the audit asks of persons: what is kept can be opened, and a registration is of the person it names."""

from __future__ import annotations

from ledger.audit import Check

PERSON_CHECKS = (
    Check(
        "у каждой неудалённой записи о лице есть её ключ",
        """
        SELECT 'запись ' || version.id AS subject, 'ключ ' || key.id || ' уничтожен' AS detail
        FROM person_versions AS version JOIN data_keys AS key ON key.id = version.data_key_id
        WHERE version.ciphertext IS NOT NULL AND key.wrapped IS NULL
        """,
    ),
    Check(
        "регистрация указывает на запись о своём лице",
        """
        SELECT 'игрок ' || player.id AS subject, 'запись о лице ' || version.person_id AS detail
        FROM players AS player JOIN person_versions AS version ON version.id = player.person_version_id
        WHERE player.person_id <> version.person_id
        """,
    ),
    Check(
        "действующая регистрация чья-то",
        """
        SELECT 'игрок ' || id AS subject, 'данные удалены, а игрок не заблокирован' AS detail
        FROM players WHERE person_id IS NULL AND blocked_at IS NULL
        """,
    ),
)
