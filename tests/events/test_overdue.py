"""Events without a protocol two days after their start are listed, and no change of a date hides them (FAULTS 034)."""

from __future__ import annotations

from api.tasks import SWEEPS
from events.overdue import note_overdue
from office.significant.kinds import RESULT_OVERDUE
from tests.events.starts import told
from tests.office import Office
from tests.records import facts_of

JUST_BEFORE = "2022-11-24T12:59:30+03:00"
TWO_DAYS_ON = "2022-11-24T13:00:00+03:00"


def overdue(office: Office) -> list[str]:
    """The codes of the events listed as overdue; the rest is listed as not."""
    late, others = (office.organizer.get("/events", overdue=asked).json["items"] for asked in ("true", "false"))
    assert not {event["id"] for event in late} & {event["id"] for event in others}
    assert len(late) + len(others) == len(office.organizer.get("/events").json["items"])
    return [event["code"] for event in late]


def test_an_event_is_overdue_48_hours_after_its_start(office: Office) -> None:
    """Announced for 13:00 on the 22nd: not at 12:59:30 on the 24th, at 13:00 it is."""
    office.pool()
    office.clock(JUST_BEFORE)
    assert overdue(office) == []
    office.clock(TWO_DAYS_ON)
    assert overdue(office) == ["E-P1"]


def test_a_protocol_takes_it_off_the_list(office: Office) -> None:
    pool = office.pool()
    office.pool("P2")
    office.determine(pool, "1", at=TWO_DAYS_ON)
    assert overdue(office) == ["E-P2"]


def test_what_is_moved_in_time_is_overdue_by_its_new_start(office: Office) -> None:
    """Moved on the 22nd to 13:00 on the 25th: overdue from 13:00 on the 27th on."""
    event = office.pool()["event_id"]
    told(office, event, "moved", "2022-11-25T13:00:00+03:00")
    office.clock("2022-11-27T12:59:30+03:00")
    assert overdue(office) == []
    office.clock("2022-11-27T13:00:00+03:00")
    assert overdue(office) == ["E-P1"]


def test_field_faults_034_a_date_changed_late_hides_nothing(office: Office) -> None:
    """Moved half a minute before it is overdue it waits for its new date; moved when it is overdue it stays listed."""
    in_time, too_late = office.pool()["event_id"], office.pool("P2")["event_id"]
    office.clock(JUST_BEFORE)
    told(office, in_time, "moved", "2022-12-01T13:00:00+03:00")
    office.clock(TWO_DAYS_ON)
    told(office, too_late, "corrected", "2022-12-01T13:00:00+03:00")
    assert overdue(office) == ["E-P2"]
    told(office, too_late, "moved", "2022-12-02T13:00:00+03:00")
    assert overdue(office) == ["E-P2"]


def test_a_late_start_counts_from_the_whistle(office: Office) -> None:
    event = office.pool()["event_id"]
    office.clock("2022-11-22T15:00:00+03:00")
    told(office, event, "started", "2022-11-22T14:00:00+03:00")
    office.clock("2022-11-24T13:59:30+03:00")
    assert overdue(office) == []
    office.clock("2022-11-24T14:00:00+03:00")
    assert overdue(office) == ["E-P1"]


def test_the_sweep_tells_each_once_however_late_it_comes(office: Office) -> None:
    event = office.pool()["event_id"]
    later = office.pool("P2")["event_id"]
    told(office, later, "moved", "2022-11-25T13:00:00+03:00")
    assert note_overdue(office.house.sessions) == []
    office.clock("2022-11-26T04:00:00+03:00")
    SWEEPS["note_overdue_events"](office.house)
    assert note_overdue(office.house.sessions) == []
    start = "2022-11-22T10:00:00+00:00"
    assert facts_of(office, RESULT_OVERDUE) == [(f"event:{event}", {"code": "E-P1", "starts_at": start})]
    office.clock("2022-11-30T04:00:00+03:00")
    assert note_overdue(office.house.sessions) == ["E-P2"]
