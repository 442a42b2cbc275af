"""Kick-off and final whistle: sales end, the withdrawal is taken, two persons fix the result, the fund is divided."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from api.commands.demonstration.cast import Cast
from api.commands.demonstration.facts import COMMISSION, COUNTED_AT_NIGHT, OUTCOMES, TOO_EARLY, Match
from api.commands.demonstration.screen import Screen
from api.commands.demonstration.till import come_too_early, end_shift

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
            _fix_result(cast, match, pool["event_id"])
        screen.line(
            f"{match.name} {match.score}: исход {match.outcome} ({OUTCOMES[match.outcome].lower()}). "
            "Результат внёс один организатор, протокол подтвердил другой."
        )
        _tell(screen, cast.organizer.post(f"/pools/{match.code}/settlement", key=f"settlement-{match.code}"))

    return act


def end_first_day(cast: Cast, screen: Screen) -> None:
    """A bettor who comes too early, and the end of the shift on counted cash."""
    come_too_early(cast, screen, TOO_EARLY)
    end_shift(cast, screen, COUNTED_AT_NIGHT)


def _fix_result(cast: Cast, match: Match, event_id: int) -> None:
    path = f"/events/{event_id}"
    told = {"score": match.score, "outcomes": [match.outcome], "source": SOURCE}
    entered = cast.organizer.post(path + "/results", told)
    protocol = {"result_id": entered["id"], "signatories": COMMISSION}
    cast.second_organizer.post(path + "/protocols", protocol)


def _tell(screen: Screen, sheet: dict[str, Any]) -> None:
    if sheet["minus_pool"]:
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
