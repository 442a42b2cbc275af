"""Sales stopped while fifty bet without a pause: no ticket is younger than the stop, and no stop is forgotten.

The trade's clock stands in both instants that are compared, the ticket's and the stop's, so that the database decides
which is younger; what a buyer hears is compared by the clock of this process.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from db.clock import trade_time
from db.embedded import EmbeddedServer
from db.session import transaction
from migrations.upgrade import upgrade
from office.callers import Caller, Role
from office.stops.models import Scope
from office.stops.switches import resume_sales, stop_sales
from tests.databases import create_database
from tests.office import Office
from tests.prove.crowd import STAKE, Crowd
from tests.prove.locks import held
from tests.prove.served import Served, sized
from tests.prove.test_orders_of_closing import told
from tests.prove.workers import Line, Workers, clients_of
from tote.orders import Order
from tote.sales import place

pytestmark = pytest.mark.prove
LONGEST_WAIT = timedelta(seconds=1)
"""How long a stop may wait at the house's gate under load."""
WHY = "Остановлено при проверке"
# Tickets of a pool sold while a stop was in force, at a desk or terminal if the stop names one.
YOUNGER = """
    SELECT count(*) FROM tickets AS ticket
    JOIN pool_bets AS bet ON bet.ticket_id = ticket.id JOIN pools AS pool ON pool.id = bet.pool_id
    LEFT JOIN terminals AS terminal ON terminal.id = ticket.terminal_id
    LEFT JOIN desks AS desk ON desk.id = terminal.desk_id
    JOIN sales_stops AS stop ON stop.id = :stop JOIN sales_resumptions AS ended ON ended.stop_id = stop.id
    WHERE pool.code = :pool AND ticket.placed_at > stop.effective_from AND ticket.placed_at < ended.resumed_at
        AND (stop.scope <> 'desk' OR desk.code = stop.subject)
        AND (stop.scope <> 'terminal' OR terminal.code = stop.subject)
"""
SCOPES = ("everywhere", "game", "sport", "event", "pool", "outcome", "desk", "terminal")


@pytest.fixture(scope="module")
def hall(house_of_file: Served) -> dict[str, list[Line]]:
    """Fifty placers: thirty of players, ten and five at two terminals of the first desk, five at another desk."""
    players = [house_of_file.player("9000.00") for _ in range(15)] * 2
    return {
        "online": players,
        "T-1": [house_of_file.cashier] * 10,
        "beside": [house_of_file.another_terminal()] * 5,
        "there": [house_of_file.another_desk()] * 5,
    }


def subject_of(scope: str, pool: dict[str, str]) -> dict[str, str]:
    """What a stop of this scope names, for bets on outcome 1 of the pool."""
    code = pool["code"]
    named = {"game": pool["game"], "sport": "football", "event": f"E-{code}", "pool": code}
    named |= {"outcome": f"pool:{code}/1", "desk": "K-1", "terminal": "T-1"}
    return {"subject": named[scope]} if scope in named else {}


def stopped_lines(scope: str, hall: dict[str, list[Line]]) -> set[Line]:
    """The placers that a stop of this scope stops."""
    places = {"terminal": ("T-1",), "desk": ("T-1", "beside")}.get(scope, tuple(hall))
    return {line for place_ in places for line in hall[place_]}


def sent_since(instant: float, crowd: Crowd, buyers: set[Line]) -> Iterator[bool]:
    """Of each answer that these buyers had, whether they asked after the instant."""
    return (heard.sent > instant for heard in list(crowd.heard) if heard.buyer in buyers)


@pytest.mark.parametrize("turn", range(sized(1, 10)))
@pytest.mark.parametrize("scope", SCOPES)
def test_no_ticket_is_younger_than_the_stop(served: Served, hall: dict[str, list[Line]], scope: str, turn: int) -> None:
    pool, stopped = served.pool(), stopped_lines(scope, hall)
    code, everybody = pool["code"], [line for lines in hall.values() for line in lines]
    with Crowd(everybody, code) as crowd:
        crowd.show(code, bets=100)
        asked = time.monotonic()
        made = served.organizer.post("/sales-stops", {"scope": scope, "reason": WHY, **subject_of(scope, pool)})
        in_force = time.monotonic()
        assert made.status_code == 201, made.text
        served.until(lambda: crowd.refused["sales_stopped"] >= 100, "a hundred bets refused for the stop")
        # They may all have been on their way before the stop's answer was: one that was sent after it is waited for.
        served.until(lambda: any(sent_since(in_force, crowd, stopped)), "a bet that was sent after the stop")
        resuming = time.monotonic()
        ended = served.organizer.post(f"/sales-stops/{made.json()['id']}/resumption", {"reason": WHY})
        assert ended.status_code == 201, ended.text
        resumed = time.monotonic()
        crowd.show(code, bets=crowd.taken[code] + 200)
    assert served.fact(YOUNGER, stop=made.json()["id"], pool=code) == 0
    print(f"{scope}: a stop under load took {in_force - asked:.3f} s, its end {resumed - resuming:.3f} s")
    meant = [heard for heard in crowd.heard if heard.buyer in stopped]
    meanwhile = {heard.refusal for heard in meant if in_force < heard.sent and heard.answered < resuming}
    assert meanwhile == {"sales_stopped"}
    assert {heard.refusal for heard in meant if heard.sent > resumed} == {None}
    assert {heard.refusal for heard in crowd.heard if heard.buyer not in stopped} <= {None}
    assert served.bets_of(code) == (crowd.taken[code], crowd.taken[code] * STAKE)


def test_a_stop_waits_under_a_second_at_the_gate(served: Served, hall: dict[str, list[Line]]) -> None:
    """Fifty placers who never pause; the stop is made as the emergency command makes it, past the busy workers."""
    pool = served.pool()["code"]
    organizer = Caller(Role.ORGANIZER, user_id=served.fact("SELECT id FROM users WHERE login = 'organizer'"))
    sessions, waits = served.office.house.sessions, []
    with Crowd([line for lines in hall.values() for line in lines], pool) as crowd:
        for _ in range(sized(10, 50)):
            crowd.show(pool, bets=crowd.taken[pool] + 50)
            with transaction(sessions) as session:
                came = trade_time(session)
                stop = stop_sales(session, Scope.EVERYWHERE, "", by=organizer, reason=WHY)
                waits.append(stop.effective_from - came)
            with transaction(sessions) as session:
                resume_sales(session, stop.id, by=organizer, reason=WHY)
    print(f"a stop waited at the gate: {sorted(round(wait.total_seconds(), 3) for wait in waits)} s")
    assert max(waits) < LONGEST_WAIT
    assert served.bets_of(pool) == (crowd.taken[pool], crowd.taken[pool] * STAKE)


def test_a_stop_waits_for_the_bet_under_way_and_the_bet_behind_it_is_refused(served: Served) -> None:
    """One bet is through the gates and not committed; the stop waits for it, the next bet for the stop."""
    pool = served.pool()["code"]
    slow = Caller(Role.PLAYER, player_id=served.id_of(served.player("5.00")))
    with ThreadPoolExecutor(2) as threads, held(served) as session:
        place(session, served.office.house.counter, Order(pool, "1", STAKE), slow)
        stop = threads.submit(served.organizer.post, "/sales-stops", {"scope": "pool", "subject": pool, "reason": WHY})
        served.wait_for(1)
        late = threads.submit(served.cashier.bet, "1", "1.00", pool)
        served.wait_for(2)
        session.commit()
        assert told(stop) == (201, None)
        assert told(late) == (409, "sales_stopped")
    assert served.bets_of(pool) == (1, STAKE)
    older = """
        SELECT placed_at < effective_from FROM sales_stops AS stop
        JOIN pools ON pools.code = stop.subject JOIN pool_bets AS bet ON bet.pool_id = pools.id
        JOIN tickets ON tickets.id = bet.ticket_id WHERE stop.id = :stop
    """
    assert served.fact(older, stop=stop.result().json()["id"]) is True


def test_a_bet_behind_a_stop_that_failed_is_taken(served: Served) -> None:
    """Whoever holds the house's gate gives up: nothing was stopped, and nobody need send again."""
    pool = served.pool()["code"]
    with ThreadPoolExecutor(1) as threads, held(served) as session:
        session.connection().exec_driver_sql("SELECT shut_gate(0, 0)")
        late = threads.submit(served.cashier.bet, "1", "1.00", pool)
        served.wait_for(1)
        session.rollback()
        assert told(late) == (201, None)


def test_workers_killed_during_a_stop_honour_it_when_they_are_back(served: Served) -> None:
    pool = served.pool()["code"]
    stop = served.organizer.post("/sales-stops", {"scope": "pool", "subject": pool, "reason": WHY})
    served.workers.kill()
    time.sleep(0.5)
    served.until(lambda: _answers(served), "workers that answer again")
    refused = [served.cashier.bet("1", "1.00", pool) for _ in range(20)]
    assert {(each.status_code, each.json()["code"]) for each in refused} == {(409, "sales_stopped")}
    ended = served.organizer.post(f"/sales-stops/{stop.json()['id']}/resumption", {"reason": WHY})
    assert ended.status_code == 201
    assert served.cashier.bet("1", "1.00", pool).status_code == 201


def test_a_restart_of_everything_honours_the_stop(tmp_path: Path) -> None:
    """Database server and workers are stopped and started; what was stopped is, what was not goes on."""
    server = EmbeddedServer(tmp_path / "postgres", fast=True).start()
    try:
        urls = create_database(server)
        upgrade(urls.owner)
        office = Office(urls)
        stopped, other = (office.pool(code)["code"] for code in ("P1", "P2"))
        cashier, organizer = office.cashier, office.organizer
        stop = organizer.post("/sales-stops", {"scope": "pool", "subject": stopped, "reason": WHY})
        assert stop.status_code == 201
        office.close()
        server.release()
        server.start()
        with Workers(urls, tmp_path / "log") as workers, clients_of(workers) as clients:
            there = Line(clients, cashier.token)
            assert there.bet("1", "1.00", stopped).json()["code"] == "sales_stopped"
            assert there.bet("1", "1.00", other).status_code == 201
            path = f"/sales-stops/{stop.json['id']}/resumption"
            assert Line(clients, organizer.token).post(path, {"reason": WHY}).status_code == 201
            assert there.bet("1", "1.00", stopped).status_code == 201
    finally:
        server.release(erase=True)


def test_every_worker_books_by_the_zone_that_holds_at_the_bets_instant(served: Served) -> None:
    """The zone changes at 10:00 while the crowd bets: from then on Pago Pago's (-11:00), where it is the day before."""
    pool = served.pool()["code"]
    change = {"value": "Pacific/Pago_Pago", "reason": WHY, "effective_from": "2022-11-22T10:00:00+03:00"}
    with Crowd([served.player("9000.00") for _ in range(8)] + [served.cashier] * 8, pool) as crowd:
        crowd.show(pool, bets=100)
        made = served.line(served.office.administrator).post("/settings/operator_time_zone/versions", change)
        assert made.status_code == 201, made.text
        crowd.show(pool, bets=200)
        served.office.clock("2022-11-22T09:59:59+03:00")
        crowd.show(pool, bets=400)
        served.until(lambda: bool(served.fact("SELECT trade_clock() > '2022-11-22T10:00:00+03:00'")), "ten o'clock")
        crowd.show(pool, bets=crowd.taken[pool] + 200)
    wrong = """
        SELECT count(*) FROM transfers WHERE kind = 'stake' AND ticket_id IN (SELECT ticket_id FROM pool_bets
            JOIN pools ON pools.id = pool_id WHERE code = :pool)
        AND booked_on <> date '2022-11-22' - CASE WHEN occurred_at < '2022-11-22T10:00:00+03:00' THEN 0 ELSE 1 END
    """
    after = "SELECT count(*) FROM transfers WHERE kind = 'stake' AND booked_on = '2022-11-21'"
    assert served.fact(wrong, pool=pool) == 0
    assert served.fact(after) >= 150


def _answers(served: Served) -> bool:
    try:
        return served.cashier.get("/pools").status_code == 200
    except httpx.TransportError:
        return False
