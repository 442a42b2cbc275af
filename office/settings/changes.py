"""Changing a setting: a new version from an instant on; what was done before it, and what is planned, stays."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from ledger.refusals import Refusal
from office.callers import Caller
from office.gate import refuse_too_early, shut_house
from office.settings.kinds import JSON, Setting, WrongValueError
from office.settings.versions import SettingVersion
from office.significant.kinds import SETTING_CHANGED
from office.significant.log import note


def set_value(
    session: Session,
    setting: Setting[Any],
    told: object,
    *,
    by: Caller,
    reason: str,
    effective_from: datetime | None = None,
    unset: JSON | None = None,
) -> SettingVersion:
    """Let a setting have another value from an instant on, or as soon as it can be if none is named.

    ``told`` is the new value as JSON, ``unset`` what holds while nobody has set it if that is not the default.

    At an instant that version holds whose ``effective_from`` is the latest up to it; of two with the same instant the
    one made later. So a change for today leaves a change planned for tomorrow standing, and a planned one is withdrawn,
    or replaced, by another version for the same instant. The house's gate is taken: every sale entered after the
    instant goes by the new value.

    Raises:
        Refusal: ``setting_value_wrong``, with what it may be; ``setting_unchanged``, it has that value then anyway;
            ``effective_from_too_early`` with the earliest instant: in the past, or within the setting's notice.
        OperationalError: sales under way did not end in time.
    """
    assert by.user_id is not None, "settings are changed by users of the office"
    value = _read(setting, told)
    earliest = shut_house(session) + setting.notice
    instant = earliest if effective_from is None else effective_from
    refuse_too_early(instant, earliest)
    old = held_at(session, setting.name, instant)
    held = old.value if old is not None else setting.kind.write(setting.default) if unset is None else unset
    if held == value:
        raise Refusal("setting_unchanged", "Настройка и так имеет это значение с указанного момента.", value=held)
    version = SettingVersion(
        name=setting.name, value=value, old=held, effective_from=instant, reason=reason, changed_by=by.user_id
    )
    session.add(version)
    session.flush()
    facts = {"old": held, "new": value, "effective_from": instant.isoformat(), "reason": reason}
    note(session, SETTING_CHANGED, f"setting:{setting.name}", by, **facts)
    return version


def held_at(session: Session, name: str, instant: datetime) -> SettingVersion | None:
    """The version that holds at an instant; none while nobody has set the setting."""
    held = select(SettingVersion).where(SettingVersion.name == name, SettingVersion.effective_from <= instant)
    return session.scalar(held.order_by(SettingVersion.effective_from.desc(), SettingVersion.id.desc()).limit(1))


def planned_after(session: Session, instant: datetime) -> Sequence[SettingVersion]:
    """The versions of all settings that take effect after an instant, in the order in which they do."""
    later = select(SettingVersion).where(SettingVersion.effective_from > instant)
    return session.scalars(later.order_by(SettingVersion.effective_from, SettingVersion.id)).all()


def history(session: Session, name: str, before: int, limit: int) -> Sequence[SettingVersion]:
    """The versions of a setting, the latest made first, those made before the one with this id (0: from the latest)."""
    made = select(SettingVersion).where(SettingVersion.name == name).order_by(SettingVersion.id.desc()).limit(limit)
    return session.scalars(made.where(SettingVersion.id < before) if before else made).all()


def _read(setting: Setting[Any], told: object) -> JSON:
    try:
        return setting.kind.write(setting.kind.read(told))
    except WrongValueError as wrong:
        raise Refusal("setting_value_wrong", str(wrong), field="value") from wrong
