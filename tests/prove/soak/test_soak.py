"""A day's traffic in an hour, all roles at once and as many who mean harm; then the same with kills.

No 5xx and no broken line but while something that was killed comes back; every bet that was acknowledged is there
once; books and seals are clean; nothing holds more at the end than at the beginning. PROVE_REQUESTS and PROVE_MINUTES
tell how much and in how long, PROVE_SEED repeats a run's chances, though not the machine's moments. Samples and picture
lie in var/soak/.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from tests.api.figures import read
from tests.prove.insisting import Acts
from tests.prove.kills.days import Days
from tests.prove.kills.ground import Ground
from tests.prove.kills.reckoning import JOURNAL, bets_are_there_once, books_and_seals_are_clean
from tests.prove.served import FULL, sized
from tests.prove.soak.kills import Killer, Killing
from tests.prove.soak.measures import Growth, Measures, growth, processor_time, with_all_below
from tests.prove.soak.person import Town
from tests.prove.soak.picture import draw
from tests.prove.soak.population import displays, honest, hostile, prepare
from tests.prove.soak.tally import BUCKET, Tally
from tests.prove.workers import METRICS_TOKEN, ROOT, Workers

pytestmark = pytest.mark.prove
REQUESTS = int(os.environ.get("PROVE_REQUESTS", sized(1_000, 1_000_000)))
SECONDS = 60 * float(os.environ.get("PROVE_MINUTES", sized(1, 60) * (1 if FULL else 0.1)))
SEED = int(os.environ.get("PROVE_SEED", secrets.randbelow(10**6)))
QUIET = 0.8 if FULL else 0.7
"""The share of the requests in which nothing is killed."""
OF_A_POOL = min(6_000, max(40, REQUESTS // 60))
"""Bets after which a pool is closed."""
LOOKS = SECONDS / (700 if FULL else 24)
"""Seconds between two looks at the processes."""
KILLS = 1 if not FULL else 12 if REQUESTS >= 100_000 else 5
"""How many there are at least, of each kind in turn."""
BETWEEN_KILLS = SECONDS * (1 - QUIET) / 20
MAY_GROW = 3.0
"""Megabytes that a process may hold more by 100,000 requests once it is warm; ten of PostgreSQL's count as one."""
WARMING = 0.0 if REQUESTS >= 100_000 else 120.0
"""Megabytes on top in runs that are over before all is warm: those see no more than a leak that is a flood."""
MAY_LAG = 120.0
"""Seconds that seals and jobs may be behind at peace; somebody is woken at 300."""
OFTEN = 30
"""Requests of a kind of which one at least must have been done."""
LAGS = ("seal_lag_seconds", "queue_lag_seconds")
FOLDER = ROOT / "var" / "soak"
FAILED = "SELECT task_name, count(*) FROM procrastinate_jobs WHERE status = 'failed' GROUP BY task_name"
DEADLOCKS = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
SHOWN = {
    "bet at a desk": ("desk: bet",),
    "bet from home": ("player: bet",),
    "batch": ("desk: batch", "player: batch"),
    "payout": ("desk: payout",),
    "player's pages": ("player: own page", "player: statement", "player: own bets"),
    "totals": ("player: totals", "desk: totals", "reader: totals"),
}


class WatchedActs(Acts):
    """What the days do, whose lost answers are excused by kills alone."""

    def __init__(self, tally: Tally) -> None:
        super().__init__()
        self._tally = tally

    def count(self, what: str) -> None:
        """One more answer was lost."""
        super().count(what)
        self._tally.lose(time.monotonic(), what, "the days' own")


class House:
    """The deployment on a server of its own, and what is measured of it."""

    def __init__(self, ground: Ground, streams: Workers, tally: Tally) -> None:
        self.ground, self.streams, self.tally = ground, streams, tally
        self.measures = Measures(self._processes)
        self.lags: list[tuple[float, float, float]] = []
        self.rates: list[tuple[float, int]] = []

    def _processes(self) -> dict[str, list[int]]:
        workers = self.ground.served.workers
        named = {f"API {number}": [process] for number, process in enumerate(sorted(workers.processes()), 1)}
        try:
            database = with_all_below(self.ground.postmaster())
        except OSError:
            database = []
        return {
            **named,
            "API's master": [workers.master],
            "streams": with_all_below(self.streams.master),
            "task worker": with_all_below(self.ground.task_worker.number),
            "PostgreSQL": database,
            "callers": [os.getpid()],
        }

    def look(self) -> None:
        """Measure processes, lags and how far the run is."""
        now = self.tally.now()
        self.measures.look(now, self.tally.sent)
        self.rates.append((now, self.tally.sent))
        try:
            headers = {"Authorization": f"Bearer {METRICS_TOKEN}"}
            figures = read(httpx.get(self.ground.served.workers.url + "/metrics", headers=headers, timeout=30).text)
            self.lags.append((now, *(figures.get(lag, 0.0) for lag in LAGS)))  # type: ignore[arg-type]
        except httpx.TransportError as broken:
            self.tally.lose(time.monotonic(), "line broken", f"/metrics: {broken!r}")


@contextmanager
def deployed(folder: Path) -> Iterator[tuple[Ground, Workers]]:
    """API, task worker and streams on a database of their own; the API never says that anything is its own fault."""
    with Ground(folder, processes=2, threads=8, tick=sized(1, 10)) as ground:
        settings = "api.streams.gunicorn_settings"
        with Workers(ground.urls, folder / "streams", application="wsgi:streams()", settings=settings) as streams:
            ground.until(ground.task_worker.ready, "a task worker at work")
            yield ground, streams
    for log in ("api", "streams", "worker"):
        with (folder / log).open(encoding="utf-8", errors="replace") as lines:
            faults = [line for line in lines if "unexpected_error" in line or "Error handling request" in line]
        assert not faults, f"{log}: {faults[0][:4000]}"


def test_a_day_with_all_roles_and_all_who_mean_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "totalizator")
    monkeypatch.setenv("TRUSTED_PROXIES", "127.0.0.1")
    print(f"\nsoak: PROVE_SEED={SEED} PROVE_REQUESTS={REQUESTS} PROVE_MINUTES={SECONDS / 60:g}")
    chance = Random(SEED)
    with deployed(tmp_path) as (ground, streams):
        prepare(ground.served.office)
        house = House(ground, streams, Tally(REQUESTS, SECONDS))
        try:
            quiet_until, town, seen = lived(house, chance)
            told = checked(house, town, quiet_until)
        finally:
            kept(house)
    told["streams' events"] = seen
    print("\n".join(f"  {what:<58}{figure:>12}" for what, figure in told.items()))


def lived(house: House, chance: Random) -> tuple[float, Town, int]:
    """Let all call until all was sent: when the quiet was over, the town, and how much its displays were told."""
    ground, tally = house.ground, house.tally
    town = Town(ground, tally)
    people = honest(town, chance) + hostile(town, chance)
    boards = displays(town, house.streams.url, chance)
    killing = Killing(Killer(ground, house.streams, tally, chance, postmaster=FULL), tally, BETWEEN_KILLS)
    tally.began = time.monotonic()
    with ExitStack() as going_home:
        going_home.callback(lambda: [person.join() for person in people])
        going_home.callback(tally.over.set)
        with Days(ground, town, WatchedActs(tally), "soak", 1, OF_A_POOL) as days:
            for one in (*people, *boards):
                one.start()
            watch(house, days, lambda: tally.sent >= REQUESTS * QUIET)
            quiet_until = tally.now()
            assert ground.one(DEADLOCKS) == 0, "PostgreSQL had to break a circle of locks"
            killing.start()
            watch(house, days, lambda: tally.sent >= REQUESTS and killing.kills >= KILLS)
            days.bets = 1
        tally.over.set()
        killing.join()
    return quiet_until, town, sum(board.told for board in boards)


def watch(house: House, days: Days, enough: Any) -> None:
    """Look at the processes again and again, and tell how it goes each minute."""
    tally, told = house.tally, house.tally.now()
    while not enough():
        days.complain()
        assert not tally.over.is_set(), "\n".join(["too much went wrong:", *tally.failures[:40]])
        house.look()
        if tally.now() - told >= 60:
            told = tally.now()
            print(progress(house), flush=True)
        time.sleep(LOOKS)


def progress(house: House) -> str:
    """A line on how far it is, how fast, and what each holds."""
    tally = house.tally
    minute_ago = next((sent for second, sent in house.rates if second >= tally.now() - 60), 0)
    last = {sample.name: sample.own for sample in house.measures.samples[-12:]}
    held = " ".join(f"{name} {own:.0f}" for name, own in last.items())
    return (
        f"{tally.now() / 60:6.1f} min {tally.sent:>9} requests {(tally.sent - minute_ago) / 60:6.0f}/s"
        f" {len(tally.failures)} failures, MB: {held}, lag {house.lags[-1][1:] if house.lags else ''}"
    )


def checked(house: House, town: Town, quiet_until: float) -> dict[str, object]:
    """All that must hold when it is over; what there is to tell."""
    ground, tally = house.ground, house.tally
    assert not tally.failures, f"{len(tally.failures)} failures"
    assert tally.sent >= REQUESTS
    for kind, answers in tally.answers.items():
        successes = sum(times for (status, _), times in answers.items() if status in (200, 201))
        assert successes or kind.startswith("hostile:") or answers.total() < OFTEN, f"nothing of {kind} was ever done"
    bets_are_there_once(ground, list(town.told))
    assert sorted(town.paid) == [number for (number,) in ground.ask(JOURNAL)] == list(range(1, len(town.paid) + 1))
    seals = books_and_seals_are_clean(ground)
    assert ground.ask(FAILED) == [], "jobs that failed"
    grown = flat(house, quiet_until)
    lagged = [max((lag[place] for lag in house.lags if lag[0] <= quiet_until), default=0.0) for place in (1, 2)]
    assert max(lagged) <= MAY_LAG, dict(zip(LAGS, lagged, strict=True))
    return {
        "requests": tally.sent,
        "bets acknowledged, each there once": len(town.told),
        "payouts acknowledged, each in the journal once": len(town.paid),
        "pools": ground.one("SELECT count(*) FROM pools"),
        "seals": seals,
        "greatest lag of seals and of jobs at peace, seconds": " ".join(f"{lag:.0f}" for lag in lagged),
        **{f"answers lost: {how}": times for how, times in sorted(tally.lost.items())},
        **{f"kills: {what}": times for what, times in Counter(one.what for one in tally.windows).items()},
        **{f"MB at peace: {one.name}": f"{one.before:.1f} - {one.after:.1f}" for one in grown},
        **{f"MB by 100,000 requests: {one.name}": f"{one.by_100_000:+.2f}" for one in grown},
        **{f"ms of processors by request: {name}": f"{took:.2f}" for name, took in by_request(house, quiet_until)},
    }


def flat(house: House, quiet_until: float) -> list[Growth]:
    """Nobody holds more in the last quarter of the quiet than in the second, but for what a bound allows."""
    names = [name for name in house.measures.names() if name != "callers"]
    grown = [growth(house.measures, name, 0, quiet_until) for name in names]
    for one in grown:
        allowed = WARMING + MAY_GROW * one.requests / 100_000 * max(1.0, one.counted["processes"][1] / 10)
        assert one.after - one.before <= allowed, (allowed, one)
        for what, (before, after) in one.counted.items():
            assert after <= 1.2 * before + 10, (one.name, what, before, after)
    return grown


def by_request(house: House, quiet_until: float) -> Iterator[tuple[str, float]]:
    """Milliseconds of processors' time that a request took from each at peace."""
    looks = house.measures.of("callers", 0, quiet_until)
    requests = looks[-1].requests - looks[0].requests
    took = processor_time(house.measures, 0, quiet_until)
    for name, seconds in took.items():
        yield name, 1000 * seconds / requests
    yield "all together", 1000 * sum(took.values()) / requests


def kept(house: House) -> None:
    """Write samples, latencies and windows down, and draw them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    print("\n".join([*house.tally.table(), *house.tally.failures[:60]]))
    tally, measures, end = house.tally, house.measures, house.tally.now()
    name = f"{'full' if FULL else 'small'}-{REQUESTS}"
    windows = [(window.what, window.began - tally.began, window.ended - tally.began) for window in tally.windows]
    figures = {
        "seed": SEED,
        "requests": tally.sent,
        "seconds": end,
        "answers": {
            kind: {" ".join(map(str, one)).strip(): times for one, times in told.items()}
            for kind, told in sorted(tally.answers.items())
        },
        "lost": dict(tally.lost),
        "failures": tally.failures,
        "windows": windows,
        "lags": house.lags,
        "samples": measures.as_rows(),
    }
    (FOLDER / f"{name}.json").write_text(json.dumps(figures, ensure_ascii=False, indent=1), "utf-8")
    own = {name: [(one.second, one.own) for one in measures.of(name, 0, end)] for name in measures.names()}
    stretch = max(BUCKET, end / 120)
    stretches = [(place * stretch, (place + 1) * stretch) for place in range(int(end / stretch))]
    charts: dict[str, dict[str, list[tuple[float, float]]]] = {
        "memory of their own, MB": {name: line for name, line in own.items() if name != "callers"},
        "requests a second": {"all": rates(house, stretches)},
        **{
            f"{share}, ms": {
                shown: [
                    (begin, told[0])
                    for begin, until in stretches
                    if (told := tally.percentiles(kinds, begin, until, part)) is not None
                ]
                for shown, kinds in SHOWN.items()
            }
            for share, part in (("half of the answers within", 0.5), ("99 of 100 answers within", 0.99))
        },
        "behind, seconds": {lag: [(look[0], look[place]) for look in house.lags] for place, lag in enumerate(LAGS, 1)},
    }
    draw(FOLDER / f"{name}.svg", charts, [(began, min(ended, end)) for _, began, ended in windows])
    print(f"  samples and picture: {(FOLDER / name).relative_to(ROOT)}.json, .svg")


def rates(house: House, stretches: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Requests a second in each stretch."""
    line = []
    for begin, end in stretches:
        within = [look for look in house.rates if begin <= look[0] < end]
        if len(within) > 1:
            (first, before), (last, after) = within[0], within[-1]
            line.append((begin, (after - before) / (last - first)))
    return line
