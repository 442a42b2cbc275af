"""Running totals are what the bets of a pool add up to, whatever is sealed, kept, cancelled or still uncommitted."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import event, select
from sqlalchemy.orm import Session

from db.session import transaction
from db.urls import DatabaseUrls
from ledger.seals.sealing import seal
from ledger.seals.verify import verify
from tests.office import Office
from tests.tote.selling import added_up, cancel, cashier_of, sell, totals
from tote.checkpoints import PoolCheckpoint, keep_totals
from tote.models import CancellationStage
from tote.totals import totals_by_pool

OUTCOMES = ("1", "X", "2")


@pytest.fixture
def selling(database: DatabaseUrls) -> Iterator[Office]:
    """An office with an open pool, whose books are not asked about: these tests cancel bets without their money."""
    opened = Office(database)
    opened.pool()
    yield opened
    opened.close()


def kept(session: Session) -> list[tuple[str, int, int]]:
    """The checkpoints in their order: outcome, bets, stakes."""
    found = select(PoolCheckpoint.outcome, PoolCheckpoint.bets, PoolCheckpoint.stakes).order_by(PoolCheckpoint.id)
    return [tuple(row) for row in session.execute(found)]


def keep(office: Office) -> int:
    """Seal, and keep totals of all that was sealed."""
    seal(office.house.sessions)
    return keep_totals(office.house.sessions, longest_tail=1)


def test_a_morning_worked_by_hand(office: Office) -> None:
    """10.00 and 20.00 on 1, 5.00 on X: kept; then 7.00 more on 1 as the tail, then kept again."""
    office.pool()
    for outcome, stake in (("1", "10.00"), ("1", "20.00"), ("X", "5.00")):
        assert office.bet(office.cashier, outcome, stake).status_code == 201
    assert keep(office) == 2
    assert office.bet(office.cashier, "1", "7.00").status_code == 201
    with office.house.sessions() as session:
        assert kept(session) == [("1", 2, 30_00), ("X", 1, 5_00)]
        assert totals(session, "P1") == {"1": (3, 37_00), "X": (1, 5_00)}
    assert keep(office) == 1
    with office.house.sessions() as session:
        assert kept(session) == [("1", 2, 30_00), ("X", 1, 5_00), ("1", 3, 37_00)]
        assert totals(session, "P1") == {"1": (3, 37_00), "X": (1, 5_00)}
    assert keep(office) == 0


def test_a_pool_nobody_has_bet_on_holds_nothing(office: Office) -> None:
    office.pool("P1")
    office.pool("P2")
    assert office.bet(office.cashier, "1", "10.00", "P2").status_code == 201
    keep(office)
    with office.house.sessions() as session:
        assert (totals(session, "P1"), totals(session, "P2")) == ({}, {"1": (1, 10_00)})


def test_a_short_tail_is_not_kept(office: Office) -> None:
    """Two thousand bets are added up in no time; a checkpoint a minute would in a week be more rows than they."""
    office.pool()
    assert office.bet(office.cashier, "1", "10.00").status_code == 201
    seal(office.house.sessions)
    assert keep_totals(office.house.sessions) == 0
    assert keep_totals(office.house.sessions, longest_tail=2) == 1


def test_what_is_not_sealed_is_never_kept(selling: Office) -> None:
    """A bet with a lower number commits late: it is in no checkpoint before it is final, and then in the next."""
    cashier = cashier_of(selling)
    with selling.house.sessions() as late:
        sell(selling, late, cashier, "P1", "1", 10_00)
        with transaction(selling.house.sessions) as session:
            sell(selling, session, cashier, "P1", "1", 1_00)
        seal(selling.house.sessions, patience=0.0)
        assert keep_totals(selling.house.sessions, longest_tail=1) == 0
        with selling.house.sessions() as session:
            assert totals(session, "P1") == {"1": (1, 1_00)}
        late.commit()
    with selling.house.sessions() as session:
        assert totals(session, "P1") == {"1": (2, 11_00)}
    assert keep(selling) == 1
    with selling.house.sessions() as session:
        assert totals(session, "P1") == {"1": (2, 11_00)}


def test_t_rules_29_a_bet_cancelled_while_selling_leaves_as_if_never_made(selling: Office) -> None:
    """Under a checkpoint and behind it alike; cancelled after the settlement it stays in the pool (D-18)."""
    cashier = cashier_of(selling)
    with transaction(selling.house.sessions) as session:
        under, stays = (sell(selling, session, cashier, "P1", "1", stake) for stake in (10_00, 20_00))
    keep(selling)
    with transaction(selling.house.sessions) as session:
        behind = sell(selling, session, cashier, "P1", "2", 5_00)
        sell(selling, session, cashier, "P1", "2", 3_00)
        cancel(session, under)
        cancel(session, behind, CancellationStage.CLOSED)
        cancel(session, stays, CancellationStage.SETTLED)
    for _ in range(2):
        with selling.house.sessions() as session:
            assert totals(session, "P1") == {"1": (1, 20_00), "2": (1, 3_00)} == added_up(session, "P1")
        keep(selling)


@pytest.mark.parametrize("seed", range(4))
def test_at_every_step_it_is_the_sum_of_the_bets(selling: Office, seed: int) -> None:
    """Sales that stay open and commit in any order or not at all, cancellations, seals of any size, sweeps."""
    chance = random.Random(seed)
    selling.pool("P2")
    cashier, sold, open_sales = cashier_of(selling), [], []
    for _ in range(60):
        step = chance.random()
        if step < 0.5 and len(open_sales) < 6:
            session = selling.house.sessions()
            pool, outcome, stake = chance.choice(("P1", "P2")), chance.choice(OUTCOMES), chance.randint(1_00, 9_999)
            open_sales.append((session, sell(selling, session, cashier, pool, outcome, stake)))
        elif step < 0.75 and open_sales:
            session, number = open_sales.pop(chance.randrange(len(open_sales)))
            with session:
                if chance.random() < 0.75:
                    session.commit()
                    sold.append(number)
        elif step < 0.8 and sold:
            with transaction(selling.house.sessions) as session:
                cancel(session, sold.pop(chance.randrange(len(sold))), chance.choice(list(CancellationStage)))
        elif step < 0.9:
            seal(selling.house.sessions, patience=0.0, block_rows=chance.randint(1, 6))
        else:
            keep_totals(selling.house.sessions, longest_tail=chance.randint(1, 4))
        with selling.house.sessions() as session:
            for pool in ("P1", "P2"):
                assert totals(session, pool) == added_up(session, pool)
    for session, _ in open_sales:
        session.close()
    assert keep(selling) > 0
    with selling.house.sessions() as session:
        assert totals(session, "P1") == added_up(session, "P1") != {}
        assert verify(session.connection()) == []


def test_sellers_sealers_and_sweeps_at_once(selling: Office) -> None:
    """In one snapshot totals and bets agree, however many write meanwhile; no two sweeps count a bet twice."""
    cashier = cashier_of(selling)
    house = selling.house

    def trade(seed: int) -> int:
        chance = random.Random(seed)
        for _ in range(25):
            with transaction(house.sessions) as session:
                sell(selling, session, cashier, "P1", chance.choice(OUTCOMES), chance.randint(1_00, 9_999))
                time.sleep(chance.choice((0, 0.002, 0.01)))
        return 25

    def sweep(_number: int) -> int:
        return sum(keep(selling) for _ in range(12))

    with ThreadPoolExecutor(6) as threads:
        sellers = [threads.submit(trade, seed) for seed in range(4)]
        sweepers = [threads.submit(sweep, number) for number in range(2)]
        looks = 0
        while not all(one.done() for one in (*sellers, *sweepers)):
            with house.sessions() as session:
                session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
                assert totals(session, "P1") == added_up(session, "P1")
                looks += 1
    assert sum(one.result() for one in sellers) == 100
    assert sum(one.result() for one in sweepers) > 0 and looks > 5
    keep(selling)
    with house.sessions() as session:
        assert sum(bets for bets, _ in totals(session, "P1").values()) == 100
        assert totals(session, "P1") == added_up(session, "P1")
    assert selling.wrongs() == []


def test_however_many_pools_are_asked_for_the_statements_are_two(office: Office) -> None:
    """How far the checkpoints reach, and the totals; and a bet is placed with no statement more than before."""
    pools = [office.pool(f"P{number}")["id"] for number in range(3)]
    with office.house.sessions() as session:
        said: list[str] = []
        event.listen(session.connection(), "before_cursor_execute", lambda *told: said.append(told[2]))
        assert set(totals_by_pool(session, pools)) == set(pools)
        assert len(said) == 2
