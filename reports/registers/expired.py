"""Expired tickets: wins nobody fetched in their term, and where their money went (T-Rules 38.2, 40)."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, func

from db.pages import matching
from documents.columns import Column
from documents.table import Kind
from ledger.accounts import Account
from ledger.journal import Transfer
from ledger.settlements import End, Ending, Settlement
from reports.registers.cut import Cut, known
from reports.registers.report import Ask, Report, Wanted
from reports.registers.standing import standing
from reports.registers.subjects import whose
from tote.expiry import WIN_EXPIRED

COLUMNS = (
    Column("number", "Номер билета", Kind.NUMBER),
    Column("placed_at", "Принят", Kind.INSTANT),
    Column("desk", "Касса"),
    Column("pool", "Пул"),
    Column("event", "Событие"),
    Column("stake", "Ставка", Kind.MONEY),
    Column("win", "Невостребованный выигрыш", Kind.MONEY),
    Column("deadline", "Срок выплаты истёк", Kind.INSTANT),
    Column("booked_on", "Учтено днём", Kind.DATE),
    Column("jackpot", "Джек-пот", spoken=whose),
    Column("undone", "Отменено исправлением", Kind.MONEY),
)


def query(cut: Cut, wanted: Wanted) -> Select[*tuple[Any, ...]]:
    """Every expiry that was booked, in that order; the period is that of the deadlines.

    A corrected protocol brings a lapsed win back to be decided anew: what was undone stands beside it (D-14).
    """
    at = standing(cut)
    version, expiry, jackpot = (known(fact) for fact in (Settlement, Ending, Account))
    moved, undone = cut.of(Transfer), cut.of(Transfer)
    rows = (
        at.placed(
            expiry.id.label("fact"),
            at.ticket.id.label("number"),
            at.ticket.placed_at,
            at.desk.code.label("desk"),
            at.pool.code.label("pool"),
            at.event.name.label("event"),
            at.ticket.stake,
            expiry.amount.label("win"),
            expiry.ended_at.label("deadline"),
            moved.booked_on,
            jackpot.subject.label("jackpot"),
            func.coalesce(undone.amount, 0).label("undone"),
            cut.provisional((Transfer, moved.id), (Transfer, undone.id)).label("provisional"),
        )
        .join(version, version.ticket_id == at.ticket.id)
        .join(expiry, expiry.settlement_id == version.id)
        .join(moved, (moved.settlement_id == version.id) & (moved.kind == WIN_EXPIRED))
        .join(jackpot, jackpot.id == moved.credit_account_id)
        .outerjoin(undone, undone.reverses_id == moved.id)
    )
    asked = {at.pool.code: wanted.pool, at.desk.id: wanted.desk_id}
    return matching(rows, asked).where(expiry.end == End.EXPIRED, *wanted.within(expiry.ended_at))


REPORT = Report(
    code="expired-tickets",
    title="Билеты с истёкшим сроком выплаты",
    about="Wins nobody fetched in their term, with the deadline and the jackpot their money went to.",
    columns=COLUMNS,
    query=query,
    asks=(Ask.PERIOD, Ask.POOL, Ask.DESK),
    sums=("win", "undone"),
    parts="jackpot",
)
