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
APPROVAL_GIVEN = _kind("approval_given", "Второй сотрудник подтвердил действие", Severity.NOTICE)
APPROVAL_REFUSED = _kind("approval_refused", "Второй сотрудник отказал в действии", Severity.WARNING)
APPROVAL_WITHDRAWN = _kind("approval_withdrawn", "Предложение отозвано тем, кто его внёс", Severity.NOTICE)
PAYOUT_TYPED = _kind("payout_typed", "Выплата по коду, набранному вручную", Severity.WARNING)
PAYOUT_LARGE = _kind("payout_large", "Крупная выплата наличными", Severity.WARNING)
PAYOUTS_HELD = _kind("payouts_held", "Выплаты пула приостановлены", Severity.ALARM)
PAYOUTS_RELEASED = _kind("payouts_released", "Выплаты пула возобновлены", Severity.WARNING)
PROTOCOL_CORRECTED = _kind("protocol_corrected", "Протокол исправлен новым протоколом", Severity.ALARM)
