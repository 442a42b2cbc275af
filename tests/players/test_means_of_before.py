"""Money that lay on game accounts before its means were recorded: all of it came as cash at a desk (T-Rules 41)."""

from __future__ import annotations

import psycopg
import pytest
from sqlalchemy.exc import DBAPIError

from db.urls import conninfo
from migrations.upgrade import downgrade, upgrade
from tests.office import BANK_ACCOUNT, Office

DEPOSITS = "SELECT player_id, means, amount, provider FROM deposits ORDER BY id"


def deposits(office: Office) -> list[tuple[object, ...]]:
    """What is on record of them, as the owner reads it."""
    with psycopg.connect(conninfo(office.urls.owner)) as owner:
        return list(owner.execute(DEPOSITS))


def test_earlier_deposits_are_told_to_have_come_as_cash(office: Office) -> None:
    office.player("ivan", "50.00")
    office.player("olga", "7.00")
    made = deposits(office)
    assert made == [(1, "cash_desk", 50_00, None), (2, "cash_desk", 7_00, None)]
    office.house.engine.dispose()
    downgrade(office.urls.owner, "0015")
    upgrade(office.urls.owner)
    assert deposits(office) == made
    assert office.withdraw("ivan", "1.00").status_code == 201


@pytest.mark.parametrize("way", ["cash", "transfer"])
def test_a_house_that_paid_from_accounts_does_not_go_back(office: Office, way: str) -> None:
    """Lines of the journal would belong to nothing, what is under way would be owed to nobody. Nothing is undone."""
    player = office.player("ivan", "50.00")
    player.put("/players/me/bank-account", BANK_ACCOUNT)
    if way == "cash":
        assert office.withdraw("ivan", "1.00").status_code == 201
    else:
        assert player.post("/players/me/withdrawals", {"amount": "1.00"}).status_code == 201
    office.house.engine.dispose()
    with pytest.raises(DBAPIError):
        downgrade(office.urls.owner, "0015")
    assert player.get("/players/me").json["balance"] == "49.00"
