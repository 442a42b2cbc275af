"""What was begun is finished: broken-off settlements by the sweep, due pools beside one that cannot be closed."""

from __future__ import annotations

import pytest

from db.session import transaction
from tests.office import OPERATOR, Office
from tote.closing import close_due
from tote.division import divided
from tote.pools import pool_by_code
from tote.settlement import complete, start, write_chunk
from tote.settling import resume_settlements


def test_a_run_that_broke_off_before_crediting_is_resumed(office: Office) -> None:
    """10.00 and 30.00, the 10.00 wins 24.00: decided and booked, but not credited when the process died."""
    pool, player = office.pool(), office.player("ivan", "10.00")
    office.bet(player, "2", "10.00")
    office.bet(office.cashier, "1", "30.00")
    office.determine(pool, "2")
    with transaction(office.house.sessions) as session:
        run = start(session, pool_by_code(session, "P1"))
        settling = divided(session, pool_by_code(session, "P1"), run)
        assert write_chunk(session, OPERATOR, settling, 10) == 2
        complete(session, OPERATOR, settling)
    assert player.get("/players/me").json["balance"] == "0.00"

    assert resume_settlements(office.house.sessions, OPERATOR) == ["P1"]
    assert player.get("/players/me").json["balance"] == "24.00"
    assert resume_settlements(office.house.sessions, OPERATOR) == []


def test_a_pool_that_cannot_be_closed_keeps_none_behind_it_open(office: Office) -> None:
    """A trigger breaks the first pool's closing; the second is closed all the same."""
    for code in ("P1", "P2"):
        office.pool(code)
        office.bet(office.cashier, "1", "10.00", pool=code)
    office.clock("2022-11-22T12:55:00+03:00")
    with transaction(office.owner) as session:
        session.connection().exec_driver_sql(
            "CREATE FUNCTION break_first() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN IF NEW.pool_id = 1 THEN RAISE EXCEPTION 'broken'; END IF; RETURN NEW; END $$;"
            "CREATE TRIGGER break_first BEFORE INSERT ON pool_closings FOR EACH ROW EXECUTE FUNCTION break_first()"
        )

    with pytest.raises(ExceptionGroup, match="could not be closed"):
        close_due(office.house.sessions, OPERATOR)

    status = {pool["code"]: pool["status"] for pool in office.organizer.get("/pools").json["items"]}
    assert status == {"P1": "closed", "P2": "withdrawal_taken"}
