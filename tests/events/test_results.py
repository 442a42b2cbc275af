"""Results: two persons, after the start, what is fixed first stands (T-Rules 10, 30, 32)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from tests.office import Member, Office


def entered(office: Office, event: int, outcome: str) -> int:
    """A result entered by the first organizer."""
    answer = office.organizer.post(f"/events/{event}/results", {"outcomes": [outcome], "source": "протокол матча"})
    assert answer.status_code == 201, answer.json
    return int(answer.json["id"])


def protocol(result: int) -> dict[str, object]:
    """A protocol of a result, signed by two."""
    return {"result_id": result, "signatories": ["Первый член", "Второй член"]}


def test_a_result_is_entered_after_the_start(office: Office) -> None:
    event = office.pool()["event_id"]
    told = {"outcomes": ["1"], "source": "протокол матча"}
    office.clock("2022-11-22T12:59:30+03:00")
    answer = office.organizer.post(f"/events/{event}/results", told)
    assert (answer.status_code, answer.json["code"]) == (409, "event_not_started")
    office.clock("2022-11-22T13:00:00+03:00")
    assert office.organizer.post(f"/events/{event}/results", told).status_code == 201
    assert office.organizer.post("/events/99/results", told).json["code"] == "not_found"


def test_two_persons_fix_a_result_and_the_first_stands(office: Office) -> None:
    """FIELD-FAULTS 006: whoever entered a result does not confirm it."""
    event = office.pool()["event_id"]
    office.clock("2022-11-22T16:00:00+03:00")
    first, second = entered(office, event, "1"), entered(office, event, "2")
    path = f"/events/{event}/protocols"
    alone = office.organizer.post(path, protocol(first))
    assert (alone.status_code, alone.json["code"]) == (403, "second_person_needed")
    fixed = office.second_organizer.post(path, protocol(first)).json
    assert (fixed["number"], fixed["version"], fixed["entered_by"] != fixed["confirmed_by"]) == (1, 1, True)
    for result in (first, second):
        assert office.second_organizer.post(path, protocol(result)).json["code"] == "result_already_fixed"
    late = office.organizer.post(f"/events/{event}/results", {"outcomes": ["X"], "source": "протокол"})
    assert (late.status_code, late.json["code"]) == (409, "result_already_fixed")


def test_a_result_of_another_event_and_a_protocol_without_signatories_are_refused(office: Office) -> None:
    event, other = office.pool()["event_id"], office.pool("P2")["event_id"]
    office.clock("2022-11-22T16:00:00+03:00")
    result = entered(office, event, "1")
    answer = office.second_organizer.post(f"/events/{other}/protocols", protocol(result))
    assert (answer.status_code, answer.json["code"]) == (404, "not_found")
    unsigned = {**protocol(result), "signatories": []}
    assert office.second_organizer.post(f"/events/{event}/protocols", unsigned).status_code == 422


def test_of_two_results_confirmed_at_once_one_stands(office: Office) -> None:
    event = office.pool()["event_id"]
    office.clock("2022-11-22T16:00:00+03:00")
    results, token = [entered(office, event, "1"), entered(office, event, "2")], office.second_organizer.token

    def confirm(result: int) -> int:
        with office.app.test_client() as client:
            return Member(client, token).post(f"/events/{event}/protocols", protocol(result)).status_code

    with ThreadPoolExecutor(2) as both:
        assert sorted(both.map(confirm, results)) == [201, 409]
