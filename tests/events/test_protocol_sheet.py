"""All a printed protocol needs is read by one function, and what is annulled later changes nothing (T-Rules 10-32)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from events.protocol_sheet import PeriodScore, protocol_sheet
from ledger.refusals import Refusal
from office.significant.kinds import RESULT_ANNULLED
from tests.approvals.people import NEXT_DAY, code_of
from tests.events.starts import same, told
from tests.office import EVENT, Office
from tests.records import facts_of

AFTER = "2022-11-22T16:00:00+03:00"
ANNULLED = {
    "annulled_by": "Дисциплинарный комитет",
    "document": "решение № 17",
    "document_date": "2022-11-25",
    "remarks": "допинг",
}


def fixed(office: Office, event: int, outcome: str = "2", **more: Any) -> dict[str, Any]:
    """A result of two halves fixed by a protocol with a place and remarks, or one that corrects."""
    halves = [{"period": "first_half", "home": 1, "away": 0}, {"period": "regular_time", "home": 1, "away": 2}]
    entry = {"outcomes": [outcome], "source": "протокол ФИФА", "scores": halves, **more}
    result = office.organizer.post(f"/events/{event}/results", entry)
    assert result.status_code == 201, result.json
    protocol = {
        "result_id": result.json["id"],
        "signatories": ["Первый член", "Второй член"],
        "place": "Минск, пр. Победителей, 1",
        "remarks": "особое мнение: нет",
    }
    drawn = office.second_organizer.post(f"/events/{event}/protocols", protocol)
    assert drawn.status_code == 201, drawn.json
    return dict(drawn.json)


def test_t_rules_30_a_protocol_names_the_event_its_result_and_all_about_them(office: Office) -> None:
    event = office.organizer.post("/events", {**EVENT, "code": "E-1", "venue": "Стадион «Лусаил»"}).json["id"]
    told(office, event, "moved", "2022-11-22T13:30:00+03:00")
    office.clock(AFTER)
    told(office, event, "started", "2022-11-22T13:31:00+03:00")
    drawn = fixed(office, event)
    assert (drawn["place"], drawn["remarks"]) == ("Минск, пр. Победителей, 1", "особое мнение: нет")

    with office.house.sessions() as session:
        sheet = protocol_sheet(session, drawn["number"])
    assert (sheet.number, sheet.version, sheet.event_code, sheet.event) == (1, 1, "E-1", EVENT["name"])
    assert (sheet.home, sheet.away, sheet.sport_title) == ("Аргентина", "Саудовская Аравия", "Футбол")
    assert (sheet.venue, sheet.venue_zone) == ("Стадион «Лусаил»", "Asia/Qatar")
    starts = sheet.start.announced, sheet.start.scheduled, sheet.start.actual
    assert [f"{start:%H:%M}" for start in starts if start] == ["10:00", "10:30", "10:31"]
    assert (sheet.standing, sheet.outcomes, sheet.score, sheet.source) == ("held", ("2",), "1:2", "протокол ФИФА")
    first_half = PeriodScore("first_half", "1-й тайм", 1, 0)
    assert sheet.scores == (first_half, PeriodScore("regular_time", "Основное время", 1, 2))
    assert sheet.signatories == ("Первый член", "Второй член")
    assert (sheet.entered.name, sheet.confirmed.name) == ("Organizer", "Second-Organizer")
    assert sheet.entered.at < sheet.confirmed.at == sheet.drawn_up_at == datetime.fromisoformat(drawn["drawn_up_at"])
    assert (sheet.corrects, sheet.reason, sheet.explanation, sheet.corrected_by) == (None, None, None, None)
    assert list(sheet.annulments) == []


def test_the_sheet_of_a_correction_says_what_it_corrects_and_why(office: Office) -> None:
    event = office.pool()["event_id"]
    office.clock(AFTER)
    fixed(office, event)
    why = {"corrects": 1, "reason": "clerical_error", "explanation": "исход записан наоборот"}
    fixed(office, event, "1", **why)
    first, second = (office.auditor.get(f"/events/{event}/protocols/{number}").json for number in (1, 2))
    assert (first["outcomes"], first["corrected_by"], first["corrects"]) == (["2"], 2, None)
    assert (second["outcomes"], second["corrected_by"], second["corrects"]) == (["1"], None, 1)
    assert (second["reason"], second["explanation"]) == ("clerical_error", "исход записан наоборот")
    assert second["entered"]["name"] == "Organizer" and same(second["start"]["in_force"], str(EVENT["starts_at"]))


def test_a_protocol_is_shown_under_its_own_event_only(office: Office) -> None:
    event, other = office.pool()["event_id"], office.pool("P2")["event_id"]
    office.clock(AFTER)
    fixed(office, event)
    assert office.auditor.get(f"/events/{event}/protocols/1").status_code == 200
    for path in (f"/events/{other}/protocols/1", f"/events/{event}/protocols/2", "/events/99/protocols/1"):
        assert code_of(office.auditor.get(path)) == (404, "not_found"), path
    with office.house.sessions() as session, pytest.raises(Refusal, match="Протокола с таким номером нет"):
        protocol_sheet(session, 2)


def test_t_rules_32_wins_are_paid_by_the_first_result_though_it_is_annulled(office: Office) -> None:
    """10.00 on 1, 30.00 on 2, fund 24.00, all for the 30.00 on 2; annulled before the settlement and again after it."""
    pool = office.pool()
    event = pool["event_id"]
    office.bet(office.cashier, "1", "10.00")
    winner = office.bet(office.cashier, "2", "30.00").json["code"]
    office.clock(AFTER)
    assert office.organizer.post("/pools/P1/closing").status_code == 201
    fixed(office, event)
    assert office.organizer.post(f"/events/{event}/annulments", ANNULLED).status_code == 201

    sheet = office.organizer.post("/pools/P1/settlement").json
    assert (sheet["fund"], sheet["wins"]) == ("24.00", "24.00")
    office.clock(NEXT_DAY)
    again = {**ANNULLED, "document": "решение № 18"}
    assert office.organizer.post(f"/events/{event}/annulments", again).json["protocol_number"] == 1
    paid = office.pay(winner)
    assert (paid.status_code, paid.json["amount"]) == (201, "24.00")

    shown = office.auditor.get(f"/events/{event}/protocols/1").json
    assert (shown["outcomes"], shown["standing"], shown["corrected_by"]) == (["2"], "held", None)
    assert [one["document"] for one in shown["annulments"]] == ["решение № 17", "решение № 18"]
    listed = office.auditor.get(f"/events/{event}/annulments").json["items"]
    assert [one["document"] for one in listed] == ["решение № 18", "решение № 17"]
    assert (listed[1]["annulled_by"], listed[1]["document_date"]) == ("Дисциплинарный комитет", "2022-11-25")
    noted = {"protocol": 1, "document": "решение № 17"}
    assert facts_of(office, RESULT_ANNULLED)[0] == (f"event:{event}", noted)


def test_what_has_no_protocol_cannot_be_annulled(office: Office) -> None:
    event = office.pool()["event_id"]
    path = f"/events/{event}/annulments"
    assert code_of(office.organizer.post(path, ANNULLED)) == (409, "result_not_confirmed")
    assert code_of(office.organizer.post("/events/99/annulments", ANNULLED)) == (404, "not_found")
    for missing in ("annulled_by", "document", "document_date"):
        part = {name: value for name, value in ANNULLED.items() if name != missing}
        assert office.organizer.post(path, part).status_code == 422
    assert office.auditor.get(path).json["items"] == []
