"""Sportloto-Variant: one price, one outcome, the fund shared by number among the full matches (T-Rules 2, 11.2)."""

from tote.games.shared.matching import FullMatch
from tote.games.shared.sportloto import TERMS, Sportloto, sportloto_terms
from tote.rules.pool import AnnouncedTerms, PoolTerms


class SportlotoVariant(Sportloto, FullMatch):
    """The game as the register knows it."""

    code = "sportloto_variant"
    title = "Спортлото-Вариант"
    terms_fields = TERMS
    bet_fields = frozenset({"outcome", "count"})

    def terms(self, announced: AnnouncedTerms) -> PoolTerms:
        return sportloto_terms(announced)


GAME = SportlotoVariant()
