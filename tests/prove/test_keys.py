"""Idempotency, a sentence of DESIGN 4 a test, with everybody at once on real workers (FIELD-FAULTS 058, 060, 063)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import httpx
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from db.session import transaction
from office.callers import Role
from tests.office import PASSWORD
from tests.prove.crowd import Crowd
from tests.prove.served import Served, sized
from tests.prove.workers import Line, at_once

pytestmark = pytest.mark.prove
AT_ONCE = 24
KEYS_AND_BETS = text("""
    SELECT (SELECT count(*) FROM idempotency_keys WHERE route = 'POST /api/v1/pool-bets' AND reference IS NOT NULL),
        (SELECT count(*) FROM pool_bets)
""")
ROWS = """
    SELECT (SELECT count(*) FROM tickets) + (SELECT count(*) FROM ticket_states) + (SELECT count(*) FROM pool_bets)
        + (SELECT count(*) FROM transfers)
"""
KEY_ROWS = "SELECT count(*) FROM idempotency_keys WHERE key = :key"


def one_answer(answers: list[httpx.Response]) -> httpx.Response:
    """The answer all of them are; all but one are marked as repeats."""
    assert len({(answer.status_code, answer.text) for answer in answers}) == 1, Counter(a.text for a in answers)
    assert sum("Idempotency-Replayed" not in answer.headers for answer in answers) == 1
    return answers[0]


def tokens_of_cashier(served: Served) -> list[Line]:
    """The first desk's terminal under the cashier's token, two new ones of the cashier's, and a relief's."""
    assert served.cashier
    if served.fact("SELECT count(*) FROM users WHERE login = 'relief'") == 0:
        served.office.hire("relief", Role.CASHIER)
    logins = ("cashier", "cashier", "relief")
    return [
        served.cashier,
        *(served.line(served.office.sign_in(login, terminal=served.office.terminal)) for login in logins),
    ]


def signed_in_again(served: Served, player: Line) -> Line:
    """The player under a new token."""
    login = player.get("/players/me").json()["login"]
    answer = served.office.client.post("/api/v1/player-sessions", json={"login": login, "password": PASSWORD})
    return served.bearer(answer.json["token"])


def test_a_key_is_the_terminals_never_the_tokens_or_the_cashiers(served: Served) -> None:
    """Four tokens of two cashiers at one terminal at once: one ticket. A terminal beside it has keys of its own."""
    pool = served.pool()["code"]
    key = f"terminal-key-{pool}"
    lines = tokens_of_cashier(served)
    beside = served.another_terminal()

    answers = at_once([lambda line=line: line.bet("1", "3.00", pool, key) for line in [*lines, beside] * 6])

    here = [answer for index, answer in enumerate(answers) if index % 5 != 4]
    there = [answer for index, answer in enumerate(answers) if index % 5 == 4]
    assert one_answer(here).json()["number"] != one_answer(there).json()["number"]
    assert served.bets_of(pool) == (2, 6_00)


def test_a_key_is_the_players_under_whatever_token(served: Served) -> None:
    pool = served.pool()["code"]
    player, other = served.player("9.00"), served.player("9.00")
    lines = [player, signed_in_again(served, player), signed_in_again(served, player), other]
    answers = at_once([lambda line=line: line.bet("1", "9.00", pool, f"player-key-{pool}") for line in lines * 6])

    first = one_answer([answer for index, answer in enumerate(answers) if index % 4 != 3])
    second = one_answer([answer for index, answer in enumerate(answers) if index % 4 == 3])
    assert (first.status_code, second.status_code) == (201, 201)
    assert served.bets_of(pool) == (2, 18_00)


def test_the_meaning_is_that_of_the_parsed_request_not_of_its_bytes(served: Served) -> None:
    """Reordered, re-formatted, 10 for 10.00, other escapes: at once, and it is one bet."""
    pool = served.pool()["code"]
    player = served.player("100.00")
    escaped = "".join(f"\\u{ord(sign):04x}" for sign in pool)
    written = (
        f'{{"pool": "{pool}", "outcome": "1", "stake": "10.00"}}',
        f'{{"stake":"10.00","outcome":"1","pool":"{pool}"}}',
        f'{{\n\t"outcome" : "1",\r\n "pool":"{pool}", "stake": "10"}}\n\n',
        f'{{"pool": "{escaped}", "outcome": "\\u0031", "stake": "10.0"}}',
        f'{{"\\u0070ool": "{pool}", "outcome": "1", "stake": "0010.00"}}',
    )
    answers = at_once([lambda body=body: player.written("/pool-bets", body, f"bytes-{pool}") for body in written * 5])

    assert one_answer(answers).status_code == 201
    assert served.bets_of(pool) == (1, 10_00)


def test_of_two_routes_under_one_key_at_once_exactly_one_is_done(served: Served) -> None:
    """A bet and a deposit of the same amount by one terminal: whichever came first; the other is 422."""
    pool = served.pool()["code"]
    login = served.player().get("/players/me").json()["login"]
    for turn in range(sized(3, 20)):
        key = f"two-routes-{pool}-{turn}"
        before = served.bets_of(pool)[0]
        calls: list[Callable[[], httpx.Response]] = [
            lambda key=key: served.cashier.bet("1", "4.00", pool, key),
            lambda key=key: served.cashier.post("/deposits", {"player": login, "amount": "4.00"}, key),
        ]
        answers = at_once(calls * 8)

        bets, deposits = (Counter(answer.status_code for answer in answers[which::2]) for which in (0, 1))
        assert sorted([bets, deposits], key=str) == [{201: 8}, {422: 8}]
        assert served.bets_of(pool)[0] - before == (1 if bets[201] else 0)
        refused = [answer.json()["code"] for answer in answers if answer.status_code == 422]
        assert set(refused) == {"idempotency_key_reused"}


def test_key_and_bet_commit_together(served: Served) -> None:
    """Whoever looks while a crowd bets never sees a bet without its key or a key without its bet."""
    pool = served.pool()["code"]
    seen: set[tuple[int, int]] = set()
    gone = Event()

    def look() -> None:
        while not gone.is_set():
            with served.office.owner() as session:
                session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
                keys, bets = session.execute(KEYS_AND_BETS).one()
            seen.add((keys, bets))

    with ThreadPoolExecutor(1) as watching:
        watch = watching.submit(look)
        with Crowd(
            [served.cashier, served.another_desk(), *(served.player("500.00") for _ in range(4))], pool
        ) as crowd:
            crowd.show(pool, sized(100, 1000))
        gone.set()
        watch.result()

    assert len(seen) > 3
    assert all(keys == bets for keys, bets in seen), sorted(seen)


def test_a_refusal_is_decided_before_anything_is_written_and_is_stored_once(served: Served) -> None:
    """No money, a stake too high, an unknown outcome: at once, and but for one key each nothing is in the books."""
    pool = served.pool()["code"]
    player = served.player("1.00")
    before = served.fact(ROWS)
    refusals = {
        "insufficient_funds": ("1", "2.00"),
        "stake_over_maximum": ("1", "10000.01"),
        "unknown_outcome": ("7", "1.00"),
    }
    for code, (outcome, stake) in refusals.items():
        key = f"refused-{code}-{pool}".replace("_", "-")
        answers = at_once([lambda bet=(outcome, stake, pool, key): player.bet(*bet)] * AT_ONCE)
        assert one_answer(answers).json()["code"] == code
        assert served.fact(KEY_ROWS, key=key) == 1
    assert served.fact(ROWS) == before


def test_what_fails_before_the_trade_is_asked_is_not_stored(served: Served) -> None:
    """Validation, a missing token, a role the route does not name, at once; then the key is free for the bet."""
    pool = served.pool()["code"]
    player = served.player("10.00")
    key = f"not-stored-{pool}"
    nobody = served.bearer("no-such-token")
    answers = at_once(
        [
            lambda: player.bet("1", "-10.00", pool, key),
            lambda: player.written("/pool-bets", '{"pool": ', key),
            lambda: nobody.bet("1", "10.00", pool, key),
            lambda: served.organizer.bet("1", "10.00", pool, key),
        ]
        * 6
    )
    assert Counter(answer.status_code for answer in answers) == {422: 6, 400: 6, 401: 6, 403: 6}
    assert served.fact(KEY_ROWS, key=key) == 0
    assert player.bet("1", "10.00", pool, key).status_code == 201


def test_the_key_of_an_accepted_bet_lives_as_long_as_the_bet(served: Served) -> None:
    """The pool is closed, decided and settled, the balance spent: every repeat gets the ticket it got first."""
    pool = served.pool()
    player = served.player("10.00")
    key = f"old-key-{pool['code']}"
    first = player.bet("1", "10.00", pool["code"], key)
    assert served.organizer.post(f"/pools/{pool['code']}/closing").status_code == 201
    served.protocol(pool, "2")
    assert served.organizer.post(f"/pools/{pool['code']}/settlement").status_code == 201

    answers = at_once([lambda: player.bet("1", "10.00", pool["code"], key)] * AT_ONCE)

    assert {(answer.status_code, answer.text) for answer in answers} == {(201, first.text)}
    assert all(answer.headers["Idempotency-Replayed"] == "true" for answer in answers)
    for owner in (served.office.house.sessions, served.office.owner):
        with pytest.raises(DBAPIError), transaction(owner) as session:
            session.execute(text("DELETE FROM idempotency_keys WHERE key = :key"), {"key": key})


def test_a_terminal_that_lost_the_answer_asks_by_its_key_under_a_new_token(served: Served) -> None:
    """Asked all at once while its repeats are answered: each is told the one ticket (FIELD-FAULTS 064)."""
    pool = served.pool()["code"]
    key = f"asked-by-key-{pool}"
    first = served.cashier.bet("1", "3.00", pool, key).json()
    calls: list[Callable[[], httpx.Response]] = []
    for line in tokens_of_cashier(served):
        calls += [
            lambda line=line: line.get(f"/idempotency-keys/{key}"),
            lambda line=line: line.bet("1", "3.00", pool, key),
        ]
    answers = at_once(calls * 3)

    assert {answer.json()["reference"] for answer in answers[0::2]} == {first["number"]}
    assert {answer.json()["number"] for answer in answers[1::2]} == {first["number"]}
    assert all(first["code"] not in answer.text for answer in answers[0::2])
