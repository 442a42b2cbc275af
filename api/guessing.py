"""Attempts at guessing, as a request makes them: counted and committed before they are tried (FIELD-FAULTS 113).

The request's own session counts them, in transactions of their own: a thread holds one connection, and a second one
asked for while the first is held could be waited for by all threads at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from flask import g, request
from sqlalchemy.exc import SQLAlchemyError

from api.house import house, session
from api.proxies import counted_as
from ledger.refusals import Refusal
from office.callers import Caller
from office.throttling.counts import count, forget, give_back
from office.throttling.doors import ADDRESS, REGISTRY, TICKET_CODES, Knock


def from_address() -> Knock:
    """An attempt of whoever sends this request, by the address it comes from."""
    forwarded = ",".join(request.headers.getlist("X-Forwarded-For"))
    return Knock(ADDRESS, counted_as(request.remote_addr or "", forwarded, house().trusted_proxies))


def codes_at(caller: Caller) -> Knock:
    """A ticket's code presented by a cashier, whoever it is at the terminal."""
    return Knock(TICKET_CODES, f"terminal:{caller.terminal_id}", about=f"terminal:{caller.terminal_id}")


def registry_for(caller: Caller) -> Knock:
    """A question about people that a caller could put again and again: logins that are taken, documents, names."""
    holder = f"user:{caller.user_id}" if caller.player_id is None else f"player:{caller.player_id}"
    return Knock(REGISTRY, holder, about=holder)


def attempt(*knocks: Knock) -> None:
    """Count an attempt at each door in turn; nothing of the request may be unwritten yet, for this commits.

    Raises:
        Refusal: ``too_many_attempts`` with the seconds to wait.
    """
    refused = count(session(), house().keys.code_hmac, *knocks, by=g.get("caller"))
    session().commit()
    if refused is not None:
        raise refused


def start_afresh(knock: Knock) -> None:
    """Forget what failed before at this door, in the request's transaction."""
    forget(session(), house().keys.code_hmac, knock)


@contextmanager
def guarded(wrong: str | tuple[str, ...], *knocks: Knock) -> Iterator[None]:
    """Let the block make one attempt, which stays counted only if it is refused with (one of) the codes ``wrong``.

    The block commits its own work. What it left unwritten when it was refused is thrown away.

    Raises:
        Refusal: ``too_many_attempts`` before the block; the block's own.
    """
    attempt(*knocks)
    try:
        yield
    except Refusal as refusal:
        if refusal.code not in ((wrong,) if isinstance(wrong, str) else wrong):
            session().rollback()
            _give_back(knocks)
        raise
    except Exception:
        # Nobody was told whether the guess was right: a database that stumbles must not shut the payout desk.
        with suppress(SQLAlchemyError):
            session().rollback()
            _give_back(knocks)
        raise
    _give_back(knocks)


def _give_back(knocks: tuple[Knock, ...]) -> None:
    for knock in knocks:
        give_back(session(), house().keys.code_hmac, knock)
    session().commit()
