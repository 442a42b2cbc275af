"""The rows of a ticket that were uploaded one by one, as they were made: a file for whoever checks the ticket."""

from __future__ import annotations

from werkzeug.wrappers import Response

from api.answers import refuses
from api.auth import allowed
from api.house import house, let_go, session
from api.ownership import own_only
from api.requests import Blueprint
from api.tote.routes import OFFICE
from office.callers import Role
from tote.pools import pool_by_code
from tote.receipts import no_such_ticket, receipt
from tote.rows_told import rows_not_uploaded, text_by_parts

uploaded_rows = Blueprint("uploaded_rows", __name__, url_prefix="/api/v1", description="Загруженные ставки билета")
CSV = "text/csv"
TOLD = "строка на ставку, шифры исходов через запятую в порядке позиций; SHA-256 файла напечатан на билете"


@uploaded_rows.get("/tickets/<int:number>/rows")
@uploaded_rows.response(200, {"type": "string"}, content_type=CSV, description=TOLD)
@allowed(Role.CASHIER, Role.PLAYER, *OFFICE)
@refuses("rows_not_uploaded")
def download_ticket_rows(number: int) -> Response:
    """The bets of a ticket that were uploaded one by one; players see their own, cashiers those of their own desk."""
    found = receipt(session(), number)
    own_only(no_such_ticket(), desk_id=found.desk_id, player_id=found.player_id)
    pool = pool_by_code(session(), found.pool)
    if pool.positions is None or found.marks is not None:
        raise rows_not_uploaded()
    let_go()
    answer = Response(text_by_parts(house().sessions, number, pool), content_type=f"{CSV}; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="ticket-{number}-rows.csv"'
    # Whose bets they are is nobody else's business: no machine on the way keeps a copy.
    answer.headers["Cache-Control"] = "no-store"
    return answer
