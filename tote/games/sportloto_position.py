"""Sportloto-Position: one price, a mark a position, each level's fund shared by number (T-Rules 3, 11.3, 11.4)."""

from tote.games.shared.matching import Positions
from tote.games.shared.sportloto import TERMS, Sportloto, sportloto_terms
from tote.rules.levels import checked_levels
from tote.rules.pool import AnnouncedTerms, PoolTerms


class SportlotoPosition(Sportloto, Positions):
    """The game as the register knows it; a level nobody reached feeds the jackpot (T-Rules 11.4)."""

    code = "sportloto_position"
    title = "Спортлото-Позиция"
    terms_fields = TERMS | {"levels"}
    bet_fields = frozenset({"marks", "count"})

    def terms(self, announced: AnnouncedTerms) -> PoolTerms:
        return sportloto_terms(announced, checked_levels(announced.levels))


GAME = SportlotoPosition()
