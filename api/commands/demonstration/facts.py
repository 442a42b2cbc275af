"""The inputs of the demonstration day, and nothing that follows from them: people, money, pools, bets, claims.

Four matches of the World Cup's group stage, 22 November 2022, as they really ended. Each pool shows one way a fund may
go: won by some, won by nobody, won with a residue, won by everybody. All amounts are Belarusian roubles.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path

from office.callers import Role

GROUP_STAGE = Path(__file__).with_name("world_cup_2022_groups.csv")
DAY = "2022-11-22"
NEXT_DAY = "2022-11-23"
OFFSET = "+03:00"
"""Minsk and Qatar keep the same time."""
LAST_BETS = timedelta(minutes=5)
MATCH_LASTS = timedelta(hours=1, minutes=55)

PASSWORD = "demonstration-2022"
STAFF = {
    "administrator": ("Ольга Администратор", Role.ADMINISTRATOR),
    "organizer": ("Пётр Организатор", Role.ORGANIZER),
    "second-organizer": ("Вера Организатор", Role.ORGANIZER),
    "cashier": ("Нина Кассир", Role.CASHIER),
    "accountant": ("Лев Бухгалтер", Role.ACCOUNTANT),
}
COMMISSION = ["Пётр Организатор", "Вера Организатор"]

DESK = {
    "code": "K-1",
    "place": "Минск, пр. Победителей, 1",
    "certificate": "100-2022-1",
    "cash_register": "SN-4711",
}
CERTIFICATE = {"number": "100-2022", "desks": 3, "issued_on": "2022-01-10"}
TREASURY = (("own_money_in", "2000.00"), ("special_account_in", "1000.00"))
CHANGE = "200.00"
CASH_LIMIT = {"limit": "600.00", "basis": "письмо банка № 12 от 01.11.2022"}
COUNTED_AT_OPENING = "200.00"
COUNTED_AT_NIGHT = "650.01"
COUNTED_NEXT_EVENING = "592.87"

MINIMUM_STAKE = "1.00"
MAXIMUM_STAKE = "100.00"
OUTCOMES = {"1": "Победа хозяев", "X": "Ничья", "2": "Победа гостей"}


def instant(clock: str, day: str = DAY) -> datetime:
    """An instant of the day by the clock on the wall in Minsk."""
    return datetime.fromisoformat(f"{day}T{clock}:00{OFFSET}")


SALES_BEGIN = instant("09:00")


@dataclass(frozen=True)
class Match:
    """A match of the day: its sides, the instant of its kick-off, its real score."""

    code: str
    home: str
    away: str
    starts_at: datetime

    @property
    def name(self) -> str:
        """The match as a ticket names it."""
        return f"{self.home} — {self.away}"

    @property
    def bets_until(self) -> datetime:
        """When its pool stops selling."""
        return self.starts_at - LAST_BETS

    @property
    def ends_at(self) -> datetime:
        """When its result is known."""
        return self.starts_at + MATCH_LASTS

    @cached_property
    def score(self) -> str:
        """The goals of home and away side, as they really were."""
        return next(row["score"] for row in _group_stage() if (row["home"], row["away"]) == (self.home, self.away))

    @property
    def outcome(self) -> str:
        """The outcome the score makes true: 1, X or 2."""
        home, away = (int(goals) for goals in self.score.split(":"))
        return "X" if home == away else "1" if home > away else "2"


MATCHES = (
    Match("ARG-KSA", "Аргентина", "Саудовская Аравия", instant("13:00")),
    Match("DEN-TUN", "Дания", "Тунис", instant("16:00")),
    Match("MEX-POL", "Мексика", "Польша", instant("19:00")),
    Match("FRA-AUS", "Франция", "Австралия", instant("22:00")),
)


@dataclass(frozen=True)
class PlayerFacts:
    """A player: the login, who registers, and the cash paid in at the desk."""

    login: str
    surname: str
    name: str
    birth_date: str
    deposit: str


PLAYERS = (
    PlayerFacts("ivan", "Ковалёв", "Иван", "1990-05-17", "100.00"),
    PlayerFacts("anna", "Лесная", "Анна", "1985-02-28", "60.00"),
)


@dataclass(frozen=True)
class Bet:
    """A bet asked for: by a player from the game account, or for cash at the desk when no player is named."""

    name: str
    pool: str
    outcome: str
    stake: str
    player: str | None = None


BETS = (
    Bet("a1", "ARG-KSA", "1", "40.00"),
    Bet("a2", "ARG-KSA", "1", "60.00"),
    Bet("a3", "ARG-KSA", "X", "20.00"),
    Bet("a4", "ARG-KSA", "2", "15.00"),
    Bet("a5", "ARG-KSA", "2", "30.00", "ivan"),
    Bet("a6", "ARG-KSA", "1", "35.00", "anna"),
    Bet("b1", "DEN-TUN", "1", "50.00"),
    Bet("b2", "DEN-TUN", "2", "12.50", "anna"),
    Bet("c1", "MEX-POL", "X", "10.00"),
    Bet("c2", "MEX-POL", "X", "10.00", "anna"),
    Bet("c3", "MEX-POL", "X", "15.00", "ivan"),
    Bet("c4", "MEX-POL", "1", "45.00"),
    Bet("c5", "MEX-POL", "2", "20.01"),
    Bet("d1", "FRA-AUS", "1", "30.00"),
    Bet("d2", "FRA-AUS", "1", "20.05", "ivan"),
)
SENT_TWICE = BETS[0]
REFUSED = (
    Bet("over-maximum", "ARG-KSA", "1", "150.00"),
    Bet("over-balance", "FRA-AUS", "1", "50.00", "ivan"),
)


@dataclass(frozen=True)
class Claim:
    """Somebody who comes for a win in cash on the next day, with the ticket of a bet and a passport."""

    bet: Bet
    surname: str
    name: str
    passport: str


CLAIMS = (
    Claim(BETS[3], "Соколов", "Олег", "MP2000001"),
    Claim(BETS[8], "Мороз", "Елена", "MP2000002"),
)
TOO_EARLY = CLAIMS[0]
PASSPORT_OF = {"kind": "паспорт", "issued_on": "2015-06-01", "issued_by": "Московское РУВД г. Минска"}


def _group_stage() -> Iterator[dict[str, str]]:
    with GROUP_STAGE.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)
