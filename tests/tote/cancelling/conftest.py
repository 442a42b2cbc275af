"""A settled pool whose bets are to be cancelled."""

from __future__ import annotations

from typing import Any

import pytest

from tests.office import Office
from tests.tote.cancelling.bets import NEXT_DAY


@pytest.fixture
def settled(office: Office) -> dict[str, Any]:
    """10.00 on 1 at the desk and 10.00 online, 30.00 on 2 at the desk: fund 30.00, each of the two wins 15.00."""
    pool, player = office.pool(), office.player("ivan", "10.00")
    cash = office.bet(office.cashier, "1", "10.00").json
    online = office.bet(player, "1", "10.00").json
    lost = office.bet(office.cashier, "2", "30.00").json
    assert office.decide(pool, "1").json["wins"] == "30.00"
    office.clock(NEXT_DAY)
    assert office.balance("organizer") == "1000.00"
    return {"cash": cash, "online": online, "lost": lost, "player": player}
