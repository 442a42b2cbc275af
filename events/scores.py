"""Whether the scores of a result fit its sport and one another: a slip is found before anybody signs it (D-24)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from events.models import Result, ResultScore
from events.sports import REGULAR_TIME, SPORTS, period_title, periods_of
from ledger.refusals import Refusal

PLAIN = re.compile(r"([0-9]{1,4}) ?[:\-–] ?([0-9]{1,4})")
"""A score in words that is two numbers and nothing else."""


def check_scores(sport: str, result: Result) -> None:
    """Hold the scores of a result against the periods of its sport; the score in words is that of regular time.

    Where regular time is told and the score in words is not, the words are made from it.

    Raises:
        Refusal: ``scores_wrong``, saying which score does not fit.
    """
    _check_periods(sport, result.scores)
    told = {score.period: (score.home, score.away) for score in result.scores}
    _check_sum(sport, told)
    if REGULAR_TIME in told:
        _check_words(result, told[REGULAR_TIME])


def _check_periods(sport: str, scores: Sequence[ResultScore]) -> None:
    known, seen = periods_of(sport), set[str]()
    for score in scores:
        if known and score.period not in known:
            raise _wrong(f"У этого вида спорта нет периода {score.period}: есть {', '.join(known)}.")
        if score.period in seen:
            raise _wrong(f"Период «{period_title(sport, score.period)}» указан дважды.")
        seen.add(score.period)


def _check_sum(sport: str, told: dict[str, tuple[int, int]]) -> None:
    """The parts of regular time add up to it, once all of them are told."""
    parts = SPORTS[sport].parts if sport in SPORTS else ()
    if not parts or REGULAR_TIME not in told or not told.keys() >= set(parts):
        return
    home, away = (sum(told[part][side] for part in parts) for side in (0, 1))
    if (home, away) != told[REGULAR_TIME]:
        main = "{}:{}".format(*told[REGULAR_TIME])
        raise _wrong(f"Периоды в сумме дают {home}:{away}, а основное время указано {main}.")


def _check_words(result: Result, regular: tuple[int, int]) -> None:
    if result.score is None:
        result.score = "{}:{}".format(*regular)
        return
    plain = PLAIN.fullmatch(result.score)
    if plain is not None and (int(plain[1]), int(plain[2])) != regular:
        raise _wrong(f"Счёт {result.score} не сходится со счётом основного времени {regular[0]}:{regular[1]}.")


def _wrong(said: str) -> Refusal:
    return Refusal("scores_wrong", said, field="scores")
