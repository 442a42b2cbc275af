"""The audit of the whole house: the checks of every room, and the cover of what is owed."""

from __future__ import annotations

from functools import partial

from sqlalchemy.orm import Session

from desk.audit import DESK_CHECKS
from events.audit import EVENT_CHECKS
from ledger.audit import LEDGER_CHECKS, Breach, breaches
from ledger.money import currency, format_amount
from office.persons.audit import PERSON_CHECKS
from office.stops.audit import STOP_CHECKS
from players.audit import PLAYER_CHECKS
from reports.fund_cover import fund_cover
from tote.audit import POOL_CHECKS
from tote.late_bets import SOLD_BEFORE_THE_START
from tote.positions_audit import POSITION_CHECKS

CHECKS = (
    *LEDGER_CHECKS,
    *STOP_CHECKS,
    *PERSON_CHECKS,
    *EVENT_CHECKS,
    *PLAYER_CHECKS,
    *DESK_CHECKS,
    *POOL_CHECKS,
    *POSITION_CHECKS,
    SOLD_BEFORE_THE_START,
)
COVER = "долг покрыт деньгами, которые для него лежат"


def audit(session: Session, money: str) -> list[Breach]:
    """Everything that is wrong in the books; the session should be one REPEATABLE READ snapshot."""
    return [*breaches(session, CHECKS), *_uncovered(session, money)]


def _uncovered(session: Session, money: str) -> list[Breach]:
    cover, shown = fund_cover(session, money), partial(format_amount, currency=currency(money))
    wanted = {
        ("выигрышный фонд", "зачислите её на специальный счёт"): (cover.for_the_fund, cover.total_owed),
        ("фонд и деньги игроков", "внесите её из собственных денег"): (
            cover.everything,
            cover.total_owed + cover.players,
        ),
    }
    return [
        Breach(COVER, what, f"должны {shown(owed)}, лежит {shown(held)}, недостача {shown(owed - held)}: {remedy}")
        for (what, remedy), (held, owed) in wanted.items()
        if held < owed
    ]
