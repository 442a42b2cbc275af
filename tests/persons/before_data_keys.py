"""An office's records as they were before there were data keys: Fernet ciphertext under a master key itself."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

from cryptography.fernet import Fernet
from sqlalchemy import text

from db.session import transaction
from office.persons.details import NaturalPerson
from tests.office import KEYS, Office

CODES = text("SELECT id, code_sealed, code_digest FROM tickets")


def seal_directly(office: Office) -> None:
    """Seal every code and every person the old way, and forget data keys and all that persons are found by.

    The office's own processes hold a data key that is no more: who sells afterwards is a house opened anew.
    """
    master = Fernet(KEYS.data_keys[0])
    with transaction(office.owner) as session:
        sealed = [
            {"id": number, "text": master.encrypt(office.house.codes.open(code, digest).encode())}
            for number, code, digest in session.execute(CODES)
        ]
        versions = session.scalars(text("SELECT id FROM person_versions")).all()
        persons = [
            {"id": number, "text": master.encrypt(json.dumps(_flat(details)).encode())}
            for number, details in office.house.persons.read_all(session, versions).items()
        ]
        session.execute(text("ALTER TABLE tickets DISABLE TRIGGER append_only"))
        session.execute(text("UPDATE tickets SET code_sealed = :text WHERE id = :id"), sealed)
        session.execute(text("ALTER TABLE tickets ENABLE ALWAYS TRIGGER append_only"))
        session.execute(
            text("UPDATE person_versions SET data_key_id = NULL, ciphertext = :text WHERE id = :id"), persons
        )
        for table in ("person_words", "person_identities", "data_keys"):
            session.execute(text(f"DELETE FROM {table}"))


def _flat(details: Any) -> dict[str, str]:
    """A human being as it was written then: the document's parts beside the name."""
    assert isinstance(details, NaturalPerson)
    told = {name: getattr(details, name) for name in ("surname", "name", "patronymic", "birth_date")}
    document = details.document
    if document is not None:
        told |= {f"document_{name}": getattr(document, name) for name in ("kind", "number", "issued_on", "issued_by")}
    return {name: value.isoformat() if isinstance(value, date) else value for name, value in told.items() if value}
