"""Who and what the demonstration has: its days, people, desk and money. All amounts are Belarusian roubles.

The matches stand in :mod:`~api.commands.demonstration.matches`, bets and claims in
:mod:`~api.commands.demonstration.bets`. All are inputs, and nothing that follows from them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from office.callers import Role

DAY = "2022-11-22"
NEXT_DAY = "2022-11-23"
THIRD_DAY = "2022-11-24"
LAPSED_DAY = "2023-02-24"
"""The first day on which wins of the first day's pools are not paid any more (T-Rules 40)."""
OFFSET = "+03:00"
"""Minsk and Qatar keep the same time."""

PASSWORD = "demonstration-2022"
STAFF = {
    "administrator": ("Ольга Администратор", Role.ADMINISTRATOR),
    "organizer": ("Пётр Организатор", Role.ORGANIZER),
    "second-organizer": ("Вера Организатор", Role.ORGANIZER),
    "supervisor": ("Раиса Контролёр", Role.SUPERVISOR),
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
COUNTED_AT_NIGHT = "795.01"
COUNTED_NEXT_EVENING = "695.01"
COUNTED_THIRD_EVENING = "659.01"


def instant(clock: str, day: str = DAY) -> datetime:
    """An instant of the day by the clock on the wall in Minsk."""
    return datetime.fromisoformat(f"{day}T{clock}:00{OFFSET}")


SALES_BEGIN = instant("09:00")


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
    PlayerFacts("anna", "Лесная", "Анна", "1985-02-28", "70.00"),
)
