"""A batch of bets: every line decided by itself under its own key, as the single bet it could have been (DESIGN 4)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import event, text
from sqlalchemy.orm import Session
from werkzeug.test import TestResponse

from api.keys_together import store
from db.session import transaction
from tests.api.lines import lines_of
from tests.desk.test_shifts import PATIENCE, waits
from tests.office import POOL, Member, Office
from tote.orders import Order
from tote.sales import place
from tote.together import sell_together

BATCHES = "/pool-bet-batches"
KEY_OF_THE_CASHIER = text("""
    INSERT INTO idempotency_keys (scope, key, route, fingerprint, reference)
    SELECT 'terminal:' || id, :key, 'POST /api/v1/pool-bets', '', 1 FROM terminals WHERE code = 'T-1'
""")
PUT_OUT = {
    "signed out": "UPDATE access_tokens SET ended_at = now() WHERE role = 'cashier'",
    "locked": "UPDATE users SET blocked_at = now() WHERE login = 'cashier'",
}
LET_IN_AGAIN = "WITH users AS (UPDATE users SET blocked_at = NULL) UPDATE access_tokens SET ended_at = NULL"


def line(number: int, **changed: Any) -> dict[str, Any]:
    """A line with a key of its own: 10.00 on the first outcome."""
    return {"key": f"batch-line-{number:04}", "pool": "P1", "outcome": "1", "stake": "10.00", **changed}


def sent(member: Member, *lines: Any) -> list[dict[str, Any]]:
    """The outcomes of a batch that is taken."""
    answer = member.post(BATCHES, {"lines": list(lines)})
    assert answer.status_code == 200, answer.json
    return list(answer.json["lines"])


def told(outcomes: list[dict[str, Any]]) -> list[str]:
    """Each line's outcome in a word: ticket or the problem's code; a repeat is marked."""
    words = [outcome["problem"]["code"] if outcome["problem"] else "ticket" for outcome in outcomes]
    return [f"{word}, again" if outcome["replayed"] else word for word, outcome in zip(words, outcomes, strict=True)]


def faults_of_batches(capfd: Any) -> list[dict[str, Any]]:
    """The lines of the log that tell of a batch not sold together by a fault of ours."""
    return [one for one in lines_of(capfd.readouterr().err) if one["event"] == "batch_not_sold_together"]


@pytest.mark.parametrize("no_line", ["no line at all", None, 7, [], {}])
def test_each_line_is_decided_by_itself_and_answered_in_order(office: Office, no_line: Any) -> None:
    office.pool()
    outcomes = sent(
        office.cashier,
        line(1),
        line(2, stake="10000.01"),
        line(3, pool="P9"),
        line(4, stake="-1.00"),
        no_line,
        {**line(6), "colour": "red"},
        line(7, outcome="2", stake="5.00"),
    )

    assert told(outcomes) == [
        "ticket",
        "stake_over_maximum",
        "unknown_pool",
        "validation_failed",
        "validation_failed",
        "validation_failed",
        "ticket",
    ]
    keys = [outcome["key"] for outcome in outcomes]
    assert keys == [None if number == 5 else f"batch-line-{number:04}" for number in range(1, 8)]
    assert outcomes[1]["problem"]["maximum"] == "10000.00"
    assert outcomes[3]["problem"]["errors"]["json"] == {"stake": ["Нужны цифры с точкой, например 12.50."]}
    assert outcomes[3]["problem"]["detail"] == "Исправьте поля: stake."
    assert (office.balance("pool", "pool:P1"), office.balance("cash", "desk:K-1")) == ("15.00", "115.00")


def test_a_line_is_answered_as_the_single_bet_under_its_key(office: Office) -> None:
    """Ticket with its payable code, refusal with its members, wrong field with its words: one and the same."""
    office.pool()
    wrongs = [line(1), line(2, stake="0.50"), line(3, stake="1,00"), line(4, pool="P9")]
    outcomes = sent(office.cashier, *wrongs)
    for asked, outcome in zip(wrongs, outcomes, strict=True):
        key = asked.pop("key")
        single = office.cashier.post("/pool-bets", asked, key)
        assert (outcome["ticket"] or outcome["problem"]) == single.json
    assert len(outcomes[0]["ticket"]["code"]) == 16


def test_lines_on_positions_are_the_bets_they_would_be_alone(office: Office) -> None:
    """Marks in each position, rows one by one, an outcome where there are none: tickets, and the key's for a repeat."""
    matches = [{"code": f"M{number}", "name": "Матч", "outcomes": POOL["outcomes"]} for number in (1, 2)]
    full = [{"from": "100", "to": "100", "share": "100"}]
    office.pool(game="totolot_position", outcomes=None, positions=matches, levels=full)
    office.pool("P2")
    on_positions = line(1, marks=[["1"], ["1", "X"]]), line(2, uploaded="1X\n12\n22\nXX", stake="4.00")
    for one in on_positions:
        del one["outcome"]
    outcomes = sent(office.cashier, *on_positions, line(3), line(4, pool="P2"), line(5, pool="P2"))
    assert told(outcomes) == ["ticket", "ticket", "marks_wrong", "ticket", "ticket"]
    assert [outcomes[at]["ticket"]["rows"] for at in (0, 1, 3)] == [2, 4, 1]
    for asked, outcome in zip(on_positions, outcomes, strict=False):
        key = asked.pop("key")
        assert office.cashier.post("/pool-bets", asked, key).json == outcome["ticket"]
    assert (office.balance("pool", "pool:P1"), office.balance("pool", "pool:P2")) == ("14.00", "20.00")


def test_a_batch_half_repeated_gives_the_old_tickets_for_that_half(office: Office) -> None:
    office.pool()
    first = sent(office.cashier, line(1), line(2, stake="0.50"))
    second = sent(office.cashier, line(1), line(2, stake="0.50"), line(3), line(4, stake="0.50"))

    assert told(second) == ["ticket, again", "stake_under_minimum, again", "ticket", "stake_under_minimum"]
    assert second[0]["ticket"] == first[0]["ticket"]
    assert second[1]["problem"] == first[1]["problem"]
    assert second[2]["ticket"]["number"] != first[0]["ticket"]["number"]
    assert office.balance("pool", "pool:P1") == "20.00"
    again = sent(office.cashier, line(1), line(2, stake="0.50"), line(3), line(4, stake="0.50"))
    assert [outcome["ticket"] or outcome["problem"] for outcome in again] == [
        outcome["ticket"] or outcome["problem"] for outcome in second
    ]
    assert all(outcome["replayed"] for outcome in again)


def test_a_lines_key_and_a_single_bets_key_are_the_same_space(office: Office) -> None:
    office.pool()
    single = office.bet(office.cashier, "1", "10.00", key="batch-line-0001")
    outcomes = sent(office.cashier, line(1), line(1, stake="20.00"), line(2), line(2, outcome="2"))

    assert told(outcomes) == ["ticket, again", "idempotency_key_reused", "ticket", "idempotency_key_reused"]
    assert outcomes[0]["ticket"] == single.json
    after = office.bet(office.cashier, "1", "10.00", key="batch-line-0002")
    assert (after.json, after.headers["Idempotency-Replayed"]) == (outcomes[2]["ticket"], "true")
    known = office.cashier.get("/idempotency-keys/batch-line-0002").json
    assert (known["route"], known["reference"]) == ("POST /api/v1/pool-bets", outcomes[2]["ticket"]["number"])
    deposit = office.cashier.post("/deposits", {"player": "nobody", "amount": "10.00"}, "batch-line-0002")
    assert deposit.json["code"] == "idempotency_key_reused"
    assert office.balance("pool", "pool:P1") == "20.00"


def test_a_line_that_cannot_be_read_leaves_its_key_free(office: Office) -> None:
    office.pool()
    assert told(sent(office.cashier, line(1, stake="10,00"))) == ["validation_failed"]
    assert office.cashier.get("/idempotency-keys/batch-line-0001").status_code == 404
    assert told(sent(office.cashier, line(1))) == ["ticket"]


def test_a_line_refused_for_want_of_money_is_refused_for_ever(office: Office) -> None:
    """25.00 are enough for two lines of three; the money that comes later changes nothing for the third's key."""
    office.pool()
    player = office.player("ivan", "25.00")
    assert told(sent(player, line(1), line(2), line(3))) == ["ticket", "ticket", "insufficient_funds"]
    office.cashier.post("/deposits", {"player": "ivan", "amount": "50.00"})
    assert told(sent(player, line(3), line(4))) == ["insufficient_funds, again", "ticket"]
    assert player.get("/players/me").json["balance"] == "45.00"


def test_a_large_bet_finds_the_money_that_its_place_in_the_batch_leaves_it(office: Office) -> None:
    """It goes by itself, to be noted: the lines behind it must not be sold ahead of it."""
    office.pool()
    player = office.player("ivan", "1010.00")
    outcomes = sent(player, line(1), line(2, stake="1000.00"), line(3), line(4))
    assert told(outcomes) == ["ticket", "ticket", "insufficient_funds", "insufficient_funds"]
    assert player.get("/players/me").json["balance"] == "0.00"


@pytest.mark.parametrize("lines", [[], [line(number) for number in range(501)], {"1": line(1)}, "lines", None, 7])
def test_a_batch_of_none_or_too_many_lines_is_refused_whole(office: Office, lines: Any) -> None:
    office.pool()
    answer = office.cashier.post(BATCHES, {"lines": lines})
    assert (answer.status_code, list(answer.json["errors"]["json"])) == (422, ["lines"])
    assert office.balance("pool", "pool:P1") == "0.00"


def fail_behind_the_inserts(session: Session, *asked: Any) -> dict[int, int]:
    """Bets written together, and then a fault."""
    assert sell_together(session, *asked)
    raise RuntimeError("a fault behind the inserts")


def sell_none_together(*_asked: Any) -> dict[int, int]:
    """Every line goes its own way."""
    return {}


def test_a_fault_of_ours_in_one_line_is_that_lines_and_is_not_stored(office: Office, monkeypatch: Any) -> None:
    office.pool()

    def place_but_one(session: Session, counter: Any, order: Order, caller: Any) -> int:
        number = place(session, counter, order, caller)
        if order.outcome == "X":
            raise RuntimeError("a fault behind the ticket's insert")
        return number

    lines = [line(1), line(2, outcome="X"), line(3)]
    with monkeypatch.context() as broken:
        broken.setattr("api.tote.batches.place", place_but_one)
        broken.setattr("api.tote.batches.sell_together", fail_behind_the_inserts)
        assert told(sent(office.cashier, *lines)) == ["ticket", "internal_error", "ticket"]
    assert office.balance("pool", "pool:P1") == "20.00"
    assert told(sent(office.cashier, *lines)) == ["ticket, again", "ticket", "ticket, again"]


def lost_at(office: Office, number: int, monkeypatch: Any) -> TestResponse:
    """The answer to a batch of five whose connection to the database breaks at a line."""
    begun = []

    def place_and_break_off(session: Session, *asked: Any) -> int:
        begun.append(1)
        made = place(session, *asked)
        if len(begun) == number:
            session.connection().exec_driver_sql("SELECT pg_terminate_backend(pg_backend_pid())")
        return made

    with monkeypatch.context() as broken:
        broken.setattr("api.tote.batches.place", place_and_break_off)
        broken.setattr("api.tote.batches.sell_together", sell_none_together)
        return office.cashier.post(BATCHES, {"lines": [line(number) for number in range(1, 6)]})


def test_a_batch_broken_off_in_the_middle_is_finished_by_its_repeat(office: Office, monkeypatch: Any) -> None:
    """Two lines are committed when the database goes away: nothing of the third, and the repeat does the rest."""
    office.pool()
    answer = lost_at(office, 3, monkeypatch)
    assert (answer.status_code, answer.json["code"]) == (503, "too_busy")
    assert office.balance("pool", "pool:P1") == "20.00"

    again = sent(office.cashier, *(line(number) for number in range(1, 6)))
    assert told(again) == ["ticket, again", "ticket, again", "ticket", "ticket", "ticket"]
    assert len({outcome["ticket"]["number"] for outcome in again}) == 5
    assert office.balance("pool", "pool:P1") == "50.00"


def test_of_lines_committed_together_all_or_none_are_there_when_the_database_goes_away(
    office: Office, monkeypatch: Any
) -> None:
    def sell_and_break_off(session: Session, *asked: Any) -> dict[int, int]:
        sold = sell_together(session, *asked)
        session.connection().exec_driver_sql("SELECT pg_terminate_backend(pg_backend_pid())")
        return sold

    office.pool()
    lines = [line(number) for number in range(1, 6)]
    with monkeypatch.context() as broken:
        broken.setattr("api.tote.batches.sell_together", sell_and_break_off)
        answer = office.cashier.post(BATCHES, {"lines": lines})
    assert (answer.status_code, answer.json["code"]) == (503, "too_busy")
    assert office.balance("pool", "pool:P1") == "0.00"
    assert told(sent(office.cashier, *lines)) == ["ticket"] * 5
    assert (office.balance("pool", "pool:P1"), office.wrongs()) == ("50.00", [])


def test_two_batches_under_the_same_keys_in_other_orders_bet_each_line_once(office: Office, capfd: Any) -> None:
    """Somebody else's bet under a key in the middle comes to nothing when both have put keys on record up to it.

    Each would then wait for a key of the other, were they not put on record in one order.
    """
    office.pool()
    cashier, lines = office.cashier, [line(number) for number in range(40)]
    with office.owner() as third, ThreadPoolExecutor(2) as both:
        third.execute(KEY_OF_THE_CASHIER, {"key": lines[20]["key"]})
        batches = [both.submit(_sent_by_itself, office, cashier, batch) for batch in (lines, lines[::-1])]
        assert waits(office, *batches)
        third.rollback()
        first, second = (batch.result(PATIENCE) for batch in batches)
    assert [outcome["ticket"]["number"] for outcome in first] == [
        outcome["ticket"]["number"] for outcome in second[::-1]
    ]
    assert office.balance("pool", "pool:P1") == "400.00"
    assert faults_of_batches(capfd) == []


def test_a_fault_of_ours_in_the_whole_is_logged_and_its_lines_are_placed_by_themselves(
    office: Office, monkeypatch: Any, capfd: Any
) -> None:
    office.pool()
    monkeypatch.setattr("api.tote.batches.sell_together", fail_behind_the_inserts)
    assert told(sent(office.cashier, line(1), line(2), line(3))) == ["ticket"] * 3
    (fault,) = faults_of_batches(capfd)
    assert fault["level"] == "error"
    assert "RuntimeError: a fault behind the inserts" in fault["exception"] and "Traceback" in fault["exception"]
    assert (office.balance("pool", "pool:P1"), office.wrongs()) == ("30.00", [])


def test_a_lost_race_for_a_key_is_no_fault(office: Office, monkeypatch: Any, capfd: Any) -> None:
    """Another request has bet under one of the keys when the batch is about to put them on record."""

    single = {name: value for name, value in line(2).items() if name != "key"}

    def store_behind_another(*made: Any) -> None:
        other = Member(office.app.test_client(), office.cashier.token)
        with ThreadPoolExecutor(1) as beside:
            assert beside.submit(other.post, "/pool-bets", single, line(2)["key"]).result().status_code == 201
        store(*made)

    office.pool()
    monkeypatch.setattr("api.tote.batches.store", store_behind_another)
    assert told(sent(office.cashier, line(1), line(2), line(3))) == ["ticket", "ticket, again", "ticket"]
    assert faults_of_batches(capfd) == []
    assert office.balance("pool", "pool:P1") == "30.00"


@pytest.mark.parametrize("ending", PUT_OUT.values(), ids=PUT_OUT)
def test_a_batch_is_finished_by_whoever_was_let_in(office: Office, monkeypatch: Any, capfd: Any, ending: str) -> None:
    """The session ends when the first lines are sold and nothing is committed: a single bet is finished then as well.

    The large one and the wrong one go by themselves, behind the end.
    """

    def put_out(act: Any) -> Any:
        def put_out_behind(*asked: Any) -> Any:
            made = act(*asked)
            with transaction(office.owner) as session:
                session.execute(text(ending))
            return made

        return put_out_behind

    office.pool()
    single = {name: value for name, value in line(0).items() if name != "key"}
    with monkeypatch.context() as midst:
        midst.setattr("api.tote.batches.sell_together", put_out(sell_together))
        lines = [line(1), line(2, stake="1000.00"), line(3, stake="0.50"), line(4)]
        assert told(sent(office.cashier, *lines)) == ["ticket", "ticket", "stake_under_minimum", "ticket"]
    assert faults_of_batches(capfd) == []
    assert office.cashier.post(BATCHES, {"lines": [line(5)]}).status_code == 401

    with transaction(office.owner) as session:
        session.execute(text(LET_IN_AGAIN))
    monkeypatch.setattr("api.tote.routes.place", put_out(place))
    assert office.cashier.post("/pool-bets", single).status_code == 201
    assert office.cashier.post("/pool-bets", single).status_code == 401


def test_a_line_stores_the_key_that_a_single_bet_stores(office: Office) -> None:
    """Whatever columns there are, but for the key, what was made under it, and when."""
    office.pool()
    single = {name: value for name, value in line(0).items() if name != "key"}
    assert office.cashier.post("/pool-bets", single, "single-bet-0000").status_code == 201
    assert told(sent(office.cashier, line(1), line(2))) == ["ticket"] * 2
    with office.owner() as session:
        query = "SELECT to_jsonb(stored) - '{id, key, reference, recorded_at}'::text[] FROM idempotency_keys AS stored"
        stored = session.scalars(text(f"{query} WHERE route = 'POST /api/v1/pool-bets'")).all()
    assert len(stored) == 3 and "fingerprint" in stored[0]
    assert stored[0] == stored[1] == stored[2]


def _sent_by_itself(office: Office, by: Member, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sent(Member(office.app.test_client(), by.token), *lines)


def counted(office: Office, *sizes: int) -> list[int]:
    """How many statements batches of these sizes take."""
    statements: list[str] = []
    event.listen(office.house.engine, "before_cursor_execute", lambda *told: statements.append(told[2]))
    counts = []
    for first, size in enumerate(sizes, 1):
        statements.clear()
        assert told(sent(office.cashier, *(line(100 * first + at) for at in range(size)))) == ["ticket"] * size
        counts.append(len(statements))
    return counts


def test_lines_that_nothing_stands_against_take_no_statement_each(office: Office) -> None:
    office.pool()
    sent(office.cashier, line(0))
    few, many = counted(office, 10, 30)
    assert few == many


def test_a_line_that_goes_by_itself_takes_four_statements(office: Office, monkeypatch: Any) -> None:
    """Key looked up, gates entered, bet written, key written."""
    office.pool()
    sent(office.cashier, line(0))
    monkeypatch.setattr("api.tote.batches.sell_together", sell_none_together)
    few, many = counted(office, 10, 30)
    assert many - few == 20 * 4
