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
    """A kind of event: its stable code, what people read, how loud it is.

    Neither code nor title of a released kind is ever changed: exports of the past must come out the same (DESIGN 3.8).
    """

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


def title_of(code: str) -> str:
    """What people read for a kind; one that a newer release wrote is shown by its code."""
    return KINDS[code].title if code in KINDS else code


USER_CREATED = _kind("user_created", "Создан логин сотрудника", Severity.NOTICE)
SETTING_CHANGED = _kind("setting_changed", "Изменена настройка", Severity.WARNING)

LARGE_BET = _kind("large_bet", "Крупная ставка", Severity.WARNING)
LARGE_WIN = _kind("large_win", "Крупный выигрыш", Severity.WARNING)
CASH_DIFFERS = _kind("cash_differs", "Расхождение наличных при закрытии смены", Severity.WARNING)

SWEEP_FAILED = _kind("sweep_failed", "Плановая работа не выполняется", Severity.ALARM)
SWEEP_RECOVERED = _kind("sweep_recovered", "Плановая работа снова выполняется", Severity.NOTICE)
SEAL_FAILED = _kind("seal_failed", "Записи не опечатываются", Severity.ALARM)
SEAL_RECOVERED = _kind("seal_recovered", "Записи снова опечатываются", Severity.NOTICE)
CLOCK_DIFFERS = _kind("clock_differs", "Часы машины расходятся с часами базы данных", Severity.ALARM)
CLOCK_AGREES = _kind("clock_agrees", "Часы машины снова верны", Severity.NOTICE)

BOOKS_AUDITED = _kind("books_audited", "Сверка книг: расхождений нет", Severity.NOTICE)
BOOKS_BROKEN = _kind("books_broken", "Сверка книг: найдены расхождения", Severity.ALARM)
SEALS_BROKEN = _kind("seals_broken", "Проверка печатей: записи изменены", Severity.ALARM)

EVENTS_EXPORTED = _kind("events_exported", "Выгружен журнал значимых событий", Severity.NOTICE)
CHANNEL_FAILED = _kind("alarm_channel_failed", "Канал тревог не доставляет извещения", Severity.ALARM)
CHANNEL_RECOVERED = _kind("alarm_channel_recovered", "Канал тревог снова доставляет извещения", Severity.NOTICE)
