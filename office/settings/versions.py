"""Versions of settings: who set what, when and why, from which instant, and what held before."""

from __future__ import annotations

from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import ForeignKey, Function, Index, func, literal, select
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, Session, mapped_column

from db.base import Fact
from db.instants import Instant
from office.settings.kinds import Setting

Value = TypeVar("Value")


class SettingVersion(Fact):
    """A value a setting has from an instant on, with the value that would have held there without it (``old``)."""

    __tablename__ = "setting_versions"
    __table_args__ = (Index("ix_setting_versions_name_effective_from_id", "name", "effective_from", "id"),)

    name: Mapped[str]
    value: Mapped[Any] = mapped_column(JSONB)
    old: Mapped[Any] = mapped_column(JSONB)
    effective_from: Mapped[datetime]
    reason: Mapped[str]
    changed_by: Mapped[int] = mapped_column(ForeignKey("users.id"))


def value_of(session: Session, setting: Setting[Value], at: datetime | None = None) -> Value:
    """What a setting is at an instant, now by the trade's clock if none is named."""
    instant = func.trade_clock() if at is None else literal(at, Instant)
    told = session.execute(select(told_at(setting, instant))).scalar_one()
    return setting.default if told is None else setting.kind.read(told)


def told_at(setting: Setting[Any], instant: Any) -> Function[Any]:
    """What a setting is at an instant, a column's or a value, as JSON for a query; NULL while nobody has set it."""
    return func.setting_at(setting.name, instant, type_=JSONB)
