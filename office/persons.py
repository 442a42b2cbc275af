"""Persons: names, documents and contacts as ciphertext; facts point to a version and never hold them (D-16)."""

from __future__ import annotations

import json
from datetime import datetime

from cryptography.fernet import Fernet, MultiFernet
from sqlalchemy import func
from sqlalchemy.orm import Mapped, Session, mapped_column

from db.base import Base
from db.instants import Instant


class PersonVersion(Base):
    """What was known of a person at one time. The text is Fernet ciphertext of JSON."""

    __tablename__ = "person_versions"

    id: Mapped[int] = mapped_column(primary_key=True)
    ciphertext: Mapped[bytes]
    recorded_at: Mapped[datetime] = mapped_column(Instant, server_default=func.clock_timestamp())


class Persons:
    """Writes and reads personal data under the data keys, the newest key first."""

    def __init__(self, data_keys: tuple[bytes, ...]) -> None:
        self._cipher = MultiFernet([Fernet(key) for key in data_keys])

    def record(self, session: Session, details: dict[str, str]) -> int:
        """Store details and give the version's id for a fact to point at."""
        text = json.dumps(details, ensure_ascii=False, sort_keys=True).encode("utf-8")
        version = PersonVersion(ciphertext=self._cipher.encrypt(text))
        session.add(version)
        session.flush()
        return version.id

    def read(self, session: Session, version_id: int) -> dict[str, str]:
        """The details of a version; the caller answers for who may see them."""
        version = session.get_one(PersonVersion, version_id)
        details: dict[str, str] = json.loads(self._cipher.decrypt(version.ciphertext))
        return details
