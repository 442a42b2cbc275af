"""Totolot-Variant: any stake on one outcome, shared by money among the full matches (T-Rules 22.1, 36.1)."""

from tote.games.shared.matching import FullMatch
from tote.games.shared.totolot import TERMS, Totolot, totolot_terms
from tote.rules.pool import AnnouncedTerms, PoolTerms


class TotolotVariant(Totolot, FullMatch):
    """The game as the register knows it."""

    code = "totolot_variant"
    title = "Тотолот-Вариант"
    terms_fields = TERMS
    bet_fields = frozenset({"outcome", "stake", "count"})

    def terms(self, announced: AnnouncedTerms) -> PoolTerms:
        return totolot_terms(announced)


GAME = TotolotVariant()
