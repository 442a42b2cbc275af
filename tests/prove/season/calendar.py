"""A real calendar: when the matches of the English league of 2024/25 began, until 23 February, and how they ended.

Facts only, a line a day: of each hour, as the clocks in England showed it, the results at full time in the order of the
league's list, H for the hosts, D for a draw, A for the guests. There are 261 matches.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

ENGLAND = ZoneInfo("Europe/London")
OUTCOMES = {"H": "1", "D": "X", "A": "2"}
POSITIONS = 10
DAYS = """
2024-08-16 20:00H
2024-08-17 12:30A 15:00HAHD 17:30A
2024-08-18 14:00H 16:30A
2024-08-19 20:00D
2024-08-24 12:30H 15:00AHHAH 17:30A
2024-08-25 14:00DA 16:30H
2024-08-31 12:30D 15:00HADAD 17:30A
2024-09-01 13:30DH 16:00A
2024-09-14 12:30A 15:00DDDAH 17:30H 20:00A
2024-09-15 14:00A 16:30A
2024-09-21 12:30A 15:00HHDHDH 17:30D
2024-09-22 14:00D 16:30D
2024-09-28 12:30D 15:00HDHHA 17:30A
2024-09-29 14:00D 16:30A
2024-09-30 20:00H
2024-10-05 12:30A 15:00HHHHH 17:30D
2024-10-06 14:00DD 16:30H
2024-10-19 12:30H 15:00AAHAA 17:30H
2024-10-20 14:00A 16:30H
2024-10-21 20:00H
2024-10-25 20:00A
2024-10-26 15:00DHDH 17:30D
2024-10-27 14:00HHH 16:30D
2024-11-02 12:30H 15:00HDHHH 17:30D
2024-11-03 14:00H 16:30D
2024-11-04 20:00H
2024-11-09 15:00HADH 17:30H 20:00H
2024-11-10 14:00HAA 16:30D
2024-11-23 12:30A 15:00HDADA 17:30A
2024-11-24 14:00A 16:30D
2024-11-25 20:00A
2024-11-29 20:00D
2024-11-30 15:00HDHA 17:30A
2024-12-01 13:30HHD 16:00H
2024-12-03 19:30A 20:15H
2024-12-04 19:30HHDA 20:15HH
2024-12-05 19:30H 20:15H
2024-12-07 15:00HHD 17:30A
2024-12-08 14:00DAD 16:30A
2024-12-09 20:00H
2024-12-14 15:00DDHA 17:30H
2024-12-15 14:00A 16:30A 19:00HA
2024-12-16 20:00D
2024-12-21 12:30H 15:00AAD 17:30A
2024-12-22 14:00DDAA 16:30A
2024-12-26 12:30D 15:00DAHHA 17:30H 20:00H
2024-12-27 19:30D 20:15H
2024-12-29 14:30A 15:00HADD 17:15A
2024-12-30 19:45DH 20:00A
2025-01-01 17:30A
2025-01-04 12:30A 15:00HHDHA 17:30D
2025-01-05 14:00D 16:30D
2025-01-06 20:00A
2025-01-14 19:30DDH 20:00D
2025-01-15 19:30AAH 20:00H
2025-01-16 19:30A 20:00H
2025-01-18 12:30A 15:00AAA 17:30D
2025-01-19 14:00HAH 16:30A
2025-01-20 20:00H
2025-01-25 15:00HAHAA 17:30H
2025-01-26 14:00AA 16:30D 19:00A
2025-02-01 12:30H 15:00AHAA 17:30H
2025-02-02 14:00AA 16:30H
2025-02-03 20:00H
2025-02-12 19:30D
2025-02-14 20:00H
2025-02-15 12:30A 15:00DHHAA 17:30A
2025-02-16 14:00H 16:30H
2025-02-19 19:30D
2025-02-21 20:00A
2025-02-22 12:30D 15:00AAAAA 17:30H
2025-02-23 14:00H 16:30A
"""


@dataclass(frozen=True)
class Match:
    """A match: when it began, and the code of its outcome."""

    began: datetime
    outcome: str


@dataclass(frozen=True)
class Round:
    """Ten matches on which one pool is held, in the order of the calendar."""

    number: int
    matches: tuple[Match, ...]

    @property
    def begins(self) -> datetime:
        """When its first match began."""
        return self.matches[0].began

    @property
    def ends(self) -> datetime:
        """When its last match began."""
        return self.matches[-1].began

    @property
    def outcomes(self) -> tuple[str, ...]:
        """What came true, position by position."""
        return tuple(match.outcome for match in self.matches)


def matches() -> Iterator[Match]:
    """The matches, in the order in which they were played."""
    for line in DAYS.split("\n")[1:-1]:
        day, *hours = line.split(" ")
        for told in hours:
            began = datetime.fromisoformat(f"{day}T{told[:5]}").replace(tzinfo=ENGLAND)
            for result in told[5:]:
                yield Match(began, OUTCOMES[result])


def rounds(number: int) -> list[Round]:
    """So many rounds from the first match to the last one.

    A league plays 38 rounds of ten, but this list ends in February with 261 matches. The rounds begin evenly spread
    over it: where there are more than 26 of them, the first matches of one are the last ones of the round before, as
    with pools that are held side by side.
    """
    played = tuple(matches())
    last = len(played) - POSITIONS
    begins = [place * last // (number - 1) for place in range(number)]
    assert all(earlier < later for earlier, later in pairwise(begins))
    return [Round(place + 1, played[first : first + POSITIONS]) for place, first in enumerate(begins)]
