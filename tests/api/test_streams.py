"""The stream of boards as a client meets it: first how things stand, then what changes, and an end."""

from __future__ import annotations

import itertools
import json
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from flask import Flask
from openapi_spec_validator import OpenAPIV31SpecValidator
from sqlalchemy import event
from sqlalchemy.orm import Session

from api.streams import hub as hub_module
from api.streams.application import create_streams
from api.streams.hub import Hub
from api.streams.lines import Line
from api.streams.watchers import Watcher
from db.engines import probe_for
from db.session import transaction
from office.callers import Role
from tests.contract import Contract
from tests.office import Member, Office
from tote.models import Pool
from tote.pools import pool_by_code

SILENT = {}
"""What a heartbeat tells."""


@dataclass(frozen=True)
class Event:
    """An event of a stream, or a comment, which has no name."""

    name: str | None
    id: str | None
    data: dict[str, Any]


class Stream:
    """A stream as its client reads it, event by event."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._texts = self._blocks(pieces)

    def next(self) -> Event:
        """The next event; waits for it. ``StopIteration`` at the stream's end."""
        fields = dict(line.split(": ", 1) for line in next(self._texts).split("\n"))
        return Event(fields.get("event"), fields.get("id"), json.loads(fields.get("data", "{}")))

    def news(self) -> Event:
        """The next event that tells something, within some seconds."""
        for _ in range(20):
            told = self.next()
            if told.name is not None:
                return told
        raise AssertionError("nothing was told")

    def rest(self) -> list[Event]:
        """All events up to the end."""
        return list(iter(self._next_or_none, None))

    def _next_or_none(self) -> Event | None:
        try:
            return self.next()
        except StopIteration:
            return None

    @staticmethod
    def _blocks(pieces: Iterator[bytes]) -> Iterator[str]:
        told = ""
        for piece in pieces:
            told += piece.decode("utf-8")
            *whole, told = told.split("\n\n")
            yield from whole


class Service:
    """The streams service of an office, in this process."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.app: Flask = create_streams(office.house)
        self.contract = Contract(self.app)
        self.contract.stand_apart()
        self.hub: Hub = self.app.extensions["hub"]

    def ask(self, member: Member | None, pools: str = "P1", method: str = "GET", **headers: str) -> Any:
        """Ask for a stream; its answer as it begins."""
        known = {} if member is None else member.headers
        path = f"/api/v1/streams/pools?pools={pools}"
        return self.app.test_client().open(path, method=method, headers={**known, **headers}, buffered=False)

    def follow(self, member: Member, pools: str = "P1", **headers: str) -> Stream:
        """Follow pools, past the line that says when to come again."""
        answer = self.ask(member, pools, **headers)
        assert (answer.status_code, answer.mimetype) == (200, "text/event-stream")
        stream = Stream(iter(answer.response))
        assert stream.next() == Event(None, None, SILENT)
        return stream

    def watcher(self, line: Line, token_id: int = 1) -> Watcher:
        """Somebody who follows P1 on this line, whom the hub knows already."""
        with self.office.house.sessions() as session:
            pool: Pool = pool_by_code(session, "P1")
        watcher = Watcher([pool], token_id, line)
        self.hub.join(watcher)
        return watcher


@pytest.fixture
def service(office: Office, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """Streams of an office with an open pool, looked at often, with little patience for silence."""
    monkeypatch.setattr(hub_module, "EVERY", 0.05)
    monkeypatch.setattr(hub_module, "SILENCE", 0.3)
    office.pool()
    made = Service(office)
    yield made
    made.hub.stopping = lambda: True
    made.hub.look()
    assert made.contract.breaches == set()


def coefficients(told: Event) -> dict[str, str | None]:
    """Each outcome's coefficient for the eye."""
    return {one["code"]: one["coefficient_display"] for one in told.data["outcomes"]}


def test_first_how_it_stands_then_only_what_changes(service: Service) -> None:
    """400.00 on 1 and 600.00 on X: 600/400 and 600/600; then 600.00 on 1: 960/1000 and 960/600."""
    office = service.office
    office.bet(office.cashier, "1", "400.00")
    office.bet(office.cashier, "X", "600.00")
    stream = service.follow(office.organizer)
    first = stream.news()
    assert (first.name, first.data["pool"]) == ("totals", "1000.00")
    assert coefficients(first) == {"1": "1.5000", "X": "1.0000", "2": None}
    assert stream.next() == Event(None, None, SILENT)
    office.bet(office.cashier, "1", "600.00")
    second = stream.news()
    assert coefficients(second) == {"1": "0.9600", "X": "1.6000", "2": None}
    assert first.data == {**second.data, "pool": "1000.00", "outcomes": first.data["outcomes"]}
    assert second.data == office.organizer.get("/pools/P1/totals").json
    assert first.id != second.id


def test_of_several_pools_the_one_that_changes_is_told(service: Service) -> None:
    office = service.office
    office.pool("P2")
    stream = service.follow(office.player("ivan"), "P1,P2,P1")
    assert [stream.news().data["code"], stream.news().data["code"]] == ["P1", "P2"]
    office.bet(office.cashier, "1", "10.00", "P2")
    told = stream.news()
    assert (told.data["code"], told.data["pool"]) == ("P2", "10.00")
    assert stream.next() == Event(None, None, SILENT)


def test_who_comes_again_is_told_nothing_twice(service: Service) -> None:
    """The id names all that was told: a stream that broke off in between is told all of it again."""
    office = service.office
    office.pool("P2")
    stream = service.follow(office.organizer, "P1,P2")
    half, whole = stream.news(), stream.news()
    again = service.follow(office.organizer, "P2,P1", **{"Last-Event-ID": whole.id})
    assert again.next() == Event(None, None, SILENT)
    office.bet(office.cashier, "1", "10.00", "P2")
    assert again.news().data["code"] == "P2"
    for stale in (half.id, whole.id, "of another house"):
        told = service.follow(office.organizer, "P1,P2", **{"Last-Event-ID": stale})
        assert [told.news().data["code"], told.news().data["code"]] == ["P1", "P2"]


def test_it_ends_with_the_true_coefficient(service: Service) -> None:
    """Of 300.00 the fund is 180.00, over 70.00 of stakes 18/7."""
    office = service.office
    pool = office.pool("P2")
    office.bet(office.cashier, "1", "70.00", "P2")
    office.bet(office.cashier, "X", "230.00", "P2")
    stream = service.follow(office.organizer, "P2")
    assert stream.news().data["provisional"]
    assert office.decide(pool, "1").status_code == 201
    *before, settled, over = stream.rest()
    assert {one.name for one in before} <= {"totals", None}
    assert (settled.name, settled.data["settled"]["coefficient"]) == ("settled", "18/7")
    assert (settled.data["status"], coefficients(settled)["1"]) == ("settled", "2.5714")
    assert over == Event(None, None, SILENT)
    at_once = service.follow(office.organizer, "P2").rest()
    assert [one.name for one in at_once if one.name] == ["settled"]
    again = service.follow(office.organizer, "P2", **{"Last-Event-ID": settled.id}).rest()
    assert set(map(str, again)) == {str(over)}


def test_it_goes_on_until_the_last_of_its_pools_is_settled(service: Service) -> None:
    office = service.office
    first, second = office.pool("P2"), office.pool("P3")
    stream = service.follow(office.organizer, "P2,P3")
    assert [stream.news().data["code"] for _ in range(2)] == ["P2", "P3"]
    assert office.decide(first, "1").status_code == 201
    while (told := stream.news()).name != "settled":
        assert told.data["code"] == "P2" or told.data["status"] == "closed", "with the day also the other's sales ended"
    assert told.data["code"] == "P2"
    assert office.decide(second, "1").status_code == 201
    assert [one.data["code"] for one in stream.rest() if one.name == "settled"] == ["P3"]


def test_a_stranger_an_unknown_pool_and_too_many_are_refused(service: Service) -> None:
    office = service.office
    too_many = ",".join(f"P{number}" for number in range(51))
    for member, pools, status, code in (
        (None, "P1", 401, "unauthenticated"),
        (office.organizer, "P1,P9", 404, "unknown_pool"),
        (office.organizer, "P1,", 422, "validation_failed"),
        (office.organizer, too_many, 422, "validation_failed"),
    ):
        answer = service.ask(member, pools)
        assert (answer.status_code, answer.json["code"]) == (status, code)
        assert answer.mimetype == "application/problem+json"


def test_every_role_may_follow(service: Service) -> None:
    office = service.office
    for role in Role:
        member = office.player("ivan") if role is Role.PLAYER else getattr(office, role.value)
        assert service.follow(member).news().data["code"] == "P1", role


def test_without_a_place_it_is_503_until_somebody_leaves(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAM_CLIENTS", "2")
    office.pool()
    service = Service(office)
    members = [office.player(login) for login in ("anna", "boris", "vera")]
    answers = [service.ask(member) for member in members]
    assert [answer.status_code for answer in answers] == [200, 200, 503]
    assert (answers[2].json["code"], answers[2].headers["Retry-After"]) == ("streams_full", "5")
    assert service.ask(members[2], method="HEAD").status_code == 200
    answers[0].close()
    assert service.ask(members[2]).status_code == 200
    assert service.contract.breaches == set()


def test_nobody_takes_up_all_places_with_one_session(service: Service) -> None:
    """With the seventh stream of a session its oldest ends."""
    organizer = service.office.organizer
    streams = [service.follow(organizer) for _ in range(7)]
    assert streams[0].rest() == []
    assert [one.news().name for one in streams[1:]] == ["totals"] * 6


def test_a_session_that_ended_is_told_nothing_more(service: Service) -> None:
    office = service.office
    going, staying = office.player("ivan"), office.player("anna")
    streams = [service.follow(member) for member in (going, staying)]
    assert [one.news().name for one in streams] == ["totals", "totals"]
    assert office.client.delete("/api/v1/sessions/current", headers=going.headers).status_code == 200
    assert [one for one in streams[0].rest() if one.name] == []
    office.bet(office.cashier, "1", "10.00")
    assert streams[1].news().data["pool"] == "10.00"


def test_no_connection_is_held_and_the_database_is_asked_alike_for_one_and_for_ten(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The looks of this test are its own: the hub's first one is the only one that comes by itself."""
    monkeypatch.setattr(hub_module, "EVERY", 3600.0)
    office = service.office
    members = [office.player(f"player-{number}") for number in range(10)]
    streams = [service.follow(members[0])]
    streams[0].news()
    said: list[str] = []
    event.listen(office.house.probe, "before_cursor_execute", lambda *told: said.append(told[2]))
    service.hub.look()
    for_one = len(said)
    streams += [service.follow(member) for member in members[1:]]
    service.hub.look()
    assert len(said) == 2 * for_one > 0
    assert [one.news().name for one in streams[1:]] == ["totals"] * 9
    assert office.house.engine.pool.checkedout() == 0


class TestLines:
    """Clients that take in nothing, or are gone."""

    @pytest.fixture
    def ends(self) -> Iterator[tuple[socket.socket, socket.socket]]:
        """The two ends of a line: ours and the client's."""
        ours, theirs = socket.socketpair()
        yield ours, theirs
        ours.close()
        theirs.close()

    def test_who_takes_in_nothing_is_dropped(
        self, service: Service, ends: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ours, theirs = ends
        watcher = service.watcher(Line(ours), self.token(service))
        next(watcher.write("never taken in"))
        service.hub.look()
        assert not watcher.ended
        monkeypatch.setattr(hub_module, "PATIENCE", 0.0)
        service.hub.look()
        assert watcher.ended
        theirs.settimeout(5)
        assert theirs.recv(1) == b""

    def test_who_waits_for_news_is_not_behind(
        self, service: Service, ends: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        watcher = service.watcher(Line(ends[0]), self.token(service))
        assert list(watcher.write("taken in")) == [b"taken in"]
        monkeypatch.setattr(hub_module, "PATIENCE", 0.0)
        service.hub.look()
        assert not watcher.ended

    def test_who_is_gone_gives_up_the_place_at_once(
        self, service: Service, ends: tuple[socket.socket, socket.socket]
    ) -> None:
        ours, theirs = ends
        watcher = service.watcher(Line(ours), self.token(service))
        service.hub.look()
        assert not watcher.ended
        theirs.close()
        service.hub.look()
        assert watcher.ended

    def token(self, service: Service) -> int:
        """A session that stands."""
        assert service.office.organizer
        with transaction(service.office.house.sessions) as session:
            return int(session.connection().exec_driver_sql("SELECT max(id) FROM access_tokens").scalar_one())


def test_while_the_database_is_away_it_waits_and_goes_on(service: Service) -> None:
    office = service.office
    stream = service.follow(office.organizer)
    assert stream.news().data["pool"] == "0.00"
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        away = probe_for(f"postgresql://nobody:secret@127.0.0.1:{nobody.getsockname()[1]}/none")
        service.hub._sessions = lambda: Session(away)
        assert [stream.next() for _ in range(2)] == [Event(None, None, SILENT)] * 2
    office.bet(office.cashier, "1", "10.00")
    service.hub._sessions = lambda: Session(office.house.probe)
    assert stream.news().data["pool"] == "10.00"


def test_a_look_that_fails_is_not_the_last(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever went wrong in one, the next tells what changed."""
    office = service.office
    stream = service.follow(office.organizer)
    stream.news()
    fails = itertools.chain([True], itertools.repeat(False))
    looked = hub_module.boards_of

    def once_failing(*asked: Any) -> Any:
        if next(fails):
            raise RuntimeError("a fault of the program")
        return looked(*asked)

    monkeypatch.setattr(hub_module, "boards_of", once_failing)
    office.bet(office.cashier, "1", "10.00")
    assert stream.news().data["pool"] == "10.00"
    assert not next(fails)


def test_a_server_that_stops_ends_its_streams(service: Service) -> None:
    stream = service.follow(service.office.organizer)
    assert stream.news().name == "totals"
    service.hub.stopping = lambda: True
    assert [one for one in stream.rest() if one.name] == []


def test_it_is_described_and_healthy_as_the_api_is(service: Service) -> None:
    client = service.app.test_client()
    description = client.get("/api/openapi.json").json
    assert list(OpenAPIV31SpecValidator(description).iter_errors()) == []
    assert list(description["paths"]) == ["/api/v1/streams/pools"]
    operation = description["paths"]["/api/v1/streams/pools"]["get"]
    assert operation["operationId"] == "follow_pools"
    assert set(operation["x-roles"]) == set(Role)
    assert "streams_full" in operation["responses"]["503"]["content"]["application/problem+json"]["examples"]
    assert (client.get("/healthz").status_code, client.get("/readyz").json) == (200, {"status": "ready"})
