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
SALES_STOPPED = _kind("sales_stopped", "Остановлены продажи", Severity.WARNING)
ALL_SALES_STOPPED = _kind("all_sales_stopped", "Остановлены все продажи", Severity.ALARM)
SALES_RESUMED = _kind("sales_resumed", "Возобновлены продажи", Severity.WARNING)
