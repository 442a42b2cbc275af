"""The register of kinds of significant events: what is worth a regulator's or an owner's look (INDUSTRY)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How loud an event is: a notice is kept, a warning is shown, an alarm goes out through the alarm hook."""

    NOTICE = "notice"
    WARNING = "warning"
    ALARM = "alarm"


@dataclass(frozen=True)
class Kind:
    """A kind of event: its stable code, what people read, how loud it is."""

    code: str
    title: str
    severity: Severity


KINDS: dict[str, Kind] = {}
"""Every kind by its code."""


def _kind(code: str, title: str, severity: Severity) -> Kind:
    if code in KINDS:
        raise ValueError(f"two kinds of significant events are called {code}")
    KINDS[code] = Kind(code, title, severity)
    return KINDS[code]


USER_CREATED = _kind("user_created", "Создан логин сотрудника", Severity.NOTICE)
SETTING_CHANGED = _kind("setting_changed", "Изменена настройка", Severity.WARNING)
PERSON_VIEWED = _kind("person_viewed", "Персональные данные показаны без маски", Severity.NOTICE)
PERSONS_EXPORTED = _kind("persons_exported", "Персональные данные выгружены списком без маски", Severity.WARNING)
PERSONS_SEARCHED = _kind("persons_searched", "Поиск лица по персональным данным", Severity.NOTICE)
PERSON_AMENDED = _kind("person_amended", "Данные лица дополнены или исправлены", Severity.NOTICE)
PERSON_ERASED = _kind("person_erased", "Персональные данные удалены", Severity.WARNING)
KEYS_ROTATED = _kind("keys_rotated", "Ключи данных перевёрнуты на новый главный ключ", Severity.WARNING)
