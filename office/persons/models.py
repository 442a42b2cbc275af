"""Persons, their versions as ciphertext, the digests they are found by, and who saw or erased them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, func
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import BigInteger

from db.base import Base, Fact
from db.instants import Instant


class Person(Base):
    """A human being or a legal entity; everything that is known of it lies in its versions."""

    __tablename__ = "persons"

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    recorded_at: Mapped[datetime] = mapped_column(Instant, server_default=func.clock_timestamp())
    erased_at: Mapped[datetime | None]


class PersonVersion(Base):
    """What was known of a person at one time; facts point here.

    The text is sealed under a data key of the version's own and bound to this row and this person. Without
    ``data_key_id`` it is Fernet ciphertext under a master key, from before there were data keys. Of an erased version
    nothing is left but the row that facts point to.
    """

    __tablename__ = "person_versions"
    __table_args__ = (
        CheckConstraint("(ciphertext IS NULL) = (erased_at IS NOT NULL)", name="erased_or_there"),
        Index("ix_person_versions_person_id_id", "person_id", "id"),
        Index("ix_person_versions_directly_sealed", "id", postgresql_where="data_key_id IS NULL"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("persons.id"))
    data_key_id: Mapped[int | None] = mapped_column(ForeignKey("data_keys.id"))
    ciphertext: Mapped[bytes | None]
    recorded_at: Mapped[datetime] = mapped_column(Instant, server_default=func.clock_timestamp())
    erased_at: Mapped[datetime | None]


class PersonWord(Base):
    """The HMAC of one whole word of one field of a version."""

    __tablename__ = "person_words"
    __table_args__ = (Index("ix_person_words_person_version_id", "person_version_id"),)

    digest: Mapped[bytes] = mapped_column(primary_key=True)
    person_version_id: Mapped[int] = mapped_column(ForeignKey("person_versions.id"), primary_key=True)
    field: Mapped[str]


class PersonIdentity(Base):
    """The HMAC of a mark that one person has: whoever brings it again is that person, however many come at once."""

    __tablename__ = "person_identities"
    __table_args__ = (Index("ix_person_identities_person_id", "person_id"),)

    digest: Mapped[bytes] = mapped_column(primary_key=True)
    sort: Mapped[str]
    # A mark is taken before it is known whether the person is new: deferred, the person's row may come after it.
    person_id: Mapped[int] = mapped_column(ForeignKey("persons.id", deferrable=True, initially="DEFERRED"))


class PersonView(Fact):
    """Somebody saw a version unmasked, and why."""

    __tablename__ = "person_views"
    __table_args__ = (Index("ix_person_views_person_version_id", "person_version_id"),)

    person_version_id: Mapped[int] = mapped_column(ForeignKey("person_versions.id"))
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    reason: Mapped[str]
    viewed_at: Mapped[datetime] = mapped_column(Instant, server_default=func.trade_clock())


class PersonErasure(Fact):
    """Versions of a person were erased: on request by somebody, or by nobody, their term being over."""

    __tablename__ = "person_erasures"
    __table_args__ = (Index("ix_person_erasures_person_id", "person_id"),)

    person_id: Mapped[int] = mapped_column(ForeignKey("persons.id"))
    versions: Mapped[list[int]] = mapped_column(ARRAY(BigInteger))
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    reason: Mapped[str]
    erased_at: Mapped[datetime] = mapped_column(Instant, server_default=func.trade_clock())
