"""A day's traffic in an hour, all roles at once and as many who mean harm; then the same with kills.

No 5xx and no broken line but while something that was killed comes back; every bet that was acknowledged is there
once; books and seals are clean; nothing holds more at the end than at the beginning. PROVE_REQUESTS and PROVE_MINUTES
tell how much and in how long, PROVE_SEED repeats a run's chances, though not the machine's moments. Samples and picture
lie in var/soak/.
"""

from __future__ import annotations

import logging
import os
import secrets
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.prove.insisting import Acts
from tests.prove.kills.days import Days
from tests.prove.kills.ground import Ground, prepare
from tests.prove.kills.reckoning import JOURNAL, bets_are_there_once, books_and_seals_are_clean
from tests.prove.served import FULL, sized
from tests.prove.soak.deployment import CALLERS, House, deployed
from tests.prove.soak.kills import Killer, Killing
from tests.prove.soak.measures import Growth, growth, processor_time
from tests.prove.soak.person import Town
from tests.prove.soak.population import displays, honest, hostile
from tests.prove.soak.record import kept, slowed
from tests.prove.soak.tally import Tally

pytestmark = pytest.mark.prove
REQUESTS = int(os.environ.get("PROVE_REQUESTS", sized(1_000, 1_000_000)))
SECONDS = 60 * float(os.environ.get("PROVE_MINUTES", sized(1, 60) * (1 if FULL else 0.1)))
SEED = int(os.environ.get("PROVE_SEED", secrets.randbelow(10**6)))
QUIET = 0.8 if FULL else 0.7
"""The share of the requests in which nothing is killed."""
OF_A_POOL = min(3_000, max(40, REQUESTS // 60))
"""Bets after which a pool is closed."""
LOOKS = SECONDS / (700 if FULL else 24)
"""Seconds between two looks at the processes."""
LOOKS_AT_PEACE = 8
"""At least: of fewer there is no telling whether something grows."""
KILLS = 1 if not FULL else 12 if REQUESTS >= 100_000 else 5
"""How many there are at least, of each kind in turn."""
BETWEEN_KILLS = SECONDS * (1 - QUIET) / 20
MAY_GROW = 3.0
"""Megabytes that a process may hold more by 100,000 requests once it is warm; ten of PostgreSQL's count as one."""
SLACK = 24.0 if REQUESTS >= 100_000 else 120.0
"""Megabytes on top: a large file leaves holes behind it. Short runs are over before all is warm; they see floods."""
MAY_SPREAD = 1.2 if REQUESTS >= 100_000 else 2.0
"""How many times as many descriptors, threads, processes there may be: in a short run files are still being opened."""
MAY_LAG = 120.0
"""Seconds that seals and jobs may be behind at peace; somebody is woken at 300."""
OFTEN = 30
"""Requests of a kind of which one at least must have been done."""
FAILED = """
    SELECT job.task_name, CAST(extract(epoch FROM clock_timestamp() - event.at) AS float)
    FROM procrastinate_jobs AS job
    JOIN procrastinate_events AS event ON event.job_id = job.id AND event.type = 'failed' WHERE job.status = 'failed'
"""
DEADLOCKS = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"


class WatchedActs(Acts):
    """What the days do, whose lost answers are excused by kills alone."""

    def __init__(self, tally: Tally) -> None:
        super().__init__()
        self._tally = tally

    def count(self, what: str) -> None:
        """One more answer was lost."""
        super().count(what)
        self._tally.lose(time.monotonic(), what, "the days' own")


def test_a_day_with_all_roles_and_all_who_mean_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("TRUSTED_PROXIES", "127.0.0.1")
    print(f"\nsoak: PROVE_SEED={SEED} PROVE_REQUESTS={REQUESTS} PROVE_MINUTES={SECONDS / 60:g}")
    chance = Random(SEED)
    with deployed(tmp_path) as (ground, streams):
        caplog.set_level(logging.WARNING, "totalizator")
        prepare(ground.served.office)
        house = House(ground, streams, Tally(REQUESTS, SECONDS))
        try:
            quiet_until, town, seen = lived(house, chance)
            checked(house, town, quiet_until)
            assert seen, "no display was told anything"
        finally:
            kept(house, f"{'full' if FULL else 'small'}-{REQUESTS}", SEED)


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
            watch(house, days, lambda: tally.sent >= REQUESTS * QUIET and len(house.rates) >= LOOKS_AT_PEACE)
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


def checked(house: House, town: Town, quiet_until: float) -> None:
    """All that must hold when it is over; what it held and took is told first."""
    ground, tally = house.ground, house.tally
    grown = [growth(house.measures, name, 0, quiet_until) for name in house.measures.names() if name != CALLERS]
    figures = told(house, town, grown, quiet_until)
    print("\n".join(f"  {what:<66}{figure:>16}" for what, figure in figures.items()))
    assert not tally.failures, f"{len(tally.failures)} failures"
    assert tally.sent >= REQUESTS
    for kind, answers in tally.answers.items():
        successes = sum(times for (status, _), times in answers.items() if status in (200, 201))
        assert successes or kind.startswith("hostile:") or answers.total() < OFTEN, f"nothing of {kind} was ever done"
    bets_are_there_once(ground, list(town.told))
    assert sorted(town.paid) == [number for (number,) in ground.ask(JOURNAL)] == list(range(1, len(town.paid) + 1))
    books_and_seals_are_clean(ground)
    assert [name for name, at in failed_jobs(ground) if not tally.excused(at, at)] == [], "jobs that failed"
    lagged = max(max(lag[1:]) for lag in house.lags if lag[0] <= quiet_until)
    assert lagged <= MAY_LAG, f"seals or jobs were {lagged} seconds behind"
    flat(grown)


def failed_jobs(ground: Ground) -> list[tuple[str, float]]:
    """The jobs that failed, and when, as `time.monotonic` tells it: one whose database is killed under it does."""
    return [(name, time.monotonic() - ago) for name, ago in ground.ask(FAILED)]


def told(house: House, town: Town, grown: list[Growth], quiet_until: float) -> dict[str, object]:
    """What there is to tell of a run."""
    tally, lags = house.tally, [lag for lag in house.lags if lag[0] <= quiet_until]
    return {
        "requests": tally.sent,
        "requests a second at peace": f"{REQUESTS * QUIET / quiet_until:.0f}",
        "bets acknowledged": len(town.told),
        "payouts acknowledged": len(town.paid),
        "pools": house.ground.one("SELECT count(*) FROM pools"),
        "seconds behind at peace at most: seals, jobs": " ".join(
            f"{max(lag[place] for lag in lags):.0f}" for place in (1, 2)
        ),
        **{f"answers lost: {how}": times for how, times in sorted(tally.lost.items())},
        **{f"kills: {what}": times for what, times in Counter(one.what for one in tally.windows).items()},
        **{f"MB at peace: {one.name}": f"{one.before:.1f} - {one.after:.1f}" for one in grown},
        **{f"MB by 100,000 requests: {one.name}": f"{one.by_100_000:+.2f}" for one in grown},
        **{f"twice as slow at the end of peace, ms: {kind}": ms for kind, ms in slowed(tally, quiet_until).items()},
        **{f"ms of processors by request: {name}": f"{took:.2f}" for name, took in by_request(house, quiet_until)},
    }


def flat(grown: list[Growth]) -> None:
    """Nobody holds more in the last quarter of the quiet than in the second, but for what a bound allows."""
    for one in grown:
        like_ten = max(1.0, one.counted["processes"][1] / 10)
        allowed = SLACK + MAY_GROW * one.requests / 100_000 * like_ten
        assert one.after - one.before <= allowed, (allowed, one)
        for what, (before, after) in one.counted.items():
            assert after <= MAY_SPREAD * before + 10, (one.name, what, before, after)


def by_request(house: House, quiet_until: float) -> Iterator[tuple[str, float]]:
    """Milliseconds of processors' time that a request took from each at peace."""
    looks = house.measures.of(CALLERS, 0, quiet_until)
    requests = looks[-1].requests - looks[0].requests
    took = processor_time(house.measures, 0, quiet_until)
    for name, seconds in took.items():
        yield name, 1000 * seconds / requests
    yield "all together", 1000 * sum(took.values()) / requests
