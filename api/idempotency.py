"""Idempotency: a POST that moves money has a key, and the key one meaning and one answer (DESIGN 4).

The key's row is written last, together with what the request did, and its uniqueness decides a race: whoever loses
throws its own work away and gives the winner's answer. So a retry never needs a lock of its own, a key exists exactly
when its act does, and one that was refused is refused alike for ever.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import CheckConstraint, Row, Select, UniqueConstraint, bindparam, insert, select
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, Session, mapped_column

from db.base import Fact
from db.session import rows
from ledger.refusals import Refusal


class IdempotencyKey(Fact):
    """What became of a request: a reference to what it made, or the refusal it got. Never a ticket's code."""

    __tablename__ = "idempotency_keys"
    __table_args__ = (
        UniqueConstraint("scope", "key"),
        CheckConstraint("(reference IS NULL) <> (refusal IS NULL)", name="made_or_refused"),
    )

    scope: Mapped[str]
    key: Mapped[str]
    fingerprint: Mapped[bytes]
    route: Mapped[str]
    reference: Mapped[int | None]
    refusal: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))


# Built once: every act that moves money asks both.
KEYS = IdempotencyKey.metadata.tables[IdempotencyKey.__tablename__]
TOLD = (KEYS.c.id, KEYS.c.route, KEYS.c.fingerprint, KEYS.c.reference, KEYS.c.refusal)
STORED = select(*TOLD).where(KEYS.c.scope == bindparam("scope"), KEYS.c.key == bindparam("key"))
STORE = insert(KEYS).values(
    {name: bindparam(name) for name in ("scope", "key", "route", "fingerprint", "reference", "refusal")}
)
Stored = Row[*tuple[Any, ...]]
"""What is told of a key: a row of the columns `TOLD`."""
Storing = Callable[[Session, dict[str, Any]], object]
"""Puts a key on record by the values of its row."""

REPLAYED = {"Idempotency-Replayed": "true"}
"""The header that marks an answer as the one given before."""


class RepeatedRefusal(Refusal):
    """A refusal that an earlier request with the same key got."""


@dataclass(frozen=True)
class Request:
    """A keyed request: its scope (terminal, player or user), key, route, and parsed body."""

    scope: str
    key: str
    route: str
    body: dict[str, Any]
    secret: bytes

    @property
    def fingerprint(self) -> bytes:
        """What the request means: equal for reordered fields and equal amounts written differently.

        Under the house's key, for a body may hold a document, and a plain digest of one could be guessed (D-16).
        """
        text = json.dumps([self.route, self.body], sort_keys=True, ensure_ascii=False, default=str)
        return hmac.new(self.secret, text.encode("utf-8"), hashlib.sha256).digest()

    def made(self, reference: int) -> dict[str, Any]:
        """The row of a request that made what has this id."""
        return {**self._row(), "reference": reference, "refusal": None}

    def refused(self, refusal: Refusal) -> dict[str, Any]:
        """The row of a request that was refused."""
        told = {"code": refusal.code, "detail": refusal.detail, **refusal.facts}
        return {**self._row(), "reference": None, "refusal": told}

    def _row(self) -> dict[str, Any]:
        return {"scope": self.scope, "key": self.key, "route": self.route, "fingerprint": self.fingerprint}


def store_key(session: Session, values: dict[str, Any]) -> None:
    """Put a key on record."""
    rows(session, STORE, values)


def storing_key(told: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    """A query of what was made, by its id ``:reference``, that puts the key on record by the way."""
    return told.add_cte(STORE.cte("stored"))


def once(
    session: Session, request: Request, act: Callable[[], int], *, known: Stored | None, store: Storing = store_key
) -> tuple[int, bool]:
    """Do the act under the request's key, unless ``known`` tells what it did before; commits.

    ``act`` returns the id of what it made. Returns that id and whether it was made by an earlier request.

    Raises:
        Refusal: the act's own, now or before; ``idempotency_key_reused`` when the key meant something else.
    """
    if known is not None:
        return _replayed(known, request), True
    try:
        reference = act()
        store(session, request.made(reference))
        session.commit()
        return reference, False
    except IntegrityError as clash:
        session.rollback()
        stored = find(session, request.scope, request.key)
        if stored is None:
            raise clash
        return _replayed(stored, request), True
    except Refusal as refusal:
        session.rollback()
        return _refuse(session, request, refusal), True


def find(session: Session, scope: str, key: str) -> Stored | None:
    """What is on record under a key of this scope."""
    return rows(session, STORED, {"scope": scope, "key": key}).first()


def refusal_of(stored: Stored) -> Refusal | None:
    """The refusal on record under a key, if it was refused."""
    if stored.refusal is None:
        return None
    facts = dict(stored.refusal)
    return RepeatedRefusal(facts.pop("code"), facts.pop("detail"), **facts)


def _refuse(session: Session, request: Request, refusal: Refusal) -> int:
    """Put the refusal on record, or give the answer of whoever was first."""
    try:
        store_key(session, request.refused(refusal))
        session.commit()
    except IntegrityError:
        session.rollback()
        stored = find(session, request.scope, request.key)
        assert stored is not None, "a clash of keys means that one is on record"
        return _replayed(stored, request)
    raise refusal


def _replayed(stored: Stored, request: Request) -> int:
    if stored.fingerprint != request.fingerprint:
        raise Refusal("idempotency_key_reused", "Этот ключ уже использован для другого запроса: возьмите новый.")
    refused = refusal_of(stored)
    if refused is not None:
        raise refused
    reference: int | None = stored.reference
    assert reference is not None, "a key is on record with what it made or why it was refused"
    return reference
