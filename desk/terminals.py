"""Terminals: installed at a desk for good, proved by a secret that can be changed, withdrawn once and finally."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Integer, Row, Select, cast, func, select
from sqlalchemy.orm import Session

from db.pages import matching, newest_first
from desk.gates import TERMINAL_GATE, refuse_withdrawn_terminal, stand_at, stand_in
from desk.models import Terminal, TerminalCredential, TerminalWithdrawal
from ledger.refusals import Refusal
from office.callers import Caller
from office.significant.kinds import TERMINAL_INSTALLED, TERMINAL_SECRET_CHANGED, TERMINAL_WITHDRAWN
from office.significant.log import note
from office.tokens import AccessToken, end_sessions


def install_terminal(session: Session, desk_id: int, code: str, secret: str, by: Caller) -> Terminal:
    """Put a terminal at a desk; its secret is kept as a hash.

    Raises:
        Refusal: ``not_found``, no such desk; ``desk_withdrawn``; ``code_taken``.
    """
    desk = stand_in(session, desk_id)
    if session.scalar(select(Terminal.id).where(Terminal.code == code)) is not None:
        raise Refusal("code_taken", "Терминал с таким кодом уже установлен.", field="code")
    terminal = Terminal(desk_id=desk_id, code=code, secret_digest=_digest(secret))
    session.add(terminal)
    session.flush()
    note(session, TERMINAL_INSTALLED, f"terminal:{terminal.id}", by, code=code, desk=desk.code)
    return terminal


def change_secret(session: Session, terminal_id: int, secret: str, reason: str, by: Caller) -> TerminalCredential:
    """Give a terminal another secret: the old one ends at once, and with it every session at the terminal.

    The terminal's gate is taken alone: whoever is signing in with the old secret is waited for and then signed out,
    whoever comes later is asked for the new one.

    Raises:
        Refusal: ``not_found``; ``terminal_withdrawn``.
    """
    assert by.user_id is not None, "a user of the office gives out secrets"
    terminal, at = _alone_at(session, terminal_id)
    credential = TerminalCredential(
        terminal_id=terminal_id, secret_digest=_digest(secret), reason=reason, issued_by=by.user_id, issued_at=at
    )
    session.add(credential)
    session.flush()
    ended = end_sessions(session, AccessToken.terminal_id == terminal_id)
    facts = {"code": terminal.code, "reason": reason, "sessions_ended": ended}
    note(session, TERMINAL_SECRET_CHANGED, f"terminal:{terminal_id}", by, **facts)
    return credential


def withdraw_terminal(session: Session, terminal_id: int, reason: str, by: Caller) -> TerminalWithdrawal:
    """Withdraw a terminal for good: its sessions end, and a sale on its way through it is refused by the gate.

    A shift that is open at its desk stays open: it is sold in and closed from the desk's other terminals.

    Raises:
        Refusal: ``not_found``; ``terminal_withdrawn``, it was already.
    """
    assert by.user_id is not None, "a user of the office withdraws terminals"
    terminal, at = _alone_at(session, terminal_id)
    withdrawal = TerminalWithdrawal(terminal_id=terminal_id, reason=reason, withdrawn_by=by.user_id, withdrawn_at=at)
    session.add(withdrawal)
    session.flush()
    ended = end_sessions(session, AccessToken.terminal_id == terminal_id)
    facts = {"code": terminal.code, "reason": reason, "sessions_ended": ended}
    note(session, TERMINAL_WITHDRAWN, f"terminal:{terminal_id}", by, **facts)
    return withdrawal


def prove_terminal(session: Session, code: str, secret: str) -> int:
    """The id of the terminal that knows its secret; the secret holds until this transaction ends.

    The session that is begun here is committed before the secret can change or the terminal be withdrawn.

    Raises:
        Refusal: ``unknown_terminal``, whichever of the two is wrong; ``terminal_withdrawn``, told to who knows the
            secret alone.
    """
    terminal_id = session.scalar(select(Terminal.id).where(Terminal.code == code))
    expected = _digest("") if terminal_id is None else _held_secret(session, terminal_id)
    if not hmac.compare_digest(expected, _digest(secret)) or terminal_id is None:
        raise Refusal("unknown_terminal", "Терминал не опознан: проверьте его код и ключ.")
    return stand_at(session, terminal_id).id


def terminal(session: Session, terminal_id: int) -> Row[*tuple[Any, ...]]:
    """A terminal as it is listed.

    Raises:
        Refusal: ``not_found``.
    """
    found = session.execute(_listed().where(Terminal.id == terminal_id)).first()
    if found is None:
        raise no_such_terminal()
    return found


def terminals(
    session: Session, before: int, limit: int, *, desk_id: int | None = None, in_use: bool | None = None
) -> Sequence[Row[*tuple[Any, ...]]]:
    """The terminals of a desk, or of all, the newest first; only those in use, or only the withdrawn, where asked."""
    wanted = matching(_listed(), {Terminal.desk_id: desk_id, TerminalWithdrawal.id.is_(None): in_use})
    return session.execute(newest_first(wanted, Terminal.id, before, limit)).all()


def no_such_terminal() -> Refusal:
    """One refusal for a terminal that is not there and one of another desk."""
    return Refusal("not_found", "Такого терминала нет.")


def _alone_at(session: Session, terminal_id: int) -> tuple[Terminal, datetime]:
    """A terminal that stands, with its gate shut, and the instant it was shut at."""
    found = session.get(Terminal, terminal_id)
    if found is None:
        raise no_such_terminal()
    at: datetime = session.scalars(select(func.shut_gate(TERMINAL_GATE, terminal_id))).one()
    refuse_withdrawn_terminal(session, terminal_id)
    return found, at


def _held_secret(session: Session, terminal_id: int) -> bytes:
    """The digest of the terminal's secret, read behind its gate: the latest given, else the one it came with."""
    session.execute(select(func.pg_advisory_xact_lock_shared(TERMINAL_GATE, cast(terminal_id, Integer))))
    given = (
        select(TerminalCredential.secret_digest)
        .where(TerminalCredential.terminal_id == terminal_id)
        .order_by(TerminalCredential.id.desc())
        .limit(1)
        .scalar_subquery()
    )
    secret = select(func.coalesce(given, Terminal.secret_digest)).where(Terminal.id == terminal_id)
    return bytes(session.scalars(secret).one())


def _listed() -> Select[*tuple[Any, ...]]:
    given = (
        select(func.max(TerminalCredential.issued_at))
        .where(TerminalCredential.terminal_id == Terminal.id)
        .scalar_subquery()
    )
    return select(
        Terminal.id,
        Terminal.desk_id,
        Terminal.code,
        Terminal.recorded_at.label("installed_at"),
        given.label("secret_changed_at"),
        TerminalWithdrawal.withdrawn_at,
        TerminalWithdrawal.reason.label("withdrawal_reason"),
    ).outerjoin(TerminalWithdrawal, TerminalWithdrawal.terminal_id == Terminal.id)


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8")).digest()
