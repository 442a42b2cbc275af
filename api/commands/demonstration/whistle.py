"""Kick-off and final whistle: sales end, the withdrawal is taken, two persons fix the result, the fund is divided."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from api.commands.demonstration.bets import OF_THE_BROKEN_OFF, TOO_EARLY
from api.commands.demonstration.cast import Cast
from api.commands.demonstration.facts import COMMISSION, COUNTED_AT_NIGHT
from api.commands.demonstration.matches import Match, Verdict
from api.commands.demonstration.screen import Screen
from api.commands.demonstration.till import come_too_early, end_shift, pay

SOURCE = "Официальный протокол матча"


def close(match: Match) -> Callable[[Cast, Screen], None]:
    """The act that ends a pool's sales at its time; the task worker may have come first, which is the same."""

    def act(cast: Cast, screen: Screen) -> None:
        path = f"/pools/{match.code}"
        cast.organizer.post_unless("pool_already_closed", path + "/closing", key=f"closing-{match.code}")
        sheet = cast.organizer.get(path + "/sheet")
        screen.line(
            f"Пул {match.code}: ставок {sheet['bets']} на {sheet['pool']}; "
            f"изъятие 40 % — {sheet['withdrawal']}, выигрышный фонд 60 % — {sheet['fund']}."
        )

    return act


def decide(match: Match) -> Callable[[Cast, Screen], None]:
    """The act that fixes a match's real result by two logins and settles its pool."""

    def act(cast: Cast, screen: Screen) -> None:
        pool = cast.organizer.get(f"/pools/{match.code}")
        if pool["status"] == "withdrawal_taken":
            draw_up(cast, pool["event_id"], match.verdict)
        said = (
            ", ".join(match.outcomes[code].lower() for code in match.verdict.outcomes)
            or "матч прерван, событие не состоялось"
        )
        screen.line(
            f"{match.name} {match.verdict.score}: {said}. Результат внёс один организатор, протокол подтвердил другой."
        )
        tell_division(screen, cast.organizer.post(f"/pools/{match.code}/settlement", key=f"settlement-{match.code}"))

    return act


def end_first_day(cast: Cast, screen: Screen) -> None:
    """A win is asked for too early, a returned stake is not; the shift ends on counted cash."""
    come_too_early(cast, screen, TOO_EARLY)
    returned = pay(cast, OF_THE_BROKEN_OFF)
    screen.line(f"Возврат ставки прерванного матча выдаётся сразу: {returned['amount']}.")
    end_shift(cast, screen, COUNTED_AT_NIGHT)


def draw_up(cast: Cast, event_id: int, verdict: Verdict, **correction: Any) -> dict[str, Any]:
    """Enter a result by one login and confirm it by another; the protocol, which may correct an earlier one."""
    path = f"/events/{event_id}"
    told = {
        "standing": verdict.standing,
        "score": verdict.score,
        "outcomes": list(verdict.outcomes),
        "source": SOURCE,
        **correction,
    }
    entered = cast.organizer.post(path + "/results", told)
    protocol = {"result_id": entered["id"], "signatories": COMMISSION}
    return cast.second_organizer.post(path + "/protocols", protocol)


def tell_division(screen: Screen, sheet: dict[str, Any]) -> None:
    """How a pool was divided."""
    if sheet["returned"]:
        screen.line(
            f"Пул {sheet['code']}: изъятие {sheet['withdrawal']} возвращено в фонд, все ставки "
            f"({sheet['wins']}) возвращаются: онлайн — на игровые счета, наличные — в кассе и без срока."
        )
    elif sheet["minus_pool"]:
        screen.line(
            f"Пул {sheet['code']}: выиграли все. Изъятие возвращено, ставки и 10 % сверху: {sheet['wins']}, "
            f"за счёт организатора {sheet['from_organizer']}."
        )
    elif sheet["winning_bets"]:
        screen.line(
            f"Пул {sheet['code']}: коэффициент {sheet['fund']} / {sheet['winning_stake']} = {sheet['coefficient']} "
            f"({sheet['coefficient_display']}), выигрыши {sheet['wins']}, остаток в джек-пот {sheet['to_jackpot']}."
        )
    else:
        screen.line(f"Пул {sheet['code']}: никто не выиграл, фонд {sheet['to_jackpot']} — в джек-пот.")
