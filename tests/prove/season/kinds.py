"""The kinds of rounds of a season: what is announced, and what happens in them that is not the rule."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

TOTOLOT = {"game": "totolot_position", "minimum_stake": "0.01", "maximum_stake": "1000.00"}
SPORTLOTO = {"game": "sportloto_position"}


@dataclass(frozen=True)
class Kind:
    """A kind of round: its terms as they are announced; how many cover everything.

    ``missed`` is the position that was not held, counted from 0. Where all ``avoid`` the first result no row matches in
    every position, so that nobody is on a level of 100 percent. ``corrected``: a first protocol told it wrong.
    """

    terms: dict[str, Any] = field(default_factory=dict)
    full_covers: int = 0
    missed: int | None = None
    avoid: bool = False
    corrected: bool = False


def levels(*told: tuple[str, str, str]) -> list[dict[str, str]]:
    """Levels as they are announced: from, to, share."""
    return [{"from": low, "to": high, "share": share} for low, high, share in told]


THREE = levels(("100", "100", "50"), ("90", "90", "30"), ("80", "80", "20"))
TWO = levels(("90", "100", "200/3"), ("200/3", "89.9999", "100/3"))
ALL_OR_NOTHING = levels(("100", "100", "100"))
EVERYBODY = levels(("60.0001", "100", "50"), ("0", "60", "50"))
HALF = levels(("50", "100", "100"))
TOP_AND_MIDDLE = levels(("100", "100", "50"), ("50", "99.9999", "50"))
PRIZES = {"price": "0.05", "fund_percent": "77.7777", "minimum_win": "1.00", "maximum_win": "5.00"}
KINDS = (
    Kind({**TOTOLOT, "levels": THREE, "empty_level": "other_levels", "not_held": "drop"}, 1, corrected=True),
    Kind({**SPORTLOTO, **PRIZES, "levels": TWO}, full_covers=2),
    Kind({**TOTOLOT, "levels": ALL_OR_NOTHING, "empty_level": "jackpot"}, avoid=True),
    Kind({**SPORTLOTO, "price": "0.33", "fund_percent": "70", "levels": THREE, "not_held": "drop"}, missed=4),
    Kind({**TOTOLOT, "levels": EVERYBODY, "minimum_coefficient": "1.5"}, full_covers=1),
    Kind({**SPORTLOTO, "price": "0.05", "fund_percent": "100", "levels": TWO, "not_held": "return_pool"}, 1, missed=7),
    Kind({**TOTOLOT, "levels": HALF, "minimum_coefficient": "1.25"}, full_covers=1, corrected=True),
    Kind({**SPORTLOTO, "price": "0.50", "fund_percent": "82.5", "levels": ALL_OR_NOTHING}, avoid=True),
    Kind(
        {**TOTOLOT, "levels": TOP_AND_MIDDLE, "empty_level": "other_levels", "not_held": "drop"}, missed=9, avoid=True
    ),
    Kind({**SPORTLOTO, "price": "0.25", "fund_percent": "70", "levels": TOP_AND_MIDDLE}, avoid=True, corrected=True),
    Kind({**TOTOLOT, "levels": TOP_AND_MIDDLE, "empty_level": "jackpot", "not_held": "return_pool"}, avoid=True),
    Kind({**SPORTLOTO, "price": "0.05", "fund_percent": "90", "levels": THREE, "maximum_win": "25.00"}, full_covers=1),
)
"""Both games of positions in turn, each with what may be different; a longer season begins anew."""
