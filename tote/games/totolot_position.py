"""Totolot-Position: any stake on a mark a position, each level's fund shared by money (T-Rules 22.2, 36.2)."""

from tote.games.shared.matching import Positions
from tote.games.shared.totolot import TERMS, Totolot, totolot_terms
from tote.rules.levels import EmptyLevel, checked_levels
from tote.rules.pool import AnnouncedTerms, PoolTerms


class TotolotPosition(Totolot, Positions):
    """The game as the register knows it."""

    code = "totolot_position"
    title = "Тотолот-Позиция"
    terms_fields = TERMS | {"levels", "empty_level"}
    bet_fields = frozenset({"marks", "stake", "count"})

    def terms(self, announced: AnnouncedTerms) -> PoolTerms:
        """Where nothing is said of it, the fund of a level nobody reached goes to the jackpot (T-Rules 38.1)."""
        empty_level = announced.empty_level or EmptyLevel.JACKPOT
        return totolot_terms(announced, checked_levels(announced.levels), empty_level)


GAME = TotolotPosition()
