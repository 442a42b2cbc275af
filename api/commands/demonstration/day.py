"""The script of the demonstration: stage after stage through the API, and from any point on after a crash.

Most is played on one day; what comes of it takes two more, and another three months later.

Every act of a stage may be repeated: what moves money carries a key of its own for ever, what is made once is refused
by its code when it is there. So a stage that was interrupted is simply played again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from api.commands.demonstration.breach import cancel_mistyped
from api.commands.demonstration.cast import Cast
from api.commands.demonstration.correction import correct, end_third_day, pay_difference
from api.commands.demonstration.facts import LAPSED_DAY, NEXT_DAY, SALES_BEGIN, THIRD_DAY, instant
from api.commands.demonstration.lapse import let_lapse
from api.commands.demonstration.matches import MATCHES
from api.commands.demonstration.morning import announce, hire
from api.commands.demonstration.papers import leave_papers, print_original
from api.commands.demonstration.records import Records
from api.commands.demonstration.sales import sell
from api.commands.demonstration.screen import Screen
from api.commands.demonstration.till import end_next_day, pay_claims
from api.commands.demonstration.whistle import close, decide, end_first_day

FINISHED = "finished"
Act = Callable[[Cast, Screen], None]


@dataclass(frozen=True)
class Stage:
    """A part of the day: its name in the bookmark, the trade's time it is played at, its title, its acts."""

    name: str
    at: datetime
    title: str
    acts: tuple[Act, ...]


def open_day(records: Records) -> None:
    """Set the trade's clock back to the morning before anybody works: what the worker seals first is sealed in order.

    Raises:
        ForeignDatabaseError: the database is not the demonstration's.
    """
    if records.stage() is None:
        records.begin(STAGES[0].name, STAGES[0].at)


def play(cast: Cast, screen: Screen) -> bool:
    """Play whatever of the day has not been played yet; whether there was anything left.

    Raises:
        ForeignDatabaseError: the database is not the demonstration's.
        LostSecretError: the day was interrupted and its terminal's secret is gone.
    """
    reached = cast.records.stage()
    if reached == FINISHED:
        return False
    names = [stage.name for stage in STAGES]
    for stage in STAGES[names.index(reached) if reached else 0 :]:
        cast.records.begin(stage.name, stage.at)
        screen.heading(stage.title, stage.at)
        for act in stage.acts:
            act(cast, screen)
        # The clock leaps on from here: a report as of this stage wants a seal of its own hour.
        cast.seal_facts()
    cast.records.begin(FINISHED, END)
    return True


def _matches() -> tuple[Stage, ...]:
    """A pool closes before its kick-off, and is settled when its match is over; matches overlap."""
    stages = []
    for match in MATCHES:
        closing, ended = f"Окончание приёма ставок: {match.name}", f"Матч окончен: {match.name}"
        stages.append(Stage(f"closing-{match.code}", match.bets_until, closing, (close(match),)))
        stages.append(Stage(f"ending-{match.code}", match.ends_at, ended, (decide(match),)))
    return tuple(sorted(stages, key=lambda stage: stage.at))


STAGES = (
    Stage("hiring", instant("08:00"), "Утро: сотрудники, касса, деньги, игроки", (hire,)),
    Stage("announcing", SALES_BEGIN, "Объявлены пулы", (announce,)),
    Stage("selling", instant("10:00"), "Приём ставок", (sell, print_original)),
    Stage("cancelling", instant("10:15"), "Отмена ставки", (cancel_mistyped,)),
    *_matches(),
    Stage("night", instant("23:58"), "Конец смены", (end_first_day,)),
    Stage("paying", instant("10:00", NEXT_DAY), "Следующий день: выплаты", (pay_claims,)),
    Stage("correcting", instant("14:00", NEXT_DAY), "Исправление протокола", (correct,)),
    Stage("evening", instant("20:00", NEXT_DAY), "Конец второй смены", (end_next_day,)),
    Stage("difference", instant("10:00", THIRD_DAY), "Доплата по исправленному протоколу", (pay_difference,)),
    Stage("third-evening", instant("20:00", THIRD_DAY), "Конец третьей смены", (end_third_day,)),
    Stage("lapse", instant("08:00", LAPSED_DAY), "Три месяца спустя: невостребованное", (let_lapse,)),
    Stage("papers", instant("09:00", LAPSED_DAY), "Документы", (leave_papers,)),
)
END = instant("09:30", LAPSED_DAY)
