"""The bets of the demonstration day, and who comes to the desk with the tickets. Amounts are Belarusian roubles."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Bet:
    """A bet asked for: by a player from the game account, or for cash at the desk when no player is named."""

    name: str
    pool: str
    outcome: str
    stake: str
    player: str | None = None

    @property
    def key(self) -> str:
        """The key of its request, for ever the same."""
        return f"demonstration-bet-{self.name}"


@dataclass(frozen=True)
class Claim:
    """Somebody who comes for money in cash, with the ticket of a bet and a passport."""

    bet: Bet
    surname: str
    name: str
    passport: str


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
    Bet("e1", "BVE-SVI", "H", "20.00"),
    Bet("e2", "BVE-SVI", "H", "10.00", "anna"),
    Bet("e3", "BVE-SVI", "G", "30.00"),
    Bet("e4", "BVE-SVI", "G", "15.00", "ivan"),
    Bet("e5", "BVE-SVI", "N", "57.00"),
    Bet("e6", "BVE-SVI", "N", "75.00"),
    Bet("f1", "PZV-NAR", "1", "25.00"),
    Bet("f2", "PZV-NAR", "X", "10.00"),
    Bet("f3", "PZV-NAR", "2", "15.00", "ivan"),
)
_NAMED = {bet.name: bet for bet in BETS}
SENT_TWICE = _NAMED["a1"]
REFUSED = (
    Bet("over-maximum", "ARG-KSA", "1", "150.00"),
    Bet("over-balance", "FRA-AUS", "1", "50.00", "ivan"),
)
MISTYPED = _NAMED["e5"]
"""Sold with the figures of the stake turned round; the organizer cancels it, and ``e6`` is what was meant."""
LOST_TICKET = _NAMED["f2"]
"""Its holder has lost it, so that a duplicate is printed, and has not come for the stake."""
TOLD_TO_THE_END = tuple(_NAMED[name] for name in ("c1", "d1", "d2", "e1", "e2", "e3", "e4", "e5", "f1", "f2", "f3"))
"""The bets whose decisions are worth telling version by version."""

OF_THE_MISTYPED = Claim(MISTYPED, "Зайцева", "Ирина", "MP2000005")
OF_THE_BROKEN_OFF = Claim(_NAMED["f1"], "Белый", "Юрий", "MP2000004")
TOO_EARLY = Claim(_NAMED["a4"], "Соколов", "Олег", "MP2000001")
OF_THE_CORRECTED = Claim(_NAMED["e1"], "Мороз", "Елена", "MP2000002")
ON_THE_NEXT_DAY = (TOO_EARLY, OF_THE_CORRECTED, Claim(_NAMED["e3"], "Громов", "Павел", "MP2000003"))
PASSPORT_OF = {"kind": "паспорт", "issued_on": "2015-06-01", "issued_by": "Московское РУВД г. Минска"}
