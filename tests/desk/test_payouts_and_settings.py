"""A payout beside a change of its limits goes by one of them, and by the one the audit will judge it by."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from db.urls import conninfo
from office.approvals.limits import SECOND_PERSON_FROM
from office.callers import Caller, Role
from office.settings.changes import set_value
from tests.approvals.people import code_of, decided, proposed, winner
from tests.office import Office

ADMINISTRATOR = Caller(Role.ADMINISTRATOR, user_id=1)
WAITING = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"


def until_waiting(office: Office, done: Callable[[], bool]) -> bool:
    """Return when somebody waits at a gate, or something is done; whether somebody waits."""
    patient_until = time.monotonic() + 20
    with psycopg.connect(conninfo(office.urls.owner), autocommit=True) as owner:
        while time.monotonic() < patient_until:
            if owner.execute(WAITING).fetchone() != (0,):
                return True
            if done():
                return False
            time.sleep(0.01)
    raise TimeoutError


@pytest.mark.parametrize(("limit", "answer"), [("60.00", (403, "second_person_needed")), ("60.01", (201, None))])
def test_a_payout_waits_for_a_limit_that_is_being_changed_and_goes_by_it(
    office: Office, limit: str, answer: tuple[int, str | None]
) -> None:
    """10.00 and 90.00: a win of 60.00. The change has its instant, the payout comes, then the change is committed."""
    ticket = winner(office, "10.00", "90.00")
    with office.house.sessions() as changing, ThreadPoolExecutor(1) as desk:
        set_value(changing, SECOND_PERSON_FROM, limit, by=ADMINISTRATOR, reason="проба")
        paying = desk.submit(office.pay, ticket["code"])
        assert until_waiting(office, paying.done)
        changing.commit()
        assert code_of(paying.result()) == answer
    assert office.wrongs() == []


def test_a_change_that_is_given_up_lets_the_payout_go_by_the_old_limit(office: Office) -> None:
    ticket = winner(office, "10.00", "90.00")
    with office.house.sessions() as changing, ThreadPoolExecutor(1) as desk:
        set_value(changing, SECOND_PERSON_FROM, "60.00", by=ADMINISTRATOR, reason="проба")
        paying = desk.submit(office.pay, ticket["code"])
        assert until_waiting(office, paying.done)
        changing.rollback()
        assert code_of(paying.result()) == (201, None)


def test_an_approved_payout_waits_as_well(office: Office) -> None:
    ticket = winner(office, "4000.00", "6000.00")
    approval = proposed(office, ticket)
    assert decided(office.supervisor, approval).status_code == 201
    with office.house.sessions() as changing, ThreadPoolExecutor(1) as desk:
        set_value(changing, SECOND_PERSON_FROM, "60.00", by=ADMINISTRATOR, reason="проба")
        paying = desk.submit(office.pay, ticket["code"], approval=approval)
        assert until_waiting(office, paying.done)
        changing.commit()
        assert code_of(paying.result()) == (201, None)
