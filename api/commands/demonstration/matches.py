"""The matches of the demonstration day, with what was entered for each.

Four are of the World Cup's group stage, 22 November 2022, as they really ended. Each of their pools shows one way a
fund may go: won by some, won by nobody, won with a residue, won by everybody. Two are invented, of a league with sides
that do not exist: one breaks off, of the other a score is written down wrongly and corrected on the next day.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from api.commands.demonstration.facts import DAY, instant

GROUP_STAGE = Path(__file__).with_name("world_cup_2022_groups.csv")
LAST_BETS = timedelta(minutes=5)
MATCH_LASTS = timedelta(hours=1, minutes=55)
MINIMUM_STAKE = "1.00"
MAXIMUM_STAKE = "100.00"
WHO_WINS = {"1": "Победа хозяев", "X": "Ничья", "2": "Победа гостей"}
WHO_SCORES = {"H": "Хозяева забьют", "G": "Гости забьют", "N": "Голов не будет"}


@dataclass(frozen=True)
class Verdict:
    """What two persons say of a match: its score, and the outcomes that came true; none where it broke off."""

    score: str
    outcomes: tuple[str, ...]

    @property
    def standing(self) -> str:
        """Whether it took place, as the API has it (T-Rules 32)."""
        return "held" if self.outcomes else "interrupted"


@dataclass(frozen=True)
class Match:
    """A match, its pool's outcomes, and what was entered for it: at first, and in a protocol that corrects the first.

    Its pool has its code.
    """

    code: str
    home: str
    away: str
    starts_at: datetime
    verdict: Verdict
    corrected: Verdict | None = None
    venue_zone: str = "Asia/Qatar"
    pool_name: str = "Исход матча"
    outcomes: Mapping[str, str] = field(default_factory=lambda: WHO_WINS)

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

    @property
    def in_force(self) -> Verdict:
        """What holds of it in the end."""
        return self.corrected or self.verdict


def _world_cup(code: str, home: str, away: str, kick_off: str) -> Match:
    """A match as it really ended."""
    with GROUP_STAGE.open(encoding="utf-8", newline="") as file:
        (score,) = (row["score"] for row in csv.DictReader(file) if (row["day"], row["home"]) == (DAY, home))
    goals, against = (int(side) for side in score.split(":"))
    outcome = "X" if goals == against else "1" if goals > against else "2"
    return Match(code, home, away, instant(kick_off), Verdict(score, (outcome,)))


BROKEN_OFF = Match(
    "PZV-NAR",
    "Полесская звезда",
    "Нарочанка",
    instant("14:30"),
    Verdict("0:0", ()),
    venue_zone="Europe/Minsk",
)
MISWRITTEN = Match(
    "BVE-SVI",
    "Белая Вежа",
    "Свитязь-2",
    instant("17:30"),
    Verdict("2:1", ("H", "G")),
    corrected=Verdict("2:0", ("H",)),
    venue_zone="Europe/Minsk",
    pool_name="Кто забьёт",
    outcomes=WHO_SCORES,
)
MATCHES = (
    _world_cup("ARG-KSA", "Аргентина", "Саудовская Аравия", "13:00"),
    BROKEN_OFF,
    _world_cup("DEN-TUN", "Дания", "Тунис", "16:00"),
    MISWRITTEN,
    _world_cup("MEX-POL", "Мексика", "Польша", "19:00"),
    _world_cup("FRA-AUS", "Франция", "Австралия", "22:00"),
)
