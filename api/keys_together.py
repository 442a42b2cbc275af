"""Many keyed acts that commit in one transaction: what of them is on record, and their keys put on record at once."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from psycopg.errors import UniqueViolation
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from api.idempotency import IdempotencyKey, Request

KNOWN = text("SELECT key FROM idempotency_keys WHERE scope = :scope AND key = ANY(CAST(:keys AS text[]))")
# Fingerprints come as hexadecimal text, which the driver writes out faster than bytes.
STORE = text("""
    INSERT INTO idempotency_keys (scope, key, route, fingerprint, reference)
    SELECT scope, key, route, decode(fingerprint, 'hex'), reference
    FROM unnest(CAST(:scopes AS text[]), CAST(:keys AS text[]), CAST(:routes AS text[]),
        CAST(:fingerprints AS text[]), CAST(:references AS bigint[])) WITH ORDINALITY
        AS one (scope, key, route, fingerprint, reference, place) ORDER BY place
""")


def known(session: Session, scope: str, keys: Collection[str]) -> set[str]:
    """Those of these keys of a scope that are on record, whatever became of them."""
    return set(session.scalars(KNOWN, {"scope": scope, "keys": list(keys)}))


def store(session: Session, made: Sequence[tuple[Request, int]]) -> None:
    """Put requests on record with what each made, in the transaction that made it.

    Raises:
        IntegrityError: another request with one of the keys was first; nothing of this transaction may stay.
    """
    # In one order, so that of two batches with the same keys one waits, and not each for the other.
    made = sorted(made, key=lambda one: one[0].key)
    requests = [request for request, _ in made]
    columns = {
        "scopes": [request.scope for request in requests],
        "keys": [request.key for request in requests],
        "routes": [request.route for request in requests],
        "fingerprints": [request.fingerprint.hex() for request in requests],
        "references": [reference for _, reference in made],
    }
    session.execute(STORE, columns)


def another_was_first(error: Exception) -> bool:
    """Whether what went wrong is that another request put one of the keys on record first."""
    clash = error.orig if isinstance(error, IntegrityError) else None
    return isinstance(clash, UniqueViolation) and clash.diag.table_name == IdempotencyKey.__tablename__
