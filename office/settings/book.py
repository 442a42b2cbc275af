"""The settings as a process knows them: read once, and again only when somebody has changed one (DESIGN 3.4)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from operator import itemgetter
from typing import Any, TypeVar

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from office.settings.kinds import Setting
from office.settings.register import REGISTER
from office.settings.versions import SettingVersion

Value = TypeVar("Value")
Versions = tuple[tuple[datetime, Any], ...]
EPOCH = select(func.coalesce(func.max(SettingVersion.id), 0))
ALL = select(SettingVersion).order_by(SettingVersion.name, SettingVersion.effective_from, SettingVersion.id)


@dataclass(frozen=True)
class Settings:
    """All versions of all settings up to ``epoch``, the newest version's id; it never changes, so threads share it."""

    epoch: int = 0
    versions: Mapping[str, Versions] = field(default_factory=dict)

    def value(self, setting: Setting[Value], at: datetime) -> Value:
        """What a setting is at an instant: the version with the latest ``effective_from`` up to it, or the default."""
        return self.value_or(setting, at, setting.default)

    def value_or(self, setting: Setting[Value], at: datetime, unset: Value) -> Value:
        """The same, with what holds while nobody has set it."""
        versions = self.versions.get(setting.name, ())
        place = bisect_right(versions, at, key=itemgetter(0))
        found: Value = versions[place - 1][1] if place else unset
        return found


class SettingsBook:
    """A process's copy of the settings. Whoever knows the epoch of the moment need not ask for it.

    Versions are numbered in the order of their commits, for whoever writes one holds the house's gate: a copy with the
    newest version's number lacks none. A sale is told the epoch by its gates, behind which no version can slip in, so
    that it goes by every change made before it, in whatever process.
    """

    def __init__(self) -> None:
        self._known = Settings()

    def read(self, session: Session, epoch: int | None = None) -> Settings:
        """The settings as of ``epoch`` or newer; of now, by a statement, if none is named.

        Not for a transaction that has written a version itself: other threads would believe what may be rolled back.
        """
        wanted = session.scalars(EPOCH).one() if epoch is None else epoch
        if self._known.epoch < wanted:
            self._known = _all_of(session)
        return self._known


def _all_of(session: Session) -> Settings:
    versions: dict[str, list[tuple[datetime, Any]]] = {}
    newest = 0
    for version in session.scalars(ALL.execution_options(populate_existing=True)):
        newest = max(newest, version.id)
        setting = REGISTER.get(version.name)
        # What a release no longer knows stays on record, and decides nothing.
        if setting is not None:
            versions.setdefault(version.name, []).append((version.effective_from, setting.kind.read(version.value)))
    return Settings(newest, {name: tuple(each) for name, each in versions.items()})
