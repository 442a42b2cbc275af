"""The board of a pool, for whoever asks once; who wants to be told of changes follows a stream (``api/streams``)."""

from __future__ import annotations

from typing import Any

from api.answers import refuses
from api.auth import allowed
from api.boards.schemas import PoolBoard, SupposedQuery, SupposedShown, shown
from api.house import session
from api.requests import Blueprint
from api.tote.routes import OFFICE
from api.tote.sheets import level_shown
from office.callers import Role
from tote.boards import boards_of
from tote.division import supposed_result
from tote.level_shares import supposed
from tote.pools import pool_by_code

DIVISION = ("pool", "minus_pool", "returned", "to_jackpot", "from_organizer")
boards = Blueprint("boards", __name__, url_prefix="/api/v1", description="Табло пулов")


@boards.get("/pools/<code:code>/totals")
@boards.response(200, PoolBoard)
@allowed(*Role)
@refuses("unknown_pool")
def show_totals(code: str) -> dict[str, Any]:
    """What is staked on a pool, and the coefficients that follow from it: provisional while it is not settled."""
    return shown(boards_of(session(), [pool_by_code(session(), code)])[code])


@boards.get("/pools/<code:code>/supposed-division")
@boards.arguments(SupposedQuery, location="query")
@boards.response(200, SupposedShown)
@allowed(*OFFICE)
@refuses("unknown_pool", "marks_wrong")
def suppose(asked: dict[str, Any], code: str) -> dict[str, Any]:
    """What the levels of a pool of positions would bring if this came true: every ticket is read for it."""
    pool = pool_by_code(session(), code)
    true = supposed_result(pool, asked["result"].split(","))
    division, levels = supposed(session(), pool, true)
    return {
        "code": pool.code,
        "result": list(true),
        **{name: getattr(division, name) for name in DIVISION},
        "levels": [level_shown(level, pool) for level in levels],
    }
