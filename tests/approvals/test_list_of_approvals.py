"""The list of proposals: asked for as often whatever its length, and by what stands rather than by what ever was."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from db.session import transaction
from tests.approvals.people import decided, proposed, winner
from tests.office import Office
from tests.plans import plans_of
from tests.tote.test_sales import asked

PAST = """
    INSERT INTO proposals (act, subject, content, fingerprint, proposed_by, terminal_id, proposed_at, lapses_at)
    SELECT 'payout', 'ticket:' || number, content, fingerprint, 1, NULL,
        timestamptz '2010-01-01' + number * interval '1 minute', timestamptz '2010-01-02' + number * interval '1 minute'
    FROM proposals, generate_series(1, 20000) AS number
"""


def read(office: Office, **wanted: Any) -> tuple[list[int], list[str]]:
    """The numbers of the proposals the supervisor sees, and what was asked of the database for it."""
    with asked(office) as heard:
        page = office.supervisor.get("/approvals", **wanted).json
    return [one["id"] for one in page["items"]], [told for told in heard if told != "commit"]


def test_ten_proposals_ask_as_often_as_two(office: Office) -> None:
    """Each is of another person."""
    ticket = winner(office, "4000.00", "6000.00")
    two = [proposed(office, ticket, surname=f"Петров-{letter}") for letter in "аб"]
    assert office.supervisor
    found, asked_for_two = read(office)
    assert found == two
    ten = two + [proposed(office, ticket, surname=f"Петров-{letter}") for letter in "вгдежзик"]
    found, asked_for_ten = read(office)
    assert found == ten
    assert len(asked_for_ten) == len(asked_for_two) <= 4, "who calls, how it is planned, the proposals, their persons"


@pytest.mark.parametrize("state", ["waiting", "approved"])
def test_what_stands_is_found_by_an_index_among_all_that_ever_was(office: Office, state: str) -> None:
    """Twenty thousand that lapsed long ago, and one that stands: the statement that is asked does not read them."""
    approval = proposed(office, winner(office, "4000.00", "6000.00"))
    if state == "approved":
        assert decided(office.supervisor, approval).status_code == 201
    with transaction(office.owner) as session:
        session.execute(text(PAST))
        session.execute(text("ANALYZE proposals"))

    with plans_of(office, "proposals") as plans:
        page = office.supervisor.get("/approvals", state=state).json

    assert [one["id"] for one in page["items"]] == [approval]
    (plan,) = plans
    assert "ix_proposals_lapses_at_id" in plan, plan


def test_a_payout_is_named_so_that_a_returned_stake_is_no_win(office: Office) -> None:
    """The act is one for wins, cancelled and returned stakes."""
    proposed(office, winner(office, "4000.00", "6000.00"))
    (told,) = office.supervisor.get("/approvals").json["items"]
    assert told["title"] == "Выплата по билету"
