"""What these tests ask of a house: whether a fact yields to a change, how many tickets there are, what was paid."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from db.session import transaction
from tests.office import Office

NEXT_DAY = "2022-11-23T10:00:00+03:00"
WHY = {"reason": "after_start", "explanation": "Ставка принята после начала матча"}
REFUSED_TO_THE_OWNER, REFUSED_TO_THE_APPLICATION = "23001", "42501"
"""SQLSTATE of a trigger that guards a fact, and of a right nobody granted."""


def refusals_of(office: Office, change: str) -> tuple[str, str]:
    """The codes a change of what is on record ends in: for the owner of the database and for the application."""
    codes = []
    for sessions in (office.owner, office.house.sessions):
        with pytest.raises(DBAPIError) as refused, transaction(sessions) as session:
            session.execute(text(change))
        codes.append(str(refused.value.orig.sqlstate))
    return codes[0], codes[1]


def registered(office: Office) -> list[dict[str, Any]]:
    """Every ticket the office knows, the newest first."""
    return list(office.organizer.get("/tickets").json["items"])


def how(office: Office, number: int) -> tuple[str, str | None]:
    """How a ticket stands and what it won."""
    ticket = office.organizer.get(f"/tickets/{number}").json
    return ticket["status"], ticket["win"]
