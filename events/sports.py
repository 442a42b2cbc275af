"""The register of sports: codes, what people read, and the periods whose scores a result may tell (D-24)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

REGULAR_TIME = "regular_time"
OTHER = "other"


@dataclass(frozen=True)
class Sport:
    """A sport: its stable code, its Russian name, its periods by code in the order they are played.

    The scores of the ``parts`` add up to that of regular time. A sport without periods has none of a list: they are
    called as they are called.
    """

    code: str
    title: str
    periods: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[str, ...] = ()


SPORTS: dict[str, Sport] = {}
"""Every sport by its code."""

_MAIN = {REGULAR_TIME: "Основное время"}
_EXTRA = {"extra_time": "Дополнительное время", "penalties": "Послематчевые пенальти"}
_HALVES = {"first_half": "1-й тайм", "second_half": "2-й тайм"}


def _numbered(code: str, title: str, count: int) -> dict[str, str]:
    return {f"{code}_{number}": f"{number}-{title}" for number in range(1, count + 1)}


def _sport(
    code: str, title: str, periods: Mapping[str, str] | None = None, parts: Mapping[str, str] | None = None
) -> None:
    if code in SPORTS:
        raise ValueError(f"two sports are called {code}")
    SPORTS[code] = Sport(code, title, {**(parts or {}), **(periods or {})}, tuple(parts or ()))


def sport_title(code: str) -> str:
    """What people read for a sport; a word from before the register is shown as it is."""
    return SPORTS[code].title if code in SPORTS else code


def periods_of(code: str) -> Mapping[str, str]:
    """The periods a result of this sport may tell, by code; none are listed where they are free."""
    return SPORTS[code].periods if code in SPORTS else {}


def period_title(sport: str, period: str) -> str:
    """What people read for a period; one that no list has is shown as it is."""
    return periods_of(sport).get(period, period)


_sport("football", "Футбол", {**_MAIN, **_EXTRA}, _HALVES)
_sport("futsal", "Мини-футбол", {**_MAIN, **_EXTRA}, _HALVES)
_sport("handball", "Гандбол", {**_MAIN, **_EXTRA}, _HALVES)
_sport(
    "hockey",
    "Хоккей",
    {**_MAIN, "overtime": "Овертайм", "shootout": "Серия буллитов"},
    _numbered("period", "й период", 3),
)
_sport("basketball", "Баскетбол", {**_MAIN, "overtime": "Овертайм"}, _numbered("quarter", "я четверть", 4))
_sport("tennis", "Теннис", {"sets": "Счёт по сетам", **_numbered("set", "й сет", 5)})
_sport("volleyball", "Волейбол", {"sets": "Счёт по партиям", **_numbered("set", "я партия", 5)})
_sport("table_tennis", "Настольный теннис", {"sets": "Счёт по партиям", **_numbered("set", "я партия", 7)})
_sport("athletics", "Лёгкая атлетика")
_sport("biathlon", "Биатлон")
_sport("boxing", "Бокс")
_sport("chess", "Шахматы")
_sport("esports", "Киберспорт")
_sport("horse_racing", "Конный спорт")
_sport("martial_arts", "Единоборства")
_sport("motorsport", "Автомотоспорт")
_sport("skiing", "Лыжный спорт")
_sport(OTHER, "Другое событие")
