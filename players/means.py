"""By which means money comes and goes, and what goes back first (T-Rules 41): pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Means(StrEnum):
    """By which means money reaches a game account or leaves it (T-Rules 35, 42)."""

    CASH_DESK = "cash_desk"
    BANK_TRANSFER = "bank_transfer"
    PAYMENT_SYSTEM = "payment_system"
    CARD = "card"


@dataclass(frozen=True)
class Flow:
    """What came by one means and went back by it, in minor units; ``latest`` is the number of its last deposit."""

    means: Means
    came: int
    went: int
    latest: int

    @property
    def left(self) -> int:
        """What came and has not gone back."""
        return max(self.came - self.went, 0)


def owed_to_card(flows: Iterable[Flow]) -> int:
    """What must go back onto the player's card before anything is paid another way (T-Rules 41), in minor units."""
    return sum(flow.left for flow in flows if flow.means is Means.CARD)


def usual_means(flows: Iterable[Flow]) -> Means:
    """The means by which a player is paid as a rule: the one the money came by (T-Rules 41).

    A card comes first while it is owed anything; then the means of the latest deposit of which something has not gone
    back. Where nothing but wins is left it is the means of the latest deposit, and cash where there was none.
    """
    known = sorted(flows, key=lambda flow: (flow.left > 0 and flow.means is Means.CARD, flow.left > 0, flow.latest))
    return known[-1].means if known else Means.CASH_DESK
