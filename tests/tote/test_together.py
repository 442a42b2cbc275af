"""Bets sold together are what placing each by itself would have made; what something stands against is left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from db.session import transaction
from desk.models import Terminal
from ledger.refusals import Refusal
from office.callers import Caller, Role
from office.users import User
from players.models import Player
from tests.desk.test_agents import agents_cashier
from tests.desk.test_shifts import PATIENCE, waits
from tests.office import Office
from tests.tote.selling import cashier_of
from tote.closing import close
from tote.orders import Order
from tote.pools import pool_by_code
from tote.sales import place
from tote.together import MOST_POOLS, sell_together

WRITTEN = text("""
    SELECT to_jsonb(ticket) - '{id, recorded_at, code_digest, code_sealed, placed_at}'::text[],
        to_jsonb(state) - 'ticket_id'::text,
        to_jsonb(bet) - '{id, recorded_at, ticket_id}'::text[],
        to_jsonb(moved) - '{id, recorded_at, ticket_id, occurred_at}'::text[], moved.occurred_at - ticket.placed_at
    FROM tickets AS ticket JOIN ticket_states AS state ON state.ticket_id = ticket.id
    JOIN pool_bets AS bet ON bet.ticket_id = ticket.id JOIN transfers AS moved ON moved.ticket_id = ticket.id
    WHERE ticket.id = ANY(:numbers) ORDER BY ticket.id
""")
"""All columns there are but for what must differ: numbers, codes, instants."""
CLOCK_THAT_WAITS = """
    ALTER FUNCTION trade_clock() RENAME TO true_clock;
    CREATE SEQUENCE looks;
    GRANT USAGE ON SEQUENCE looks TO PUBLIC;
    CREATE FUNCTION trade_clock() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
    BEGIN
        IF nextval('looks') = {look} THEN
            PERFORM pg_advisory_xact_lock_shared(99, 0);
        END IF;
        RETURN true_clock();
    END
    $$;
"""
"""Each gate looks twice: whether the shift is open to its terminal, then for the instant of the sale."""
ORDERS = [Order("P1", "1", 10_00), Order("P2", "2", 5_00), Order("P1", "X", 1_00), Order("P2", "2", 7_50)]


def player_of(office: Office, login: str, balance: str = "100.00") -> Caller:
    """A player with this money, as an act is told who calls."""
    office.player(login, balance)
    with transaction(office.house.sessions) as session:
        return Caller(Role.PLAYER, player_id=session.scalars(select(Player.id).where(Player.login == login)).one())


def sold_together(office: Office, orders: Sequence[Order], by: Caller) -> dict[int, int]:
    """What is sold of these orders, committed."""
    with transaction(office.house.sessions) as session:
        return sell_together(session, office.house.counter, orders, by)


def sold_each(office: Office, orders: Sequence[Order], by: Caller) -> list[int]:
    """The same orders placed one after the other."""
    numbers = []
    for order in orders:
        with transaction(office.house.sessions) as session:
            numbers.append(place(session, office.house.counter, order, by))
    return numbers


def written(office: Office, numbers: Sequence[int]) -> list[tuple[Any, ...]]:
    """What is on record of tickets."""
    with office.house.sessions() as session:
        return [tuple(row) for row in session.execute(WRITTEN, {"numbers": list(numbers)})]


@pytest.mark.parametrize("at_a_desk", [True, False])
def test_what_is_written_is_what_placing_each_writes(office: Office, at_a_desk: bool) -> None:
    office.pool()
    office.pool("P2")
    by = cashier_of(office) if at_a_desk else player_of(office, "ivan")
    each = sold_each(office, ORDERS, by)
    together = sold_together(office, ORDERS, by)

    assert list(together) and sorted(together) == [0, 1, 2, 3]
    numbers = [together[at] for at in range(4)]
    assert numbers == sorted(numbers) and len({*numbers, *each}) == 8
    assert written(office, numbers) == written(office, each)
    assert [len(row) for row in written(office, each)] == [5, 5, 5, 5]
    assert office.wrongs() == []


def test_codes_are_the_tickets_own_and_open(office: Office) -> None:
    office.pool()
    office.pool("P2")
    numbers = sold_together(office, ORDERS, cashier_of(office)).values()
    with office.house.sessions() as session:
        kept = session.execute(
            text("SELECT code_sealed, code_digest FROM tickets WHERE id = ANY(:ids)"), {"ids": list(numbers)}
        )
        codes = {office.house.codes.open(sealed, digest) for sealed, digest in kept}
    assert len(codes) == 4


@pytest.mark.parametrize(
    "order",
    [
        Order("P9", "1", 1_00),
        Order("P1", "7", 1_00),
        Order("P1", "1", 99),
        Order("P1", "1", 10_000_01),
        Order("P1", "1", 1_000_00),  # allowed, and to be noted as large
    ],
)
def test_an_order_that_is_refused_or_wants_a_note_is_left_out(office: Office, order: Order) -> None:
    office.pool()
    sold = sold_together(office, [Order("P1", "1", 1_00), order, Order("P1", "2", 2_00)], cashier_of(office))
    assert list(sold) == [0, 2]
    assert office.balance("pool", "pool:P1") == "3.00"


def test_a_closed_pool_is_left_out_and_the_others_are_sold(office: Office) -> None:
    office.pool()
    office.pool("P2")
    assert sold_together(office, ORDERS, cashier_of(office)).keys() == {0, 1, 2, 3}
    with transaction(office.house.sessions) as session:
        close(session, office.house.operator, pool_by_code(session, "P1"), closed_by=None)
    assert sold_together(office, ORDERS, cashier_of(office)).keys() == {1, 3}


@pytest.mark.parametrize(
    ("stop", "sold"),
    [
        ({"scope": "pool", "subject": "P1"}, {1, 3}),
        ({"scope": "outcome", "subject": "pool:P1/X"}, {0, 1, 3}),
        ({"scope": "everywhere"}, set()),
    ],
)
def test_what_a_stop_of_sales_meets_is_left_out(office: Office, stop: dict[str, str], sold: set[int]) -> None:
    office.pool()
    office.pool("P2")
    by = cashier_of(office)
    stopped = office.organizer.post("/sales-stops", {**stop, "reason": "проверка"})
    assert stopped.status_code == 201, stopped.json
    assert sold_together(office, ORDERS, by).keys() == sold


def test_a_game_account_pays_for_all_or_for_none(office: Office) -> None:
    office.pool()
    office.pool("P2")
    short, enough = player_of(office, "ivan", "23.49"), player_of(office, "pyotr", "23.50")
    assert sold_together(office, ORDERS, short) == {}
    assert sold_together(office, ORDERS, enough).keys() == {0, 1, 2, 3}
    with office.house.sessions() as session:
        left = session.execute(text("SELECT balance FROM balances ORDER BY account_id")).scalars().all()
    assert left == [23_49, 0]
    assert office.wrongs() == []


def test_nothing_is_sold_without_a_shift_nor_to_somebody_blocked(office: Office) -> None:
    office.pool()
    office.pool("P2")
    cashier, player = cashier_of(office), player_of(office, "ivan")
    assert office.cashier.post(f"/shifts/{office.shift_id}/closing", {"counted": "200.00"}).status_code == 201
    with transaction(office.owner) as session:
        session.execute(text("UPDATE players SET blocked_at = now()"))
    assert sold_together(office, ORDERS, cashier) == {}
    assert sold_together(office, ORDERS, player) == {}


def test_a_close_waits_for_bets_that_are_sold_together(office: Office) -> None:
    """Each pool's gate is held, the last one's too, until what was sold is committed."""
    office.pool()
    office.pool("P2")
    by = cashier_of(office)
    with transaction(office.house.sessions) as selling:
        assert len(sell_together(selling, office.house.counter, ORDERS, by)) == 4
        for pool in ("P1", "P2"):
            with pytest.raises(OperationalError, match="lock timeout"), transaction(office.house.sessions) as closing:
                closing.execute(text("SET LOCAL lock_timeout = '100ms'"))
                shut = text("SELECT shut_gate(1, (SELECT id FROM pools WHERE code = :pool))")
                closing.execute(shut, {"pool": pool})
    with transaction(office.house.sessions) as closing:
        closing.execute(text("SET LOCAL lock_timeout = '100ms'"))
        closing.execute(text("SELECT shut_gate(1, id) FROM pools"))


@pytest.mark.parametrize("at_a_desk", [True, False])
def test_bets_on_one_pool_too_many_are_left_out(office: Office, at_a_desk: bool) -> None:
    """Each gate takes room in the server's table of locks until the commit.

    A till sells whatever else is on pools it has entered; on a game account no bet behind finds the money first.
    """
    codes = [f"P{number}" for number in range(1, MOST_POOLS + 2)]
    for code in codes:
        office.pool(code)
    by = cashier_of(office) if at_a_desk else player_of(office, "ivan", "200.00")
    round_robin = [Order(code, "1", 1_00) for code in [*codes, *codes]]
    behind = range(len(codes), 2 * len(codes) - 1) if at_a_desk else ()
    assert sorted(sold_together(office, round_robin, by)) == [*range(MOST_POOLS), *behind]


@contextmanager
def clock_that_waits(office: Office, look: int) -> Iterator[Session]:
    """The trade's clock tells its time at this look, counted from now, only when the session given is at its end."""
    with office.owner.begin() as owner:
        owner.connection().exec_driver_sql(CLOCK_THAT_WAITS.format(look=look))
    with office.owner() as holding:
        holding.execute(text("SELECT pg_advisory_xact_lock(99, 0)"))
        yield holding


def at_terminal(office: Office, login: str, terminal: str) -> Caller:
    """A cashier at a terminal, as an act is told who calls."""
    with office.house.sessions() as session:
        user = session.scalars(select(User.id).where(User.login == login)).one()
        at = session.scalars(select(Terminal.id).where(Terminal.code == terminal)).one()
    return Caller(Role.CASHIER, user_id=user, terminal_id=at)


def test_a_contract_that_ends_between_two_gates_ends_the_sales_of_the_second(office: Office) -> None:
    """The first of three gates is entered in the last minute of the contract, the others after midnight."""
    office.clock("2022-11-21T23:59:00+03:00")
    for code in ("P1", "P2"):
        office.pool(code, opens_at="2022-11-21T08:00:00+03:00")
    agents_cashier(office, valid_until="2022-11-21")
    by = at_terminal(office, "agent", "TA-1")
    with clock_that_waits(office, 3) as holding, ThreadPoolExecutor(1) as threads:
        selling = threads.submit(sold_together, office, ORDERS, by)
        assert waits(office, selling)
        office.clock("2022-11-22T00:00:00+03:00")
        holding.rollback()
        assert selling.result(PATIENCE).keys() == {0}
    assert office.balance("pool", "pool:P1") == "10.00"
    for order in ORDERS[1:]:
        with pytest.raises(Refusal, match="desk_withdrawn"):
            sold_each(office, [order], by)


def test_a_shift_opened_between_two_gates_has_no_bet_of_before(office: Office) -> None:
    """Another terminal of the desk opens the shift behind the first of three gates, which found none open."""
    office.pool()
    office.pool("P2")
    by = cashier_of(office)
    second = office.cashier_at(office.desk, "T-2", "second", cash=None)
    assert office.cashier.post(f"/shifts/{office.shift_id}/closing", {"counted": "100.00"}).status_code == 201
    orders = [Order("P2", "2", 5_00), Order("P1", "1", 10_00), Order("P1", "X", 1_00)]
    with clock_that_waits(office, 2) as holding, ThreadPoolExecutor(1) as threads:
        selling = threads.submit(sold_together, office, orders, by)
        assert waits(office, selling)
        assert second.post("/shifts", {"counted": "100.00"}).status_code == 201
        holding.rollback()
        sold = selling.result(PATIENCE)
    assert sold.keys() == {0, 2}
    with office.house.sessions() as session:
        opened = "SELECT ticket.placed_at > shift.opened_at FROM tickets AS ticket JOIN shifts AS shift"
        assert session.scalars(text(f"{opened} ON shift.id = ticket.shift_id")).all() == [True, True]
    assert len(sold_each(office, orders[1:2], by)) == 1
