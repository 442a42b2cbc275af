"""Words on the start of a test's match: announced for 13:00 in Minsk, its pool selling till 12:55."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from werkzeug.test import TestResponse

from tests.office import Member, Office


def said(office: Office, event: int, turn: str, instant: str | None = None, by: Member | None = None) -> TestResponse:
    """Somebody, the organizer if nobody is named, puts a change of the start on record."""
    named = {} if instant is None else {"instant": instant}
    body = {"turn": turn, **named, "source": "сообщение федерации", "reason": "проверено по телефону"}
    return (by or office.organizer).post(f"/events/{event}/start-changes", body)


def told(office: Office, event: int, turn: str, instant: str | None = None) -> dict[str, Any]:
    """The same, taken."""
    answer = said(office, event, turn, instant)
    assert answer.status_code == 201, answer.json
    return dict(answer.json)


def same(shown: str | None, instant: str) -> bool:
    """Whether an instant of an answer is this one, whatever the zones they are written in."""
    return shown is not None and datetime.fromisoformat(shown) == datetime.fromisoformat(instant)
