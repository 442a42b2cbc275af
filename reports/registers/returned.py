"""Returned and cancelled tickets, kept apart: what a rule gives back, and what the organizer cancelled (INDUSTRY)."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, case, func

from db.pages import matching
from documents.columns import Column
from documents.table import Kind
from events.models import Protocol, Result
from ledger.settlements import Decision
from office.users import User
from reports.registers.cut import Cut, known
from reports.registers.report import DESKS, Ask, Report, Wanted
from reports.registers.standing import STATUS_WORDS, standing
from tote.models import PoolCancellation, PoolDivision

WAYS = {
    Decision.RETURNED.value: "ставка возвращена по правилам",
    Decision.CANCELLED.value: "билет отменён организатором",
}
REASONS = {
    "not_held": "событие не состоялось",
    "interrupted": "событие прервано",
    "minus_pool": "выиграли все участники пула",
    "after_start": "ставка после начала события",
    "under_age": "участник моложе 18 лет",
    "influence": "участник влияет на исход",
    "unpaid": "ставка не оплачена",
    "wrong_details": "реквизиты ставки неправильны",
    "other_breach": "другое нарушение правил",
}
COLUMNS = (
    Column("number", "Номер билета", Kind.NUMBER),
    Column("placed_at", "Принят", Kind.INSTANT),
    Column("desk", "Касса"),
    Column("player", "Игрок, номер", Kind.NUMBER),
    Column("pool", "Пул"),
    Column("event", "Событие"),
    Column("way", "Основание", words=WAYS),
    Column("decided_at", "Когда решено", Kind.INSTANT),
    Column("decided_by", "Кем решено"),
    Column("reason", "Причина", words=REASONS),
    Column("explanation", "Пояснение"),
    Column("protocol", "Протокол", Kind.NUMBER),
    Column("returned", "Возвращено по правилам", Kind.MONEY),
    Column("cancelled", "Отменено организатором", Kind.MONEY),
    Column("status", "Состояние", words=STATUS_WORDS),
)


def query(cut: Cut, wanted: Wanted) -> Select[*tuple[Any, ...]]:
    """Every ticket whose stake goes back, in the order of the numbers; the period is that of the decision.

    Where everybody won the stake goes back beside the win, from the settlement on and not when the win lapses (T-Prov
    16).

    Who decided is told by the login, which is never changed: a name would not be the same tomorrow.
    """
    at = standing(cut)
    decided = at.decided.c
    protocol, result, division, gone = (known(fact) for fact in (Protocol, Result, PoolDivision, PoolCancellation))
    by_organizer = decided.decision == Decision.CANCELLED
    why = case((by_organizer, gone.reason), (division.minus_pool, "minus_pool"), else_=result.standing)
    rows = (
        at.joined(
            at.ticket.id.label("fact"),
            at.ticket.id.label("number"),
            at.ticket.placed_at,
            at.desk.code.label("desk"),
            at.ticket.player_id.label("player"),
            at.pool.code.label("pool"),
            at.event.name.label("event"),
            case((by_organizer, Decision.CANCELLED.value), else_=Decision.RETURNED.value).label("way"),
            decided.completed_at.label("decided_at"),
            User.login.label("decided_by"),
            why.label("reason"),
            gone.explanation,
            protocol.number.label("protocol"),
            case((by_organizer, 0), else_=decided.stake_back).label("returned"),
            case((by_organizer, decided.stake_back), else_=0).label("cancelled"),
            at.status.label("status"),
            at.provisional.label("provisional"),
            whole=False,
        )
        .outerjoin(protocol, protocol.id == decided.protocol_id)
        .outerjoin(result, result.id == protocol.result_id)
        .outerjoin(division, division.run_id == decided.run_id)
        .outerjoin(gone, gone.ticket_id == at.ticket.id)
        .outerjoin(User, User.id == func.coalesce(gone.cancelled_by, protocol.confirmed_by))
    )
    asked = {at.pool.code: wanted.pool, at.desk.id: wanted.desk_id}
    return matching(rows, asked).where(decided.stake_back > 0, *wanted.within(decided.completed_at))


REPORT = Report(
    code="returned-tickets",
    title="Возвращённые и отменённые билеты",
    about="Tickets whose stake goes back: by rule, or cancelled by the organizer, each in a column of its own.",
    columns=COLUMNS,
    query=query,
    asks=(Ask.PERIOD, Ask.POOL, Ask.DESK),
    readers=DESKS,
    sums=("returned", "cancelled"),
    parts="way",
)
