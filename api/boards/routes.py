"""The board of a pool, for whoever asks once; who wants to be told of changes follows a stream (``api/streams``)."""

from __future__ import annotations

from typing import Any

from api.answers import refuses
from api.auth import allowed
from api.boards.schemas import PoolBoard, shown
from api.house import session
from api.requests import Blueprint
from office.callers import Role
from tote.boards import boards_of
from tote.pools import pool_by_code

boards = Blueprint("boards", __name__, url_prefix="/api/v1", description="Табло пулов")


@boards.get("/pools/<code:code>/totals")
@boards.response(200, PoolBoard)
@allowed(*Role)
@refuses("unknown_pool")
def show_totals(code: str) -> dict[str, Any]:
    """What is staked on a pool, and the coefficients that follow from it: provisional while it is not settled."""
    return shown(boards_of(session(), [pool_by_code(session(), code)])[code])
