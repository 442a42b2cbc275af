"""The audit of the whole house: the checks of every room, and the cover of what is owed."""

from __future__ import annotations

from sqlalchemy.orm import Session

from ledger.audit import LEDGER_CHECKS, Breach, breaches
from ledger.money import currency, format_amount
from reports.fund_cover import fund_cover
from tote.audit import POOL_CHECKS

CHECKS = (*LEDGER_CHECKS, *POOL_CHECKS)


def audit(session: Session, money: str) -> list[Breach]:
    """Everything that is wrong in the books; the session should be one REPEATABLE READ snapshot."""
    return [*breaches(session, CHECKS), *_uncovered(session, money)]


def _uncovered(session: Session, money: str) -> list[Breach]:
    cover = fund_cover(session, money)
    if cover.fund_is_covered and cover.all_is_covered:
        return []
    owed, held = cover.total_owed + cover.players, cover.special_account + cover.desks + cover.bank
    shown = currency(money)
    detail = f"причитается {format_amount(owed, shown)}, есть {format_amount(held, shown)}"
    return [Breach("долг перед игроками покрыт деньгами", "фонд", detail)]
