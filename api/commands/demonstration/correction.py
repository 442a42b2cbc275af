"""A score was written down wrongly and wins were paid by it: another protocol corrects the first (D-14)."""

from __future__ import annotations

from api.commands.demonstration.bets import OF_THE_CORRECTED
from api.commands.demonstration.cast import Cast
from api.commands.demonstration.decided import tell_decisions
from api.commands.demonstration.facts import COUNTED_NEXT_EVENING, COUNTED_THIRD_EVENING
from api.commands.demonstration.matches import MISWRITTEN
from api.commands.demonstration.screen import Screen
from api.commands.demonstration.till import end_shift, pay, start_shift
from api.commands.demonstration.whistle import draw_up, tell_division

EXPLANATION = "Гол, забитый хозяевами, записан и гостям"


def correct(cast: Cast, screen: Screen) -> None:
    """One organizer enters the right score with the reason, another confirms it; the pool is settled by it again."""
    code, verdict = MISWRITTEN.code, MISWRITTEN.corrected
    assert verdict is not None, "this match's protocol is corrected"
    event_id = cast.records.event_id(code)
    latest = cast.organizer.get(f"/events/{event_id}/protocols")["items"][0]
    if latest["corrects"] is None:
        named = {"corrects": latest["number"], "reason": "clerical_error", "explanation": EXPLANATION}
        latest = draw_up(cast, event_id, verdict, **named)
    screen.line(
        f"{MISWRITTEN.name}: протокол № {latest['corrects']} ({MISWRITTEN.verdict.score}) исправлен протоколом "
        f"№ {latest['number']} ({verdict.score}): {EXPLANATION.lower()}. Пул рассчитывается заново."
    )
    tell_division(screen, cast.organizer.post(f"/pools/{code}/settlement", key=f"settlement-{code}-corrected"))
    screen.line("Лишнее снято с игровых счетов; лишнее наличными не отбирается, его несёт организатор.")
    tell_decisions(cast, screen, code)


def pay_difference(cast: Cast, screen: Screen) -> None:
    """The day after the correction: whoever was paid too little by the wrong protocol is paid the difference."""
    start_shift(cast, screen, COUNTED_NEXT_EVENING)
    paid = pay(cast, OF_THE_CORRECTED, "difference")
    screen.line(f"По билету ставки {OF_THE_CORRECTED.bet.stake} доплачена разница: {paid['amount']}.")


def end_third_day(cast: Cast, screen: Screen) -> None:
    """The third shift is closed on counted cash."""
    end_shift(cast, screen, COUNTED_THIRD_EVENING)
