"""kill -9 of API workers, task worker and postmaster at random instants of a house at work (FIELD-FAULTS 057, 063).

Whatever was acknowledged is there once. Whatever was not is there once or not at all, and its key tells which; the
repeat under the same key is told the same. PROVE_SEED repeats a run's chances, though not the machine's moments.
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

from tests.office import Office
from tests.prove.kills.customers import Customers
from tests.prove.kills.days import Days
from tests.prove.kills.ground import Ground
from tests.prove.kills.insisting import Act, Acts
from tests.prove.kills.reckoning import (
    books_and_seals_are_clean,
    every_act_is_there_once,
    every_pool_ended_once,
    repeats_are_replayed,
)
from tests.prove.served import sized

pytestmark = pytest.mark.prove
KILLS = sized(3, 100)
BETWEEN = 10
"""Acts that are answered between two kills at least, so that each meets a house at work."""
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
        self._prepare(ground.served.office)

    def _prepare(self, office: Office) -> None:
        for setting in ("code_attempts", "registry_attempts"):
            # An attempt that dies with its worker stays counted for a minute: here none waits for that.
            told = {"value": 1000, "reason": "процессы умирают"}
            changed = office.administrator.post(f"/settings/{setting}/versions", told)
            assert changed.status_code == 201, changed.json
        assert office.cashier
        for act in ("own_money_in", "special_account_in"):
            office.move(act, "50000.00")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house whose API never says that anything is its own fault; its task worker outlives what is not killed."""
    folder = tmp_path_factory.mktemp("kills")
    with Ground(folder) as ground:
        ground.until(ground.task_worker.ready, "a task worker at work")
        yield House(ground)
        said = (folder / "api").read_text("utf-8")
        assert "unexpected_error" not in said, said[said.index("unexpected_error") - 200 :][:4000]


def kill_api(ground: Ground, chance: Random) -> str:
    """One process of the API, at times all of them."""
    processes = ground.served.workers.processes()
    victims = processes if chance.random() < 0.1 else processes and [chance.choice(processes)]
    for victim in victims:
        os.kill(victim, signal.SIGKILL)
    return f"API processes killed, {'all' if len(victims) > 1 else 'one'} at a time"


def kill_task_worker(ground: Ground, chance: Random) -> str:
    """The task worker, two times of three while it does something; the next one is started."""
    ground.until(ground.task_worker.ready, "a task worker at work")
    if chance.random() < 2 / 3:
        ground.until(lambda: bool(ground.jobs_under_way()), "a job under way")
    time.sleep(chance.uniform(0, 0.02))
    before = len(ground.cut_off)
    ground.kill_task_worker()
    return "task worker killed over a job" if len(ground.cut_off) > before else "task worker killed"


def crash_database(ground: Ground, chance: Random) -> str:
    """The postmaster; it is started again after up to a second."""
    ground.crash_database()
    time.sleep(chance.uniform(0, 1))
    ground.start_database()
    return "postmaster killed"


@pytest.mark.parametrize("kill", [kill_api, kill_task_worker, crash_database])
def test_what_was_acknowledged_is_there_once(house: House, kill: Callable[[Ground, Random], str]) -> None:
    """Bets, deposits, payouts, closings, settlements, crediting, expiry and seals go on while it is killed."""
    ground, acts, chance = house.ground, house.acts, Random(SEED)
    run, began, started = kill.__name__.replace("_", "-"), len(acts.told), time.monotonic()
    happened, kills = Counter(acts.happened), Counter[str]()
    ground.cut_off.clear()
    with (
        Customers(ground, acts, chance, run) as customers,
        Days(ground, customers, acts, run, house.days) as days,
    ):
        for _ in range(KILLS):
            met = len(acts.told)
            while len(acts.told) < met + BETWEEN:
                customers.complain()
                days.complain()
                time.sleep(0.01)
            time.sleep(chance.uniform(0, 0.3))
            kills[kill(ground, chance)] += 1
    seconds = time.monotonic() - started
    the_dust_settles(house, days)

    every_act_is_there_once(ground, acts.told)
    tickets = every_pool_ended_once(ground)
    seals = books_and_seals_are_clean(ground)
    again = repeats_are_replayed(acts)
    assert sum(kills.values()) == KILLS

    told = acts.told[began:]
    table: list[tuple[str, object]] = [("PROVE_SEED", SEED), ("seconds", f"{seconds:.0f}"), *sorted(kills.items())]
    table += [
        ("acts acknowledged", sum(act.done for act in told)),
        ("acts refused", sum(not act.done for act in told)),
        *sorted((acts.happened - happened).items()),
        *sorted((f"answers lost: {became}", times) for became, times in became_of(told).items()),
        *sorted((f"jobs cut off: {name}", times) for name, times in Counter(ground.cut_off.values()).items()),
        ("acts repeated at the end, all replayed", again),
        ("pools ended (all kinds so far)", ground.one("SELECT count(*) FROM pools")),
        *sorted((f"tickets {status} (so far)", count) for status, count in tickets.items()),
        ("seals (so far)", seals),
    ]
    print(f"\n{kill.__name__}")
    print("\n".join(f"  {what:<60}{figure:>10}" for what, figure in table))


def became_of(told: list[Act]) -> Counter[str]:
    """Of the acts whose answer was lost at least once, what had become of them by then."""
    return Counter(act.became for act in told if act.said)


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
