"""Four processes watched as one house: their figures add up, outlive a crash, and their log is of one form."""

from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest
from psycopg import sql

from db.urls import conninfo, parts
from tests.api.figures import grown, read
from tests.api.lines import lines_of
from tests.prove.locks import holding_balance
from tests.prove.served import Served, sized
from tests.prove.workers import METRICS_TOKEN, at_once

pytestmark = pytest.mark.prove
LISTED = "requests_total{method=GET,route=/api/v1/pools,status=2xx}"
PLACED = "bets_placed_total{game=totolot_variant}"
IN_USE, LIMIT = "connections{state=in_use}", "connections{state=limit}"
PROCESSES, THREADS = 4, 8


def scraped(served: Served) -> dict[str, float]:
    """What a scraper is answered by whichever process takes its request."""
    answer = httpx.get(
        served.workers.url + "/metrics", headers={"Authorization": f"Bearer {METRICS_TOKEN}"}, timeout=30
    )
    assert answer.status_code == 200, answer.text
    return read(answer.text)


def all_up(served: Served) -> None:
    """Wait until each process has its connections."""
    served.until(lambda: scraped(served).get(LIMIT) == PROCESSES * THREADS, "four processes at work")


def test_requests_to_four_processes_are_counted_together(served: Served) -> None:
    """Read from any of them, ten times over, the sum is the same: each process tells of all."""
    all_up(served)
    requests = sized(200, 4000)
    before = scraped(served)
    with ThreadPoolExecutor(32) as threads:
        answers = list(threads.map(lambda _: served.organizer.get("/pools").status_code, range(requests)))
    assert answers == [200] * requests
    for after in [scraped(served) for _ in range(10)]:
        assert grown(before, after)[LISTED] == requests
        count = after["request_seconds_count{method=GET,route=/api/v1/pools}"]
        assert count == after["request_seconds_bucket{le=+Inf,method=GET,route=/api/v1/pools}"]
        assert after[IN_USE] == 0


def test_a_bet_repeated_over_all_processes_is_counted_once(served: Served) -> None:
    pool = served.pool()["code"]
    player = served.player("10.00")
    before = scraped(served)
    answers = at_once([lambda: player.bet("1", "1.00", pool, f"counted-once-{pool}")] * 40)
    assert [answer.status_code for answer in answers] == [201] * 40
    assert grown(before, scraped(served))[PLACED] == 1


def test_what_a_killed_process_counted_stays_and_what_it_held_does_not(served: Served) -> None:
    """Every process is killed, one of them with a bet under way that holds a connection."""
    all_up(served)
    pool = served.pool()["code"]
    player = served.player("10.00")
    assert player.bet("1", "1.00", pool).status_code == 201
    before = scraped(served)
    with holding_balance(served, player), ThreadPoolExecutor(1) as threads:
        lost = threads.submit(player.bet, "1", "1.00", pool)
        served.wait_for(1)
        assert scraped(served)[IN_USE] == 1
        killed = set(served.workers.processes())
        served.workers.kill()
        assert isinstance(lost.exception(timeout=30), httpx.TransportError)
    served.until(lambda: len(set(served.workers.processes()) - killed) == PROCESSES, "four new processes")
    served.until(lambda: _reached(served), "an answer of the new processes")
    all_up(served)

    after = scraped(served)
    assert (after[PLACED], after[IN_USE]) == (before[PLACED], 0)
    assert after["api_worker_ends_total"] - before["api_worker_ends_total"] == PROCESSES
    assert not [name for name in before if "_total" in name and after[name] < before[name]]


def test_workers_that_die_while_the_database_is_away_come_back_with_it(served: Served) -> None:
    """Every process is killed, and no new one can look at the database; the server waits for it and serves again."""
    all_up(served)
    accepting(served, False)
    try:
        served.workers.kill()
        served.until(lambda: "The database does not answer" in served.workers.log.read_text("utf-8"), "a look in vain")
    finally:
        accepting(served, True)
    served.until(lambda: _reached(served), "a worker that found its database")
    all_up(served)
    assert served.organizer.get("/pools").status_code == 200


def test_gunicorn_logs_as_the_house_does_and_quotes_no_request(served: Served) -> None:
    """Requests that never reach the application: a line with no method, a header cut in two, a length that is none."""
    secret = "MP7654321"
    for broken in (
        f"/payouts?document={secret}",
        f"GET /payouts?document={secret} HTTP/9.9",
        f"GET / HTTP/1.1\r\nAuthorization {secret}",
        f"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {secret}",
    ):
        assert _sent(served, broken).startswith(b"HTTP/1.1 400 ")
    written = served.workers.log.read_text("utf-8")
    lines = lines_of(written)
    assert [line for line in lines if line.get("logger") == "gunicorn.error"]
    assert [line["level"] for line in lines if line["event"].endswith("(withheld)")] == ["warning"] * 4
    assert secret not in written


def accepting(served: Served, open_to_all: bool) -> None:
    """Whether the house's database takes new sessions."""
    urls = served.office.urls
    assert urls.admin is not None
    with psycopg.connect(conninfo(urls.admin), autocommit=True) as connection:
        name = sql.Identifier(parts(urls.app)["dbname"])
        connection.execute(sql.SQL("ALTER DATABASE {} WITH ALLOW_CONNECTIONS {}").format(name, open_to_all))


def _reached(served: Served) -> bool:
    try:
        return httpx.get(served.workers.url + "/readyz", timeout=5).status_code == 200
    except httpx.TransportError:
        return False


def _sent(served: Served, request: str) -> bytes:
    """Send a request as it is, and read until the connection is closed."""
    address = urlsplit(served.workers.url)
    with socket.create_connection((address.hostname, address.port), timeout=30) as connection:
        connection.sendall(request.encode() + b"\r\n\r\n")
        answer = b""
        while part := connection.recv(4096):
            answer += part
    return answer
