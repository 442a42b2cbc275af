"""Scores by period are told with a result and confirmed with it, to the last goal (D-24)."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text
from werkzeug.test import TestResponse

from db.session import transaction
from events.audit import EVENT_CHECKS
from events.models import Result, ResultScore
from events.scores import check_scores
from events.sports import SPORTS, period_title
from ledger.refusals import Refusal
from tests.approvals.people import code_of
from tests.office import EVENT, Office

AFTER = "2022-11-22T16:00:00+03:00"
HALVES = [("first_half", 1, 0), ("second_half", 0, 2), ("regular_time", 1, 2)]
DRAWN = [("first_half", 1, 0), ("second_half", 1, 2), ("regular_time", 2, 2), ("extra_time", 1, 1), ("penalties", 4, 2)]


def scores(*told: tuple[str, int, int]) -> list[dict[str, Any]]:
    """Scores as a request tells them."""
    return [{"period": period, "home": home, "away": away} for period, home, away in told]


def entered(office: Office, event: int, *told: tuple[str, int, int], **more: Any) -> TestResponse:
    """The first organizer enters a result with these scores."""
    body = {"outcomes": ["2"], "source": "протокол матча", "scores": scores(*told), **more}
    return office.organizer.post(f"/events/{event}/results", body)


def test_the_second_person_sees_and_signs_the_score_of_every_period(office: Office) -> None:
    event = office.pool()["event_id"]
    office.clock(AFTER)
    result = entered(office, event, *DRAWN).json
    assert (result["score"], result["scores"]) == ("2:2", scores(*DRAWN))
    waiting = office.second_organizer.get(f"/approvals/{result['approval']}").json
    assert (waiting["content"]["scores"], waiting["content"]["score"]) == (scores(*DRAWN), "2:2")
    protocol = {"result_id": result["id"], "signatories": ["Первый член"]}
    assert office.second_organizer.post(f"/events/{event}/protocols", protocol).status_code == 201
    assert office.auditor.get(f"/events/{event}/results/{result['id']}").json["scores"] == scores(*DRAWN)


def test_a_score_slipped_in_behind_the_entry_is_not_confirmed_and_is_found(office: Office) -> None:
    event = office.pool()["event_id"]
    office.clock(AFTER)
    result = entered(office, event, *HALVES).json["id"]
    added = text("INSERT INTO result_scores (result_id, period, home, away) VALUES (:result, 'penalties', 5, 4)")
    with office.owner() as session:
        session.execute(added, {"result": result})
        (found,) = session.execute(text(EVENT_CHECKS[1].broken)).all()
        assert found.subject == f"результат {result}"
        session.commit()
    protocol = {"result_id": result, "signatories": ["Первый член"]}
    answer = office.second_organizer.post(f"/events/{event}/protocols", protocol)
    assert code_of(answer) == (409, "approval_differs")
    with transaction(office.owner) as session:
        session.execute(text("ALTER TABLE result_scores DISABLE TRIGGER append_only"))
        session.execute(text("DELETE FROM result_scores WHERE period = 'penalties'"))


@pytest.mark.parametrize(
    ("told", "score", "said"),
    [
        ([("quarter_1", 1, 0)], None, "нет периода quarter_1"),
        ([("first_half", 1, 0), ("first_half", 1, 1)], None, "«1-й тайм» указан дважды"),
        ([("first_half", 1, 0), ("second_half", 0, 2), ("regular_time", 2, 1)], None, "в сумме дают 1:2"),
        (HALVES, "2:1", "Счёт 2:1 не сходится"),
        (HALVES, "2-1", "Счёт 2-1 не сходится"),
        (DRAWN, "3:3", "Счёт 3:3 не сходится"),
    ],
)
def test_scores_that_do_not_fit_are_refused_before_anybody_signs(
    office: Office, told: list[tuple[str, int, int]], score: str | None, said: str
) -> None:
    event = office.pool()["event_id"]
    office.clock(AFTER)
    answer = entered(office, event, *told, **({} if score is None else {"score": score}))
    assert code_of(answer) == (422, "scores_wrong") and said in answer.json["detail"]
    assert office.auditor.get(f"/events/{event}/results").json["items"] == []


def test_a_score_is_two_whole_numbers(office: Office) -> None:
    event = office.pool()["event_id"]
    office.clock(AFTER)
    for home in (-1, 10_000, "1", 1.5, None, True):
        told = [{"period": "regular_time", "home": home, "away": 0}]
        assert entered(office, event, scores=told).status_code == 422, home
    assert entered(office, event, scores=[{"period": "regular_time", "home": 1}]).status_code == 422


def result(*told: tuple[str, int, int], score: str | None = None) -> Result:
    """A result nobody entered yet."""
    return Result(score=score, scores=[ResultScore(period=name, home=home, away=away) for name, home, away in told])


def test_parts_add_up_to_regular_time_where_all_of_them_are_told() -> None:
    """Hockey has three periods, basketball four quarters; a set of tennis adds up to nothing."""
    check_scores("hockey", result(("period_1", 1, 0), ("period_2", 0, 0), ("period_3", 2, 3), ("regular_time", 3, 3)))
    check_scores("hockey", result(("period_1", 1, 0), ("regular_time", 3, 3), ("shootout", 0, 1)))
    check_scores("tennis", result(("sets", 2, 1), ("set_1", 6, 4), ("set_2", 3, 6), ("set_3", 7, 5), score="2:1"))
    quarters = [(f"quarter_{number}", 20, 21) for number in range(1, 5)]
    check_scores("basketball", result(*quarters, ("regular_time", 80, 84), ("overtime", 1, 9)))
    with pytest.raises(Refusal, match="80:84"):
        check_scores("basketball", result(*quarters, ("regular_time", 80, 85)))


def test_the_words_of_a_score_are_left_as_they_are_where_they_say_more() -> None:
    said = result(("regular_time", 1, 2), score="1:2 (1:0)")
    check_scores("football", said)
    assert said.score == "1:2 (1:0)"


def test_a_sport_without_periods_of_a_list_calls_them_as_it_likes() -> None:
    check_scores("other", result(("Заезд", 1, 2)))
    check_scores("метание коров", result(("полуфинал", 1, 2)))
    assert period_title("other", "Заезд") == "Заезд"


def test_every_sport_of_the_register_has_a_russian_name_and_parts_it_knows() -> None:
    for code, sport in SPORTS.items():
        assert sport.code == code and sport.title[0].isupper() and not sport.title.isascii()
        assert set(sport.parts) < set(sport.periods) or not sport.parts
        assert not sport.parts or "regular_time" in sport.periods


def test_a_new_event_is_of_a_registered_sport_and_an_old_word_stays_readable(office: Office) -> None:
    """Before the register any word was taken; such rows are shown as they are and listed by their word."""
    unknown = office.organizer.post("/events", {**EVENT, "code": "E-1", "sport": "curling"})
    assert unknown.status_code == 422 and "sport" in unknown.json["errors"]["json"]
    other = office.organizer.post("/events", {**EVENT, "code": "E-2", "sport": "other"}).json
    assert other["sport_title"] == "Другое событие"
    with transaction(office.owner) as session:
        session.execute(
            text("""
                INSERT INTO events (code, name, sport, home, away, venue_zone, starts_at, entered_by)
                SELECT 'E-OLD', 'Финал', 'кёрлинг', 'А', 'Б', 'Asia/Qatar', trade_clock(), id FROM users LIMIT 1
            """)
        )
    (old,) = office.cashier.get("/events", sport="кёрлинг").json["items"]
    assert (old["code"], old["sport"], old["sport_title"], old["venue"]) == ("E-OLD", "кёрлинг", "кёрлинг", None)
    football = office.organizer.post("/events", {**EVENT, "code": "E-3"}).json
    assert football["sport_title"] == "Футбол"
