"""A clerical error in a protocol is corrected by a new one, by two persons (D-14, T-Rules 32)."""

from __future__ import annotations

from typing import Any

from sqlalchemy import text
from werkzeug.test import TestResponse

from db.session import transaction
from office.significant.kinds import PROTOCOL_CORRECTED
from tests.approvals.people import code_of, decided
from tests.office import MATCH_DAY, Office
from tests.records import facts_of
from tote.pools import pool_by_code
from tote.settlement import start

AFTER_THE_MATCH = "2022-11-22T16:00:00+03:00"
WRONG = {"outcomes": ["1"], "source": "протокол матча", "score": "2:1"}
RIGHT = {"outcomes": ["2"], "source": "протокол матча", "score": "1:2"}
WHY = {"reason": "clerical_error", "explanation": "счёт записан наоборот"}


def fixed(office: Office) -> dict[str, Any]:
    """A pool closed on 10.00 for 1 and 30.00 for 2, its event's result fixed as 1."""
    pool = office.pool()
    for outcome, stake in (("1", "10.00"), ("2", "30.00")):
        assert office.bet(office.cashier, outcome, stake).status_code == 201
    office.determine(pool, "1", at=AFTER_THE_MATCH)
    return pool


def enter(office: Office, pool: dict[str, Any], corrects: int, **told: Any) -> TestResponse:
    """The first organizer proposes the right result in place of a protocol's."""
    body = {**RIGHT, **WHY, "corrects": corrects, **told}
    return office.organizer.post(f"/events/{pool['event_id']}/results", body)


def confirm(office: Office, pool: dict[str, Any], result: int) -> TestResponse:
    """The second organizer confirms it by a protocol."""
    protocol = {"result_id": result, "signatories": ["Первый член", "Второй член"]}
    return office.second_organizer.post(f"/events/{pool['event_id']}/protocols", protocol)


def test_the_pool_is_settled_by_the_corrected_protocol(office: Office) -> None:
    """Pool 40.00, fund 24.00: by the right protocol all of it is the 30.00's, coefficient 24/30, the 10.00 lost."""
    pool = fixed(office)
    result = enter(office, pool, 1).json
    drawn = confirm(office, pool, result["id"])
    assert (drawn.status_code, drawn.json["number"], drawn.json["version"], drawn.json["corrects"]) == (201, 2, 2, 1)

    sheet = office.organizer.post(f"/pools/{pool['code']}/settlement").json
    assert (sheet["fund"], sheet["wins"]) == ("24.00", "24.00")
    stand = [office.organizer.get(f"/tickets/{number}").json for number in (1, 2)]
    assert [(ticket["status"], ticket["win"]) for ticket in stand] == [("lost", "0.00"), ("won", "24.00")]
    listed = office.accountant.get(f"/events/{pool['event_id']}/protocols").json["items"]
    assert [(one["number"], one["version"], one["corrects"]) for one in listed] == [(2, 2, 1), (1, 1, None)]


def test_a_correction_is_an_alarm_that_tells_what_was_and_what_is(office: Office) -> None:
    pool = fixed(office)
    confirm(office, pool, enter(office, pool, 1).json["id"])
    told = {"corrected": 1, "by_protocol": 2, "reason": "clerical_error", "was": ["1"], "now": ["2"]}
    assert facts_of(office, PROTOCOL_CORRECTED) == [(f"event:{pool['event_id']}", told)]


def test_a_correction_takes_two_persons(office: Office) -> None:
    pool = fixed(office)
    result = enter(office, pool, 1).json
    waiting = office.second_organizer.get(f"/approvals/{result['approval']}").json
    assert (waiting["act"], waiting["reason"], waiting["state"]) == ("correction", WHY["explanation"], "waiting")
    assert (waiting["content"]["corrects"], waiting["content"]["outcomes"]) == (1, ["2"])
    protocol = {"result_id": result["id"], "signatories": ["Первый член"]}
    alone = office.organizer.post(f"/events/{pool['event_id']}/protocols", protocol)
    assert code_of(alone) == (403, "second_person_needed")
    assert code_of(decided(office.second_organizer, result["approval"])) == (409, "approved_by_protocol")
    assert confirm(office, pool, result["id"]).status_code == 201
    assert office.organizer.get(f"/approvals/{result['approval']}").json["state"] == "used"


def test_a_correction_names_the_protocol_in_force_and_a_reason_of_the_list(office: Office) -> None:
    """That a sports body annulled the result is no reason; what was fixed first stands (T-Rules 32)."""
    pool = fixed(office)
    path = f"/events/{pool['event_id']}/results"
    assert enter(office, pool, 1, reason="annulled").status_code == 422
    for half in ({"corrects": 1}, {"reason": "clerical_error"}):
        assert office.organizer.post(path, {**RIGHT, **half}).status_code == 422
    assert code_of(office.organizer.post(path, RIGHT)) == (409, "result_already_fixed")
    assert code_of(enter(office, pool, 7)) == (404, "not_found")
    first, second = enter(office, pool, 1).json["id"], enter(office, pool, 1, outcomes=["X"]).json["id"]
    assert confirm(office, pool, first).status_code == 201
    late = confirm(office, pool, second)
    assert (code_of(late), late.json["number"]) == ((409, "protocol_superseded"), 2)
    assert code_of(enter(office, pool, 1)) == (409, "protocol_superseded")
    again = confirm(office, pool, enter(office, pool, 2, outcomes=["X"]).json["id"])
    assert (again.json["number"], again.json["version"], again.json["corrects"]) == (3, 3, 2)


def test_a_protocol_of_another_event_is_not_corrected(office: Office) -> None:
    pool = fixed(office)
    office.clock(MATCH_DAY)
    other = office.pool("P2")
    office.determine(other, "X", at=AFTER_THE_MATCH)
    assert code_of(enter(office, pool, 2)) == (404, "not_found")
    assert enter(office, other, 2).status_code == 201


def test_while_a_pool_of_the_event_settles_the_protocol_stands(office: Office) -> None:
    """Its run is begun and not complete: neither entering a correction nor confirming one entered before is taken.

    Settled to the end it is corrected (tests/tote/test_settled_again.py).
    """
    pool = fixed(office)
    entered = enter(office, pool, 1).json["id"]
    with transaction(office.house.sessions) as session:
        start(session, pool_by_code(session, "P1"))
    for refused in (confirm(office, pool, entered), enter(office, pool, 1)):
        assert (code_of(refused), refused.json["pools"]) == ((409, "settlement_under_way"), ["P1"])
        assert refused.json["detail"] == "Ещё рассчитываются пулы: P1. Дождитесь окончания расчёта и повторите."
    assert len(office.organizer.get(f"/events/{pool['event_id']}/protocols").json["items"]) == 1
    assert facts_of(office, PROTOCOL_CORRECTED) == []
    assert office.organizer.post("/pools/P1/settlement").json["wins"] == "24.00"
    assert confirm(office, pool, entered).status_code == 201
    assert office.organizer.post("/pools/P1/settlement").json["versions"][-1]["protocol"] == 2


def test_a_refused_result_is_confirmed_no_more(office: Office) -> None:
    """What the second organizer refused, or the first withdrew, is entered anew."""
    pool = office.pool()
    office.clock(AFTER_THE_MATCH)
    path = f"/events/{pool['event_id']}/results"
    results = [office.organizer.post(path, WRONG).json for _ in range(3)]
    assert decided(office.second_organizer, results[0]["approval"], "refused", reason="не тот матч").status_code == 201
    assert decided(office.organizer, results[1]["approval"], "withdrawn").status_code == 201
    for gone in results[:2]:
        assert code_of(confirm(office, pool, gone["id"])) == (409, "approval_already_decided")
    assert code_of(decided(office.organizer, results[2]["approval"], "refused")) == (403, "second_person_needed")
    assert confirm(office, pool, results[2]["id"]).status_code == 201


def test_what_else_was_proposed_for_the_event_waits_no_more(office: Office) -> None:
    """Another's result is refused with the protocol, the confirmer's own is withdrawn; another event's waits on."""
    pool, other = office.pool(), office.pool("P2")
    office.clock(AFTER_THE_MATCH)
    path = f"/events/{pool['event_id']}/results"
    fixed_one, refused = (office.organizer.post(path, told).json for told in (RIGHT, WRONG))
    own = office.second_organizer.post(path, WRONG).json
    elsewhere = office.organizer.post(f"/events/{other['event_id']}/results", RIGHT).json
    assert confirm(office, pool, fixed_one["id"]).status_code == 201
    states = [
        office.organizer.get(f"/approvals/{result['approval']}").json["state"]
        for result in (fixed_one, refused, own, elsewhere)
    ]
    assert states == ["used", "refused", "withdrawn", "waiting"]
    (waiting,) = office.second_organizer.get("/approvals", state="waiting").json["items"]
    assert waiting["id"] == elsewhere["approval"]


def test_a_result_nobody_confirmed_in_seven_days_is_entered_anew(office: Office) -> None:
    pool = office.pool()
    office.clock(AFTER_THE_MATCH)
    path = f"/events/{pool['event_id']}/results"
    result = office.organizer.post(path, RIGHT).json["id"]
    office.clock("2022-11-29T16:00:01+03:00")
    assert code_of(confirm(office, pool, result)) == (409, "approval_lapsed")
    assert confirm(office, pool, office.organizer.post(path, RIGHT).json["id"]).status_code == 201


def test_a_result_entered_before_proposals_were_kept_is_entered_anew(office: Office) -> None:
    pool = office.pool()
    office.clock(AFTER_THE_MATCH)
    assert office.organizer
    old = """INSERT INTO results (event_id, standing, outcomes, source, entered_by, entered_at)
        SELECT :event, 'held', '{1}', 'протокол', id, trade_clock() FROM users WHERE login = 'organizer' RETURNING id"""
    with office.owner.begin() as session:
        result = session.scalar(text(old), {"event": pool["event_id"]})
    assert code_of(confirm(office, pool, int(result or 0))) == (409, "approval_lapsed")
