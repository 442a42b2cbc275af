"""One idempotency key, however often and however parallel: one bet and one answer (DESIGN 4)."""

import json
import socket
import struct
import time
from collections import Counter
from urllib.parse import urlsplit

import httpx
import pytest

from tests.prove.locks import holding_balance
from tests.prove.served import Served, sized
from tests.prove.workers import Line, at_once

pytestmark = pytest.mark.prove
REPEATS = 50


@pytest.mark.parametrize("turn", range(sized(2, 20)))
def test_a_bet_repeated_fifty_times_at_once_is_one_ticket_and_one_answer(served: Served, turn: int) -> None:
    pool = served.pool()["code"]
    player = served.player("100.00")
    for buyer, name in ((player, "player"), (served.cashier, "desk")):
        answers = at_once([lambda: buyer.bet("1", "7.00", pool, f"one-{name}-ticket-{pool}")] * REPEATS)  # noqa: B023

        assert [answer.status_code for answer in answers] == [201] * REPEATS
        assert len({answer.text for answer in answers}) == 1
        assert sum("Idempotency-Replayed" in answer.headers for answer in answers) == REPEATS - 1
    assert served.bets_of(pool) == (2, 14_00)
    assert player.get("/players/me").json()["balance"] == "93.00"


def test_the_whole_balance_staked_under_one_key_is_never_answered_with_a_refusal(served: Served) -> None:
    """The repeats see an empty account, for the first of them emptied it; their answer is the ticket all the same."""
    pool = served.pool()["code"]
    player = served.player("100.00")

    answers = at_once([lambda: player.bet("1", "100.00", pool, f"whole-balance-{pool}")] * REPEATS)

    assert [answer.status_code for answer in answers] == [201] * REPEATS
    assert len({answer.text for answer in answers}) == 1


def test_a_refused_bet_is_refused_alike_for_ever(served: Served) -> None:
    """Refused for want of money; the money that comes later changes nothing for this key (FIELD-FAULTS 063)."""
    pool = served.pool()["code"]
    player = served.player("1.00")
    key = f"refused-bet-{pool}"
    login = player.get("/players/me").json()["login"]

    answers = at_once([lambda: player.bet("1", "50.00", pool, key)] * REPEATS)
    assert served.cashier.post("/deposits", {"player": login, "amount": "500.00"}).status_code == 201
    late = player.bet("1", "50.00", pool, key)

    assert {(answer.status_code, answer.text) for answer in answers} == {(409, late.text)}
    assert late.json()["code"] == "insufficient_funds"
    assert served.bets_of(pool) == (0, 0)


@pytest.mark.parametrize("turn", range(sized(2, 20)))
def test_of_two_meanings_under_one_key_at_once_exactly_one_wins(served: Served, turn: int) -> None:
    pool = served.pool()["code"]
    player = served.player("100.00")
    stakes = ["5.00", "6.00"] * (REPEATS // 2)

    answers = at_once([lambda stake=stake: player.bet("1", stake, pool, f"two-meanings-{pool}") for stake in stakes])

    told = Counter((stake, answer.status_code) for stake, answer in zip(stakes, answers, strict=True))
    won = "5.00" if told["5.00", 201] else "6.00"
    lost = "6.00" if won == "5.00" else "5.00"
    assert told == {(won, 201): REPEATS // 2, (lost, 422): REPEATS // 2}
    assert {answer.json()["code"] for answer in answers if answer.status_code == 422} == {"idempotency_key_reused"}
    assert served.bets_of(pool) == (1, int(won[0]) * 100)


def test_an_answer_that_never_arrived_is_given_again(served: Served) -> None:
    """The bet is under way when the terminal loses its connection; the repeat gets the ticket (FIELD-FAULTS 057)."""
    pool = served.pool()["code"]
    player = served.player("10.00")
    key = f"lost-answer-{pool}"
    with holding_balance(served, player):
        _sent_and_hung_up(served, player, pool, key)
        served.wait_for(1)
    served.until(lambda: served.bets_of(pool)[0] == 1, "the bet of a terminal that is gone")

    known = player.get(f"/idempotency-keys/{key}").json()
    repeated = player.bet("1", "10.00", pool, key)

    assert (repeated.status_code, repeated.headers["Idempotency-Replayed"]) == (201, "true")
    assert repeated.json()["number"] == known["reference"]
    assert served.bets_of(pool) == (1, 10_00)


def test_a_bet_whose_workers_were_killed_is_taken_by_its_repeat(served: Served) -> None:
    """Nothing of the first attempt is left, so the repeat under its key is carried out, once."""
    pool = served.pool()["code"]
    player = served.player("10.00")
    key = f"killed-workers-{pool}"
    with holding_balance(served, player):
        _sent_and_hung_up(served, player, pool, key)
        served.wait_for(1)
        served.workers.kill()
    served.wait_for(0)

    repeated = at_once([lambda: _insisting(player, pool, key)] * 5)

    assert [answer.status_code for answer in repeated] == [201] * 5
    assert len({answer.text for answer in repeated}) == 1
    assert served.bets_of(pool) == (1, 10_00)


def _insisting(player: Line, pool: str, key: str) -> httpx.Response:
    """Bet as a terminal does: as long as no answer comes, send again under the same key."""
    while True:
        try:
            return player.bet("1", "10.00", pool, key)
        except httpx.TransportError:
            time.sleep(0.05)


def _sent_and_hung_up(served: Served, player: Line, pool: str, key: str) -> None:
    """Send a bet of the whole 10.00 and reset the connection without waiting for the answer."""
    body = json.dumps({"pool": pool, "outcome": "1", "stake": "10.00"})
    head = {**player.headers, "Idempotency-Key": key, "Content-Type": "application/json", "Content-Length": len(body)}
    address = urlsplit(served.workers.url)
    lines = ["POST /api/v1/pool-bets HTTP/1.1", f"Host: {address.netloc}", *(f"{k}: {v}" for k, v in head.items())]
    connection = socket.create_connection((address.hostname, address.port))
    connection.sendall("\r\n".join([*lines, "", body]).encode())
    served.wait_for(1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
