"""Streams of a real streams service: two displays, a bet at the API, a worker that is killed, a server that stops."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from queue import Empty, Queue
from typing import Any

import httpx
import pytest

from tests.prove.served import Served
from tests.prove.workers import Line, Workers, faults_in

pytestmark = pytest.mark.prove

SEEN_WITHIN = 2.0
"""Seconds after a bet's answer within which every display shows it: a look a second, and what the machine takes."""
PATIENCE = 20.0


class Display:
    """A client that follows a pool in a thread of its own, as a board on a wall does."""

    def __init__(self, url: str, line: Line, pool: str, last_event_id: str | None = None) -> None:
        self._asked = f"{url}/api/v1/streams/pools?pools={pool}"
        self._headers = {**line.headers, **({"Last-Event-ID": last_event_id} if last_event_id else {})}
        self._told: Queue[tuple[str, Any]] = Queue()
        self.broken = False
        self.last_event_id = last_event_id
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def next(self, patience: float = PATIENCE) -> dict[str, Any]:
        """What is told next, within so many seconds."""
        self.last_event_id, told = self._told.get(timeout=patience)
        return dict(told)

    def is_silent(self, seconds: float) -> bool:
        """Whether nothing is told for so long."""
        try:
            self._told.get(timeout=seconds)
        except Empty:
            return True
        return False

    def wait_for_end(self) -> None:
        """Return when the stream is over."""
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "the stream goes on"

    def _follow(self) -> None:
        try:
            with httpx.stream("GET", self._asked, headers=self._headers, timeout=60) as answer:
                fields: dict[str, str] = {}
                for line in answer.iter_lines():
                    if not line and "data" in fields:
                        self._told.put((fields["id"], json.loads(fields["data"])))
                    fields = {**fields, **dict([line.split(": ", 1)])} if ": " in line else {}
        except httpx.TransportError:
            self.broken = True


@contextmanager
def streaming(served: Served, folder: Path) -> Iterator[Workers]:
    """The streams service of the house, one worker as it is deployed."""
    settings = "api.streams.gunicorn_settings"
    with Workers(served.office.urls, folder / "streams", application="wsgi:streams()", settings=settings) as service:
        yield service
    assert faults_in(service.log, "Traceback") == []


def test_two_displays_see_a_bet_within_two_seconds_and_one_comes_again(served: Served, tmp_path: Path) -> None:
    """10.00 on 1 alone is a minus pool; with 30.00 on X of 40.00 the fund is 24.00: 24/10 and 24/30."""
    pool = served.pool()["code"]
    player = served.player("100.00")
    with streaming(served, tmp_path) as service:
        displays = [Display(service.url, line, pool) for line in (player, served.organizer)]
        assert [display.next()["pool"] for display in displays] == ["0.00", "0.00"]

        assert player.bet("1", "10.00", pool).status_code == 201
        assert [display.next(SEEN_WITHIN)["pool"] for display in displays] == ["10.00", "10.00"]
        assert served.cashier.bet("X", "30.00", pool).status_code == 201
        for display in displays:
            told = display.next(SEEN_WITHIN)
            assert [one["coefficient"] for one in told["outcomes"]] == ["12/5", "4/5", None]

        service.kill()
        for display in displays:
            display.wait_for_end()
            assert display.broken
        served.until(lambda: _answers(service), "a new worker")
        again = Display(service.url, player, pool, displays[0].last_event_id)
        assert again.is_silent(3.0)
        assert player.bet("2", "20.00", pool).status_code == 201
        assert again.next(SEEN_WITHIN)["pool"] == "60.00"


def test_a_server_that_is_asked_to_stop_ends_its_streams_in_good_order(served: Served, tmp_path: Path) -> None:
    pool = served.pool()["code"]
    with streaming(served, tmp_path) as service:
        display = Display(service.url, served.organizer, pool)
        assert display.next()["pool"] == "0.00"
        began = time.monotonic()
    display.wait_for_end()
    assert not display.broken
    assert time.monotonic() - began < 10


def test_with_all_places_taken_it_answers_and_who_leaves_makes_room(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STREAM_CLIENTS", "2")
    pool = served.pool()["code"]
    with streaming(served, tmp_path) as service:
        asked = f"{service.url}/api/v1/streams/pools?pools={pool}"
        lines = [served.player() for _ in range(3)]
        follow = [lambda line=line: httpx.stream("GET", asked, headers=line.headers, timeout=20) for line in lines]
        with follow[0]() as staying:
            with follow[1]() as leaving, follow[2]() as third:
                assert [one.status_code for one in (staying, leaving, third)] == [200, 200, 503]
                assert third.headers["Retry-After"] == "5"
                assert _answers(service)
            served.until(lambda: _is_let_in(follow[2]), "a place after one has left")


def _is_let_in(follow: Callable[[], AbstractContextManager[httpx.Response]]) -> bool:
    with follow() as answer:
        return answer.status_code == 200


def _answers(service: Workers) -> bool:
    try:
        return httpx.get(service.url + "/readyz", timeout=5).is_success
    except httpx.TransportError:
        return False
