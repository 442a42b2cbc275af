"""What is counted of the house's work: by templates and codes, every bet once, and shown to the holder of a token."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from prometheus_client.mmap_dict import MmapedDict
from sqlalchemy.exc import OperationalError

from api.watch import figures
from db.engines import engine_for
from db.session import sessions_on
from tests.api.figures import grown, read
from tests.office import Office

TOKEN = "a-token-for-figures"


@pytest.fixture(autouse=True)
def token(monkeypatch: pytest.MonkeyPatch) -> None:
    """The figures are open to whoever holds this token."""
    monkeypatch.setenv("METRICS_TOKEN", TOKEN)


def counted() -> dict[str, float]:
    """What this process has counted so far, its times aside."""
    told = read(figures.exposition().decode())
    return {name: value for name, value in told.items() if "seconds" not in name and "created" not in name}


def scraped(office: Office) -> dict[str, float]:
    """What a scraper is answered."""
    answer = office.client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200, answer.text
    assert answer.content_type.startswith("text/plain")
    return read(answer.text)


def test_where_no_token_is_set_there_is_no_such_page(office: Office, monkeypatch: Any) -> None:
    monkeypatch.setenv("METRICS_TOKEN", "")
    empty = office.client.get("/metrics", headers={"Authorization": "Bearer "})
    monkeypatch.delenv("METRICS_TOKEN")
    absent = office.client.get("/metrics", headers={"Authorization": "Bearer "})
    assert [(answer.status_code, answer.json["code"]) for answer in (empty, absent)] == [(404, "not_found")] * 2


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer ключ"])
def test_nobody_else_is_shown_them(office: Office, header: str) -> None:
    answer = office.client.get("/metrics", headers={"Authorization": header.encode().decode("latin-1")})
    assert (answer.status_code, answer.json["code"]) == (401, "unauthenticated")
    assert answer.headers["WWW-Authenticate"].lower().startswith("bearer")


def test_a_login_of_the_office_does_not_open_them(office: Office) -> None:
    assert office.client.get("/metrics", headers=office.administrator.headers).status_code == 401


def test_every_bet_is_counted_once_by_its_game_or_its_refusal(office: Office) -> None:
    """Three bets and two refusals, one of each sent twice; the repeats are answers, not bets."""
    office.pool()
    before = counted()
    for stake, key in (("1.00", "first-bet-0001"), ("2.00", None), ("3.00", None), ("1.00", "first-bet-0001")):
        assert office.bet(office.cashier, "1", stake, key=key).status_code == 201
    for outcome, stake, key in (("1", "0.50", "small-bet-001"), ("9", "5.00", None), ("1", "0.50", "small-bet-001")):
        assert office.bet(office.cashier, outcome, stake, key=key).status_code == 422
    assert office.cashier.post("/pool-bets", {"pool": "P9", "outcome": "1", "stake": "1.00"}).status_code == 404

    more = {name: value for name, value in grown(before, counted()).items() if name.startswith("bets")}
    assert more == {
        "bets_placed_total{game=totolot_variant}": 3,
        "bets_refused_total{code=stake_under_minimum,game=totolot_variant}": 1,
        "bets_refused_total{code=unknown_outcome,game=totolot_variant}": 1,
        "bets_refused_total{code=unknown_pool,game=unknown}": 1,
    }


def test_requests_are_counted_by_template_method_and_class_of_status(office: Office) -> None:
    organizer = office.organizer
    office.pool("P1")
    office.pool("P2")
    before = counted()
    for code in ("P1", "P2", "P3"):
        organizer.get(f"/pools/{code}")
    office.client.get("/api/v1/no-such-path/Иванов")
    office.client.open("/healthz", method="BREW")

    assert grown(before, counted()) == {
        "requests_total{method=GET,route=/api/v1/pools/<code:code>,status=2xx}": 2,
        "requests_total{method=GET,route=/api/v1/pools/<code:code>,status=4xx}": 1,
        "requests_total{method=GET,route=unmatched,status=4xx}": 1,
        "requests_total{method=other,route=unmatched,status=4xx}": 1,
        "problems_total{code=unknown_pool}": 1,
        "problems_total{code=not_found}": 1,
        "problems_total{code=method_not_allowed}": 1,
    }


def test_times_are_kept_by_template(office: Office) -> None:
    name = "request_seconds_count{method=GET,route=/healthz}"
    before = read(figures.exposition().decode()).get(name, 0)
    for _ in range(5):
        office.client.get("/healthz")
    times = read(figures.exposition().decode())
    assert times[name] - before == 5
    assert times["request_seconds_bucket{le=+Inf,method=GET,route=/healthz}"] - before == 5
    assert times["request_seconds_sum{method=GET,route=/healthz}"] > 0


def test_overload_is_counted_and_told_when_to_come_again(office: Office) -> None:
    organizer = office.organizer
    office.house.engine.dispose()
    office.house.engine = engine_for(office.urls.app, pool_size=1)
    office.house.engine.pool._timeout = 0.1
    office.house.sessions = sessions_on(office.house.engine)
    before = counted()
    with office.house.engine.connect():
        answers = [organizer.get("/pools") for _ in range(3)]
        during = scraped(office)
    assert [(answer.status_code, answer.headers["Retry-After"]) for answer in answers] == [(503, "1")] * 3
    assert during["problems_total{code=too_busy}"] - before.get("problems_total{code=too_busy}", 0) == 3
    assert during["requests_total{method=GET,route=/api/v1/pools,status=5xx}"] >= 3


def test_connections_in_use_are_counted_and_never_below_none(office: Office) -> None:
    in_use = "connections{state=in_use}"
    engine = figures.count_connections(engine_for(office.urls.app, pool_size=3))
    before = counted()[in_use]
    with engine.connect(), engine.connect():
        assert counted()[in_use] - before == 2
        assert counted()["connections{state=limit}"] == 3
    assert counted()[in_use] == before
    engine.dispose()
    nowhere = figures.count_connections(engine_for("postgresql://nobody:no@127.0.0.1:1/none", pool_size=1))
    with pytest.raises(OperationalError):
        nowhere.connect()
    assert counted()[in_use] == before


def test_a_connection_that_broke_is_given_back(office: Office) -> None:
    in_use = "connections{state=in_use}"
    engine = figures.count_connections(engine_for(office.urls.app, pool_size=1))
    before = counted()[in_use]
    with engine.connect() as connection:
        with pytest.raises(OperationalError):
            connection.exec_driver_sql("SELECT pg_terminate_backend(pg_backend_pid())")
        connection.rollback()
        assert connection.exec_driver_sql("SELECT 1").scalar_one() == 1
        assert counted()[in_use] - before == 1
    assert counted()[in_use] == before
    engine.dispose()


def test_the_file_of_a_process_that_is_just_beginning_tells_nothing_yet(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It is made empty and gets its length a moment later; one that was killed in between leaves it so."""
    monkeypatch.setenv(figures.SHARED_FOLDER, str(tmp_path))
    file = MmapedDict(str(tmp_path / "counter_1.db"))
    file.write_value('["bets", "bets_total", {}, "Bets."]', 3.0, 0.0)
    file.close()
    (tmp_path / "counter_2.db").touch()
    assert read(figures.exposition().decode()) == {"bets_total": 3.0}
