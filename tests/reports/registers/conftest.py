"""A small day of every thing that may become of a ticket, its figures worked by hand.

| no | pool | outcome | stake | whose | what became of it by noon of the 23rd |
|---|---|---|---|---|---|
| 1 | P1 | 1 | 10.00 | desk | won 12.00, paid on the 23rd |
| 2 | P1 | 2 | 20.00 | desk | lost |
| 3 | P1 | 1 | 10.00 | ivan | won 12.00, credited |
| 4 | P1 | 1 | 10.00 | desk | won 12.00, owed |
| 5 | P1 | 2 | 10.00 | desk | lost, then cancelled by the organizer: 10.00 owed |
| 6 | P2 | 1 | 10.00 | desk | alone in the pool: a minus pool, 10.00 and 1.00 owed |
| 7 | P3 | 1 | 7.00 | desk | the event was not held: 7.00 owed |
| 8 | P3 | 2 | 3.00 | ivan | the same, 3.00 credited |
| 9 | P4 | 1 | 2.00 | desk | the event is on the 27th |
| 10 | P4 | X | 4.00 | ivan | the same |

P1: 60.00, of it a withdrawal of 24.00 and a fund of 36.00; 36.00 on 30.00 is 1.2. P2 and P3: 10.00 each, 4.00 and 6.00;
both withdrawals go back, and the tenth of P2 is the organizer's 1.00.

By the 1st of March: on the 24th ticket 7 was paid, ticket 11 sold for 5.00 (P4, cash), the shift closed 0.50 short, and
the protocol of P1 corrected to outcome 2: of 36.00 on 30.00 ticket 2 wins 24.00, and the 12.00 of the cancelled ticket
5 go to the jackpot; ivan's 12.00 are taken back, those of ticket 1 are the organizer's. The terms of 2 and 6 ended:
24.00 and 1.00 are the jackpot's, the 10.00 of ticket 6 are still owed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from db.embedded import EmbeddedServer
from db.session import transaction
from db.urls import DatabaseUrls
from ledger.audit import LEDGER_CHECKS, breaches
from tests.databases import copy_database, drop_database
from tests.office import EVENT, Office
from tests.reports.registers.facts import cancel, correct, expire, return_stakes
from tests.significant.hooked import seal_all

NOON, MARCH = "2022-11-23T12:00:00+03:00", "2023-03-01T12:00:00+03:00"


@pytest.fixture
def day(database: DatabaseUrls) -> Iterator[Office]:
    """The day until the noon of the 23rd, sealed, for a test that goes on with it."""
    with lived(database) as office:
        yield office


@pytest.fixture(scope="module")
def noon(server: EmbeddedServer, migrated_template: str) -> Iterator[Office]:
    """The same for tests that only read."""
    with borrowed(server, migrated_template) as urls, lived(urls) as office:
        yield office


@pytest.fixture(scope="module")
def march(server: EmbeddedServer, migrated_template: str) -> Iterator[Office]:
    """The noon of the 1st of March, sealed, for tests that only read."""
    with borrowed(server, migrated_template) as urls, lived(urls) as office:
        until_march(office)
        lapse(office)
        yield office


@contextmanager
def borrowed(server: EmbeddedServer, template: str) -> Iterator[DatabaseUrls]:
    """A database for all tests of a file."""
    urls = copy_database(server, template)
    try:
        yield urls
    finally:
        drop_database(urls)


@contextmanager
def lived(urls: DatabaseUrls) -> Iterator[Office]:
    """The day until noon; its ledger and its answers are right at the end of the block."""
    office = Office(urls)
    try:
        until_noon(office)
        yield office
        with transaction(office.house.sessions) as session:
            assert breaches(session, LEDGER_CHECKS) == []
        assert office.contract.breaches == set()
    finally:
        office.close()


def until_noon(office: Office) -> None:
    """What the table tells."""
    pools = {code: office.pool(code) for code in ("P1", "P2", "P3")}
    event = office.organizer.post("/events", {**EVENT, "code": "E", "starts_at": "2022-11-27T22:00:00+03:00"}).json
    office.pool("P4", event_id=event["id"], closes_at="2022-11-27T21:55:00+03:00")
    ivan = office.player("ivan", "50.00")
    desk = office.cashier
    bets = [(desk, "1", "10.00", "P1"), (desk, "2", "20.00", "P1"), (ivan, "1", "10.00", "P1")]
    bets += [(desk, "1", "10.00", "P1"), (desk, "2", "10.00", "P1"), (desk, "1", "10.00", "P2")]
    bets += [(desk, "1", "7.00", "P3"), (ivan, "2", "3.00", "P3"), (desk, "1", "2.00", "P4"), (ivan, "X", "4.00", "P4")]
    sold = [office.bet(member, outcome, stake, pool) for member, outcome, stake, pool in bets]
    assert [answer.json["number"] for answer in sold] == list(range(1, 11))
    office.codes = [answer.json["code"] for answer in sold]
    assert office.decide(pools["P1"], "1").status_code == 201
    assert office.decide(pools["P2"], "1").status_code == 201
    assert office.organizer.post("/pools/P3/closing").status_code == 201
    return_stakes(office, "P3")
    cancel(office, "P1", 5)
    office.clock("2022-11-23T10:00:00+03:00")
    assert office.pay(office.codes[0]).json["amount"] == "12.00"
    office.clock("2022-11-23T11:59:00+03:00")
    seal_all(office)
    office.clock(NOON)


def until_march(office: Office) -> None:
    """What came later, sealed as well."""
    office.clock("2022-11-24T10:00:00+03:00")
    assert office.pay(office.codes[6]).json["amount"] == "7.00"
    assert office.bet(office.cashier, "1", "5.00", "P4").status_code == 201
    # 207.00 at noon, 7.00 out, 5.00 in: 205.00 are expected.
    assert office.cashier.post(f"/shifts/{office.shift_id}/closing", {"counted": "204.50"}).status_code == 201
    correct(office, "P1", "2", {2: 24_00}, 12_00)
    office.clock("2023-03-01T11:00:00+03:00")


def lapse(office: Office) -> None:
    """The ended terms are booked."""
    expire(office, 2)
    expire(office, 6)
    office.clock("2023-03-01T11:59:00+03:00")
    seal_all(office)
    office.clock(MARCH)
