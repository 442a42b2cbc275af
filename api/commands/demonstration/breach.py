"""A bet made against the rules: the organizer cancels it, and the desk gives its stake back at once (T-Rules 29)."""

from __future__ import annotations

from api.commands.demonstration.bets import MISTYPED, OF_THE_MISTYPED
from api.commands.demonstration.cast import Cast
from api.commands.demonstration.sales import number_of
from api.commands.demonstration.screen import Screen
from api.commands.demonstration.till import pay

GROUNDS = {"reason": "wrong_details", "explanation": "Кассир набрал 57.00 вместо 75.00; верная ставка принята отдельно"}


def cancel_mistyped(cast: Cast, screen: Screen) -> None:
    """Cancel the bet with the mistyped stake while its pool sells: it leaves the pool as if never made."""
    number = number_of(cast, MISTYPED)
    cancelled = cast.organizer.post(f"/tickets/{number}/cancellation", GROUNDS, f"cancellation-{MISTYPED.name}")
    paid = pay(cast, OF_THE_MISTYPED)
    screen.line(
        f"Ставка {cancelled['stake']} (билет № {number}) отменена организатором: {GROUNDS['explanation']}. "
        f"В пуле её больше нет, касса вернула {paid['amount']}."
    )
