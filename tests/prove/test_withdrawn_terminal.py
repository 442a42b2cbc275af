"""A terminal withdrawn, or given another secret, while a crowd sells and signs in at it (T-Prov 4, DESIGN 3.4)."""

from functools import partial

import pytest

from office.callers import Role
from tests.office import PASSWORD, Member
from tests.prove.crowd import Crowd
from tests.prove.served import Served, sized
from tests.prove.workers import Line, at_once

pytestmark = pytest.mark.prove
SOLD_AT = "SELECT count(*) FROM tickets WHERE terminal_id = :terminal"
YOUNGER = """
    SELECT count(*) FROM tickets JOIN terminal_withdrawals AS withdrawal USING (terminal_id)
    WHERE terminal_id = :terminal AND placed_at >= withdrawn_at
"""
TERMINAL = "SELECT id FROM terminals ORDER BY id DESC LIMIT 1"
REASON = {"reason": "изъят"}


def test_no_ticket_is_younger_than_the_withdrawal_of_its_terminal(served: Served) -> None:
    """Four threads sell at a terminal and two beside it in the same shift; the others go on when it is withdrawn."""
    pool, beside = served.pool()["code"], served.cashier
    for _ in range(sized(4, 40)):
        withdrawn = served.another_terminal()
        terminal = served.fact(TERMINAL)
        with Crowd([withdrawn] * 4 + [beside] * 2, pool, {"terminal_withdrawn", "unauthenticated"}) as crowd:
            crowd.show(pool, bets=40)
            answer = served.office.administrator.post(f"/terminals/{terminal}/withdrawal", REASON)
            assert answer.status_code == 201, answer.json
            sold, going_on = served.fact(SOLD_AT, terminal=terminal), crowd.taken_by[beside]
            served.until(partial(_more_than, crowd, beside, going_on + 20), "the other terminal selling on")
        assert served.fact(SOLD_AT, terminal=terminal) == sold == crowd.taken_by[withdrawn]
        assert served.fact(YOUNGER, terminal=terminal) == 0
        assert crowd.refused["terminal_withdrawn"] + crowd.refused["unauthenticated"] > 0


def test_nobody_who_signs_in_meanwhile_keeps_a_session_of_the_old_secret(served: Served) -> None:
    """Twelve sign in with the old secret at the moment it changes: each is refused, or signed in and out again."""
    office = served.office
    for turn in range(sized(4, 40)):
        terminal = office.administrator.post(f"/desks/{office.desk['id']}/terminals", {"code": f"R-{turn}"}).json
        office.hire(f"renewed-{turn}", Role.CASHIER)
        told = {
            "login": f"renewed-{turn}",
            "password": PASSWORD,
            "terminal": {"code": terminal["code"], "secret": terminal["secret"]},
        }
        nobody = served.line(Member(office.client, "nobody"))
        renewing = served.line(office.administrator)
        sign_in = partial(nobody.post, "/sessions", told)
        renew = partial(renewing.post, f"/terminals/{terminal['id']}/credentials", {"reason": "утерян"})
        *answers, renewed = at_once([sign_in] * 12 + [renew])
        assert renewed.status_code == 201, renewed.text
        # More at one moment than a login may try are told to wait: attempts under way are counted.
        assert {answer.status_code for answer in answers} <= {201, 401, 429}
        for answer in answers:
            if answer.status_code == 201:
                assert served.line(Member(office.client, answer.json()["token"])).get("/pools").status_code == 401
        told["terminal"] = {"code": terminal["code"], "secret": renewed.json()["secret"]}
        assert nobody.post("/sessions", told).status_code == 201


def _more_than(crowd: Crowd, line: Line, bets: int) -> bool:
    return crowd.taken_by[line] > bets
