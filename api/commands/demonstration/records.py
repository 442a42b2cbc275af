"""What the demonstration keeps between two starts: how far it has come, ids told once, a secret, papers.

The trade's clock is the bookmark. It is set at the beginning of each stage with the stage's name as the reason, in the
same database as everything else, so that a start after whatever crash knows which stage was under way.
"""

from __future__ import annotations

import json
import os
from datetime import datetime
from pathlib import Path

from sqlalchemy import select

from api.idempotency import IdempotencyKey
from db.clock import ClockShift, set_clock
from db.session import Sessions, transaction
from desk.models import Desk, Shift
from events.models import Event
from office.callers import Role
from office.users import User, create_user
from players.models import Player

REASON = "demonstration: "


class ForeignDatabaseError(RuntimeError):
    """Other people's data are in this database: no demonstration is played over them."""


class LostSecretError(RuntimeError):
    """The terminal's secret is gone in the middle of the day; without it no bet can be told from a new one."""


class Records:
    """The owner's view of the database, a file with the terminal's code and secret, and the folder of papers."""

    def __init__(self, owner: Sessions, memory: Path) -> None:
        self._owner = owner
        self._memory = memory

    def stage(self) -> str | None:
        """The stage the day has come to, none before the first.

        Raises:
            ForeignDatabaseError: somebody works here who is not of the demonstration.
        """
        with transaction(self._owner) as session:
            reason = session.scalar(select(ClockShift.reason).order_by(ClockShift.id.desc()).limit(1))
            foreign = session.scalar(select(User.id).limit(1)) is not None if reason is None else False
        if foreign or not (reason or REASON).startswith(REASON):
            raise ForeignDatabaseError("База уже занята другой работой: демонстрация играется только в пустой базе.")
        return reason.removeprefix(REASON) if reason else None

    def begin(self, stage: str, at: datetime) -> None:
        """Begin a stage, or begin it again: the trade's clock shows its instant."""
        with transaction(self._owner) as session:
            set_clock(session, at, REASON + stage)

    def first_login(self, login: str, name: str, password: str) -> None:
        """The administrator, whom nobody else could hire."""
        with transaction(self._owner) as session:
            if session.scalar(select(User.id).where(User.login == login)) is None:
                create_user(session, login, name, Role.ADMINISTRATOR, password)

    def event_id(self, code: str) -> int:
        """The id of an announced event; the API tells it to whoever announces, once."""
        with transaction(self._owner) as session:
            return session.scalars(select(Event.id).where(Event.code == code)).one()

    def desk_id(self, code: str) -> int:
        """The id of a registered desk."""
        with transaction(self._owner) as session:
            return session.scalars(select(Desk.id).where(Desk.code == code)).one()

    def player_id(self, login: str) -> int:
        """The id of a registration."""
        with transaction(self._owner) as session:
            return session.scalars(select(Player.id).where(Player.login == login)).one()

    def ticket_number(self, key: str) -> int:
        """The number of the ticket that a bet's key made."""
        made = select(IdempotencyKey.reference).where(IdempotencyKey.key == key, IdempotencyKey.reference.is_not(None))
        with transaction(self._owner) as session:
            # Whoever else sends this key some day comes later.
            number: int | None = session.scalars(made.order_by(IdempotencyKey.id).limit(1)).one()
        assert number is not None, "a key without a reference is left out"
        return number

    def shift_ids(self, desk_code: str) -> list[int]:
        """The shifts of a desk, in order."""
        with transaction(self._owner) as session:
            return list(session.scalars(select(Shift.id).join(Desk).where(Desk.code == desk_code).order_by(Shift.id)))

    def terminal(self) -> dict[str, str] | None:
        """Code and secret of the terminal, if they are remembered."""
        try:
            kept: dict[str, str] = json.loads(self._memory.read_text("utf-8"))
        except FileNotFoundError:
            return None
        return kept

    def remember_terminal(self, code: str, secret: str) -> None:
        """Keep what the API shows once."""
        _write(self._memory, json.dumps({"code": code, "secret": secret}).encode())

    @property
    def papers(self) -> Path:
        """The folder of the demonstration's papers."""
        return self._memory.parent / "demo"

    def leave_paper(self, name: str, content: bytes) -> None:
        """Leave a paper in its folder; one of an earlier start is replaced."""
        _write(self.papers / name, content)


def _write(path: Path, content: bytes) -> None:
    """Write a file for its owner alone, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.draft")
    draft.unlink(missing_ok=True)
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
