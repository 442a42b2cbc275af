"""Many bets at once on the money of one game account: no more are taken than it pays for (T-Rules 35.3)."""

import pytest

from tests.prove.served import Served, sized
from tests.prove.workers import at_once

pytestmark = pytest.mark.prove


@pytest.mark.parametrize("turn", range(sized(3, 20)))
def test_of_twenty_bets_on_the_money_for_one_exactly_one_is_taken(served: Served, turn: int) -> None:
    """Balance 100.00, twenty bets of 100.00, each with a key of its own."""
    pool = served.pool()["code"]
    player = served.player("100.00")

    answers = at_once([lambda: player.bet("1", "100.00", pool)] * 20)

    refused = [answer.json()["code"] for answer in answers if answer.status_code == 409]
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 19
    assert refused == ["insufficient_funds"] * 19
    assert player.get("/players/me").json()["balance"] == "0.00"
    assert served.bets_of(pool) == (1, 100_00)


def test_twenty_bets_within_the_money_are_all_taken(served: Served) -> None:
    """Waiting for one another's balance costs nobody a bet: 20 bets of 5.00 out of 100.00."""
    pool = served.pool()["code"]
    player = served.player("100.00")

    answers = at_once([lambda: player.bet("2", "5.00", pool)] * 20)

    assert [answer.status_code for answer in answers] == [201] * 20
    assert player.get("/players/me").json()["balance"] == "0.00"
    assert served.bets_of(pool) == (20, 100_00)
