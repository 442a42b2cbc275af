"""kill -9 of API workers, task worker and postmaster at random instants of a house at work (FIELD-FAULTS 057, 063).

Whatever was acknowledged is there once. Whatever was not is there once or not at all, and its key tells which; the
repeat under the same key is told the same. PROVE_SEED repeats a run's chances, though not the machine's moments;
PROVE_KILLS says how often each kind is killed.
"""

from __future__ import annotations

import os
import secrets
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

import pytest

from tests.prove.insisting import Acts
from tests.prove.kills.customers import Customers
from tests.prove.kills.days import Days
from tests.prove.kills.ground import Ground, prepare
from tests.prove.kills.reckoning import (
    books_and_seals_are_clean,
    every_act_is_there_once,
    every_pool_ended_once,
    repeats_are_replayed,
)
from tests.prove.served import sized
from tests.prove.workers import faults_in

pytestmark = pytest.mark.prove
KILLS = int(os.environ.get("PROVE_KILLS", sized(2, 100)))
BETWEEN = 10
"""Acts that are carried out between two kills at least, so that each meets a house at work; refusals are no work."""
LOST = max(1, KILLS // 4)
"""Acts whose answer kills must have cost somebody: a run that cost nobody one would have proved nothing."""
IN_VAIN = max(10, KILLS // 4)
"""Kills beyond those wanted, by which so many answers must be lost."""
AT_MOST = 12
"""Jobs that a task worker does in peace before it is killed, so that now and then a pool comes to its end."""
Kill = Callable[[Ground, Random], str]
"""Kills something, and tells what."""
SEED = int(os.environ.get("PROVE_SEED", secrets.randbelow(10**6)))
FORGET_THE_DEAD = """
    UPDATE procrastinate_workers SET last_heartbeat = last_heartbeat - interval '1 hour'
    WHERE id < (SELECT max(id) FROM procrastinate_workers) RETURNING id
"""


class House:
    """The ground with what went on there so far: one for all kinds of kills, so that each finds books with a past."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.acts = Acts()
        self.days = 1
        prepare(ground.served.office)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house whose API never says that anything is its own fault; its task worker outlives what is not killed."""
    folder = tmp_path_factory.mktemp("kills")
    with Ground(folder) as ground:
        ground.until(ground.task_worker.ready, "a task worker at work")
        yield House(ground)
        assert faults_in(folder / "api") == []


def kill_api(ground: Ground, chance: Random) -> str:
    """One process of the API, at times all of them."""
    workers = ground.served.workers
    ground.until(lambda: bool(workers.processes()), "a process of the API")
    if chance.random() < 0.1:
        workers.kill()
        return "API processes killed, all at a time"
    os.kill(chance.choice(workers.processes()), signal.SIGKILL)
    return "API processes killed, one at a time"


def kill_task_worker(ground: Ground, chance: Random) -> str:
    """The task worker, at once or after some jobs, and half the time over one; the next worker is started."""
    let_work(ground, chance.randint(0, AT_MOST))
    if chance.random() < 0.5:
        ground.until(lambda: bool(dict(ground.jobs_under_way()).keys() - ground.cut_off.keys()), "a job under way")
    time.sleep(chance.uniform(0, 0.02))
    before = len(ground.cut_off)
    ground.kill_task_worker()
    return "task worker killed over a job" if len(ground.cut_off) > before else "task worker killed"


def crash_database(ground: Ground, chance: Random) -> str:
    """The postmaster; it is started again after up to a second. Every other time the task worker is back before."""
    if chance.random() < 0.5:
        let_work(ground, chance.randint(1, AT_MOST))
    ground.crash_database()
    time.sleep(chance.uniform(0, 1))
    ground.start_database()
    ground.task_worker.look_from_here()
    return "postmaster killed"


def let_work(ground: Ground, jobs: int) -> None:
    """Wait until the task worker is there and has done so many jobs: pools must come to their end meanwhile."""
    ground.until(ground.task_worker.ready, "a task worker at work")
    ground.until(lambda: ground.task_worker.done() >= jobs, f"{jobs} jobs done")


@pytest.mark.parametrize("kill", [kill_api, kill_task_worker, crash_database])
def test_what_was_acknowledged_is_there_once(house: House, kill: Kill) -> None:
    """Bets, deposits, payouts, closings, settlements, crediting, expiry and seals go on while it is killed."""
    ground, acts = house.ground, house.acts
    began, happened = len(acts.told), Counter(acts.happened)
    print(f"\n{kill.__name__}: PROVE_SEED={SEED}")
    figures: list[tuple[str, object]] = sorted(killed_at_work(house, kill, Random(SEED)).items())

    every_act_is_there_once(ground, acts.told)
    tickets = every_pool_ended_once(ground)
    seals = books_and_seals_are_clean(ground)
    again = repeats_are_replayed(acts)
    told = acts.told[began:]
    became = Counter(act.became for act in told if act.said)

    figures += [
        ("acts acknowledged", sum(act.done for act in told)),
        ("acts refused", sum(not act.done for act in told)),
        *sorted((acts.happened - happened).items()),
        *sorted((f"answers lost: {became_of_it}", times) for became_of_it, times in became.items()),
        *sorted((f"jobs cut off: {name}", times) for name, times in Counter(ground.cut_off.values()).items()),
        ("acts repeated at the end, all replayed", again),
        ("pools settled, all kinds so far", ground.one("SELECT count(*) FROM pools")),
        *sorted((f"tickets {status}, so far", count) for status, count in tickets.items()),
        ("seals, so far", seals),
    ]
    print("\n".join(f"  {what:<60}{figure:>10}" for what, figure in figures))


def killed_at_work(house: House, kill: Kill, chance: Random) -> Counter[str]:
    """Kill as often as is wanted while all goes on, and let the dust settle; how often what, in how many seconds.

    By chance a kill meets nobody who waits for an answer. It is repeated then, for one that nobody noticed proves
    little; that of the task worker costs nobody an answer.
    """
    ground, acts, run = house.ground, house.acts, kill.__name__.replace("_", "-")
    began, kills, before, wanted = time.monotonic(), Counter[str](), acts.lost, LOST * (kill is not kill_task_worker)
    ground.cut_off.clear()
    with (
        Customers(ground, acts, chance, run) as customers,
        Days(ground, customers, acts, run, house.days) as days,
    ):
        while kills.total() < KILLS or acts.lost - before < wanted:
            assert kills.total() < KILLS + IN_VAIN, "kills that cost nobody an answer"
            met = acts.done
            while acts.done < met + BETWEEN:
                customers.complain()
                days.complain()
                time.sleep(0.01)
            time.sleep(chance.uniform(0, 0.3))
            kills[kill(ground, chance)] += 1
    kills["seconds"] = round(time.monotonic() - began)
    the_dust_settles(house, days)
    return kills


def the_dust_settles(house: House, days: Days) -> None:
    """The terms of all wins end, and what dead workers held goes back to the queue and is done."""
    ground = house.ground
    house.days = days.come_to_rest()
    ground.until(lambda: ground.one("SELECT count(*) FROM ticket_states WHERE status = 'won'") == 0, "all wins lapsed")
    ground.until(ground.task_worker.ready, "a task worker at work")
    held = [job for job, _ in ground.jobs_under_way()]
    ground.ask(FORGET_THE_DEAD)
    ground.defer("requeue_stalled")
    left = "SELECT count(*) FROM procrastinate_jobs WHERE id = ANY(%s) AND status = 'doing'"
    ground.until(lambda: ground.one(left, held) == 0, "all that was in hand done or given back")
