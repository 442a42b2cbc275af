"""The master key is rotated while bets are placed, players registered, wins paid and persons read; nothing fails.

The whole roll-out is played (docs/decisions/0020): workers that know the new key as the second one and workers that
have it first serve side by side while the command runs; then only the latter, and at last the new key alone.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from cryptography.fernet import Fernet

from db.embedded import EmbeddedServer
from db.keys import Keys
from db.master_keys import MasterKeys
from db.session import transaction
from office.persons.details import Document, NaturalPerson
from office.throttling.doors import ATTEMPTS, REGISTRY_ATTEMPTS
from tests.databases import copy_database, drop_database
from tests.office import EVENT, KEYS, PASSWORD, POOL, Office
from tests.prove.served import NEXT_DAY, Served, sized
from tests.prove.sold import sold_pool
from tests.prove.workers import AWAY, ROOT, Line, Workers, clients_of, faults_in
from tests.records import set_to

pytestmark = pytest.mark.prove

OLD, NEW = KEYS.data_keys[0], Fernet.generate_key()
OLD_ID, NEW_ID = MasterKeys((OLD,)).newest, MasterKeys((NEW,)).newest
ON_RECORD = sized(1_500, 60_000)
WINNERS = sized(30, 300)
PASSPORT = {"kind": "паспорт", "issued_on": "2015-03-01", "issued_by": "РУВД"}
RECIPIENT = {"surname": "Получатель", "name": "Пётр"}


def keys(*data_keys: bytes) -> Keys:
    """The environment of a process."""
    return Keys(KEYS.code_hmac, data_keys)


class House:
    """An office, and as many services of it as a test starts, each with DATA_KEYS of its own."""

    def __init__(self, office: Office, folder: Path) -> None:
        self.office, self._folder = office, folder
        self.log = folder / "log"

    @contextmanager
    def served(self, *data_keys: bytes) -> Iterator[Served]:
        """Two workers started with these keys."""
        with (
            Workers(self.office.urls, self.log, processes=2, threads=4, keys=keys(*data_keys)) as workers,
            clients_of(workers) as clients,
        ):
            yield Served(self.office, workers, clients)

    def rotation(self, *data_keys: bytes, check: bool = False) -> subprocess.Popen[str]:
        """The command, started."""
        return subprocess.Popen(
            [sys.executable, "-m", "flask", "--app", "wsgi", "rotate-keys", *(["--check"] if check else [])],
            cwd=ROOT,
            env={**os.environ, **self.office.urls.environment(), **keys(*data_keys).environment()},
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def fact(self, query: str) -> Any:
        """One figure, read as the owner."""
        with self.office.owner() as session:
            return session.connection().exec_driver_sql(query).scalar()


@pytest.fixture
def house(server: EmbeddedServer, migrated_template: str, tmp_path: Path) -> Iterator[House]:
    """An office whose first thousands of persons lie under the old key."""
    urls = copy_database(server, migrated_template)
    office = Office(urls)
    try:
        with transaction(office.house.sessions) as session:
            for n in range(ON_RECORD):
                office.house.persons.record(session, person(n))
        # Searches go on without a pause here, and are counted like guesses.
        set_to(office, REGISTRY_ATTEMPTS, ATTEMPTS.most)
        yield House(office, tmp_path)
        assert office.wrongs() == []
    finally:
        office.close()
        drop_database(urls)


def person(n: int) -> NaturalPerson:
    """One of those who are on record."""
    return NaturalPerson(f"Записанный-{n}", "Пётр", document=Document("паспорт", f"AB{n:07}"))


class Load:
    """Acts done over and over, each in a thread of its own, until told to end; whatever fails ends the test."""

    def __init__(self, acts: list[Callable[[int], None]]) -> None:
        self._acts, self._end = acts, Event()

    def __enter__(self) -> Load:
        self._threads = ThreadPoolExecutor(len(self._acts))
        self._done: list[Future[int]] = [self._threads.submit(self._repeat, act) for act in self._acts]
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._threads.shutdown()

    def counts(self) -> list[int]:
        """How often each act was done."""
        return [done.result() for done in self._done]

    def _repeat(self, act: Callable[[int], None]) -> int:
        times = 0
        while not self._end.is_set() or times == 0:
            act(times)
            times += 1
        return times


class Day:
    """The acts of the load, and what has to be there afterwards."""

    def __init__(self, house: House, codes: tuple[str, ...]) -> None:
        self.house = house
        self.to_pay = list(codes)
        self.sold: list[tuple[int, str]] = []
        self.registered: list[str] = []
        self.paid = 0

    def bet(self, line: Line) -> Callable[[int], None]:
        """Sell a ticket, print it again by the same key, read it."""

        def act(n: int) -> None:
            key = f"{id(line)}-{n}"
            first, again = line.bet("1", "1.00", "LATE", key), line.bet("1", "1.00", "LATE", key)
            assert first.status_code == again.status_code == 201, first.text + again.text
            assert first.json()["code"] == again.json()["code"]
            self.sold.append((first.json()["number"], first.json()["code"]))
            read = line.get(f"/tickets/{first.json()['number']}")
            assert read.json()["code_masked"] == "…" + first.json()["code"][-4:], read.text

        return act

    def enrol(self, line: Line, series: str) -> Callable[[int], None]:
        """Register a player."""

        def act(n: int) -> None:
            number = f"{series}{n:07}"
            told = {"surname": f"Новый-{number}", "name": "Пётр", "birth_date": "1990-05-17"}
            document = {**PASSPORT, "number": number}
            body = {"login": number.lower(), "password": PASSWORD, **told, "document": document}
            answer = line.post("/players", body)
            assert answer.status_code == 201, answer.text
            self.registered.append(number)

        return act

    def pay(self, line: Line) -> Callable[[int], None]:
        """Pay a winning ticket to somebody who is on record already, and look at the journal."""

        def act(n: int) -> None:
            if self.to_pay:
                document = {**PASSPORT, "number": f"AB{n:07}"}
                body = {
                    "code": self.to_pay.pop(),
                    "code_entry": "scanned",
                    "surname": "Получатель",
                    "name": "Пётр",
                    "document": document,
                }
                answer = line.post("/payouts", body)
                assert answer.status_code == 201, answer.text
                assert (answer.json()["person"], answer.json()["document"][-4:]) == ("П*** П.", f"{n:04}")
                self.paid += 1

        return act

    def look(self, line: Line) -> Callable[[int], None]:
        """Find somebody, see them unmasked, read the journal."""

        def act(n: int) -> None:
            wanted = (n * 37) % ON_RECORD
            hits = line.post("/persons/searches", {"words": f"записанный {wanted}"})
            assert hits.status_code == 200, hits.text
            (hit,) = hits.json()["items"]
            view = line.post(f"/persons/{hit['person_id']}/views", {"reason": "проба", "version": hit["version"]})
            assert view.status_code == 201, view.text
            assert view.json()["details"]["surname"] == f"Записанный-{wanted}"
            assert line.get("/payouts").status_code == 200

        return act


def test_the_whole_roll_out_under_load(house: House) -> None:
    office = house.office
    with house.served(OLD) as before:
        sold = sold_pool(before, [before.cashier], ["1.00"] * WINNERS)
        assert before.organizer.post(f"/pools/{sold.pool}/settlement").status_code == 201
    office.clock(NEXT_DAY)
    _late_pool(office)
    day = Day(house, sold.codes)
    with ExitStack() as services:
        first = services.enter_context(house.served(NEW, OLD))
        with house.served(OLD, NEW) as second:
            desks = [first.line(office.another_cashier(10)), second.line(office.another_cashier(20))]
            acts = [
                day.bet(first.player("1000.00")),
                day.bet(desks[1]),
                day.enrol(second.cashier, "CD"),
                day.enrol(desks[0], "EF"),
                day.pay(first.cashier),
                day.look(first.line(office.supervisor)),
                day.look(second.line(office.supervisor)),
            ]
            known = house.fact("SELECT max(id) FROM data_keys")
            with Load(acts) as load:
                rotations = [house.rotation(NEW, OLD) for _ in range(2)]
                told = [rotation.communicate(timeout=240)[0] for rotation in rotations]
            assert all(count > 0 for count in load.counts()), load.counts()
        # The second house writes under the old key still: only what it wrote meanwhile may be left, and is told.
        assert [rotation.returncode == 0 for rotation in rotations] == ["можно убрать" in one for one in told], told
        left = f"SELECT count(*) FROM data_keys WHERE wrapped IS NOT NULL AND wrapped_under = '{OLD_ID}'"
        assert house.fact(f"{left} AND id <= {known}") == 0, told
        last = house.rotation(NEW, OLD)
        said = last.communicate(timeout=240)[0]
        assert (last.returncode, said.splitlines()[-1]) == (0, f"ключ {OLD_ID}: 0, можно убрать из DATA_KEYS")
    with house.served(NEW) as alone:
        _everything_opens(house, day, alone)


def _late_pool(office: Office) -> None:
    """A pool that sells on the day after the match, when the first one's wins are paid."""
    event = {**EVENT, "code": "E-LATE", "starts_at": "2022-11-24T13:00:00+03:00"}
    announced = office.organizer.post("/events", event).json
    window = {"opens_at": "2022-11-23T08:00:00+03:00", "closes_at": "2022-11-24T12:55:00+03:00"}
    body = {**POOL, "code": "LATE", "event_id": announced["id"], **window}
    assert office.organizer.post("/pools", body).status_code == 201


def _everything_opens(house: House, day: Day, alone: Served) -> None:
    """With the new key alone: every ticket, every person, every line of the journal."""
    assert (
        house.fact("SELECT string_agg(DISTINCT wrapped_under, ' ') FROM data_keys WHERE wrapped IS NOT NULL") == NEW_ID
    )
    here = house.office.house
    new = type(here)(here.operator, lambda: house.office.urls, lambda: keys(NEW))
    with new.sessions() as session:
        tickets = session.connection().exec_driver_sql("SELECT id, code_sealed, code_digest FROM tickets").all()
        codes = {number: new.codes.open(sealed, digest) for number, sealed, digest in tickets}
        versions = session.connection().exec_driver_sql("SELECT id FROM person_versions").scalars().all()
        known = new.persons.read_all(session, versions)
    new.engine.dispose()
    assert len(day.sold) > 2 and dict(day.sold).items() <= codes.items()
    surnames = {details.surname for details in known.values() if isinstance(details, NaturalPerson)}
    assert {f"Записанный-{n}" for n in range(ON_RECORD)} <= surnames
    assert {f"Новый-{number}" for number in day.registered} <= surnames
    supervisor = alone.line(house.office.supervisor)
    assert len(supervisor.post("/payouts/views", {"reason": "проба", "limit": 200}).json()["items"]) >= min(
        day.paid, 200
    )
    assert alone.cashier.bet("1", "1.00", "LATE").status_code == 201
    assert faults_in(house.log, AWAY) == []
