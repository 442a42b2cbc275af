"""Batches on real workers: sent by everybody at once, half repeated, killed in the middle (FIELD-FAULTS 057)."""

from __future__ import annotations

import time
from typing import Any

import httpx
import pytest

from tests.prove.locks import holding_balance
from tests.prove.served import Served, sized
from tests.prove.workers import Line, at_once

pytestmark = pytest.mark.prove
LINES = sized(40, 500)


def lines_of(pool: str, first: int = 0, size: int = LINES, **changed: Any) -> list[dict[str, Any]]:
    """Lines of 1.00 each on the first outcome, under keys of their own."""
    line = {"pool": pool, "outcome": "1", "stake": "1.00", **changed}
    return [{**line, "key": f"{pool}-line-{number:04}"} for number in range(first, first + size)]


def outcomes(answer: httpx.Response) -> list[dict[str, Any]]:
    """What became of the lines of a batch that was answered."""
    assert answer.status_code == 200, answer.text
    return list(answer.json()["lines"])


def sent(line: Line, lines: list[dict[str, Any]]) -> httpx.Response:
    """The answer to a batch."""
    return line.post("/pool-bet-batches", {"lines": lines})


def test_one_batch_sent_by_a_terminal_many_times_at_once_bets_each_line_once(served: Served) -> None:
    pool = served.pool()["code"]
    answers = at_once([lambda: sent(served.cashier, lines_of(pool))] * 6)

    tickets = [[line["ticket"] for line in outcomes(answer)] for answer in answers]
    assert all(told == tickets[0] for told in tickets)
    made = [line["replayed"] for answer in answers for line in outcomes(answer)].count(False)
    assert made == LINES
    assert served.bets_of(pool) == (LINES, LINES * 100)


def test_a_batch_with_half_its_lines_repeated_gets_the_old_tickets_for_those(served: Served) -> None:
    """Half were bet before, singly or in a batch; all batches come at once."""
    pool = served.pool()["code"]
    half = LINES // 2
    old = outcomes(sent(served.cashier, lines_of(pool, size=half - 1)))
    single = served.cashier.bet("1", "1.00", pool, f"{pool}-line-{half - 1:04}").json()
    answers = at_once([lambda: sent(served.cashier, lines_of(pool))] * 4)

    for answer in answers:
        told = outcomes(answer)
        assert [line["ticket"] for line in told[: half - 1]] == [line["ticket"] for line in old]
        assert told[half - 1]["ticket"] == single
        assert all(line["replayed"] for line in told[:half])
    assert served.bets_of(pool) == (LINES, LINES * 100)


def test_single_bets_and_batches_meet_under_the_same_keys(served: Served) -> None:
    """A line and a single bet of one key at the same moment are one ticket."""
    pool = served.pool()["code"]
    lines = lines_of(pool, size=8)
    singles = [lambda line=line: served.cashier.bet("1", "1.00", pool, line["key"]) for line in lines]
    answers = at_once([*singles, *[lambda: sent(served.cashier, lines)] * 4])

    told = [answer.json() for answer in answers[:8]]
    for answer in answers[8:]:
        assert [line["ticket"] for line in outcomes(answer)] == told
    assert served.bets_of(pool) == (8, 8_00)


def test_a_batch_on_the_money_for_some_lines_takes_exactly_those(served: Served) -> None:
    """Ten lines of 1.00 by each of four batches on 25.00: 25 are taken, whichever; the others are refused by a key."""
    pool = served.pool()["code"]
    player = served.player("25.00")
    batches = [lines_of(pool, first=10 * number, size=10) for number in range(4)]
    told = [outcomes(answer) for answer in at_once([lambda lines=lines: sent(player, lines) for lines in batches])]

    codes = [line["problem"]["code"] for lines in told for line in lines if line["problem"]]
    assert codes == ["insufficient_funds"] * 15
    assert served.bets_of(pool) == (25, 25_00)
    again = [outcomes(sent(player, lines)) for lines in batches]
    tickets_of = [[line["ticket"] for line in lines] for lines in again]
    assert tickets_of == [[line["ticket"] for line in lines] for lines in told]


def test_a_batch_whose_workers_were_killed_is_finished_by_its_repeat(served: Served) -> None:
    """Ten lines are committed when the workers die in the eleventh: those are answered as before."""
    pool = served.pool()["code"]
    player = served.player("100.00")
    before = outcomes(sent(player, lines_of(pool, size=10)))
    with holding_balance(served, player):
        # Its first ten lines are answered from the record; the eleventh waits for the balance.
        waiting = at_once([lambda: _lost(player, lines_of(pool, size=30)), lambda: _kill(served)])
    assert waiting[0] is None
    served.wait_for(0)

    told = outcomes(_insisting(player, lines_of(pool, size=30)))

    assert [line["ticket"] for line in told[:10]] == [line["ticket"] for line in before]
    assert all(line["ticket"] for line in told)
    assert served.bets_of(pool) == (30, 30_00)


def _kill(served: Served) -> None:
    served.wait_for(1)
    served.workers.kill()


def _lost(player: Line, lines: list[dict[str, Any]]) -> httpx.Response | None:
    try:
        return sent(player, lines)
    except httpx.TransportError:
        return None


def _insisting(player: Line, lines: list[dict[str, Any]]) -> httpx.Response:
    while True:
        answer = _lost(player, lines)
        if answer is not None:
            return answer
        time.sleep(0.05)
