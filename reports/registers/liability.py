"""The liability: stakes of bets that are not decided yet, and what decided tickets are still owed, by age and term."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Date, Select, case, cast, func, literal

from db.pages import matching
from documents.columns import Column
from documents.table import Kind
from events.starts.models import StartChange
from events.starts.standing import start_in_force
from ledger.settlements import given_back
from reports.registers.cut import Cut
from reports.registers.lapsing import lapsed_at
from reports.registers.report import Ask, Report, Wanted
from reports.registers.standing import DECISION_WORDS, standing

AGES = {
    "future": "событие впереди",
    "undecided": "событие началось, пари не рассчитано",
    "to_7": "к выплате, 0–7 дней",
    "to_30": "к выплате, 8–30 дней",
    "to_60": "к выплате, 31–60 дней",
    "over_60": "к выплате, более 60 дней",
    "lapsed": "срок истёк, списание не учтено",
}
COLUMNS = (
    Column("number", "Номер билета", Kind.NUMBER),
    Column("code", "Код билета"),
    Column("placed_at", "Принят", Kind.INSTANT),
    Column("desk", "Касса"),
    Column("player", "Игрок, номер", Kind.NUMBER),
    Column("pool", "Пул"),
    Column("event", "Событие"),
    Column("age", "Обязательство", words=AGES),
    Column("stake", "Нерассчитанная ставка", Kind.MONEY),
    Column("decision", "Решение", words=DECISION_WORDS),
    Column("due", "К выплате", Kind.MONEY),
    Column("lapsed", "Срок истёк, не списано", Kind.MONEY),
    Column("payable_from", "Выплата с", Kind.INSTANT),
    Column("payable_until", "Выплата до", Kind.INSTANT),
)


def query(cut: Cut, wanted: Wanted) -> Select[*tuple[Any, ...]]:
    """Every ticket that is undecided or owed, in the order of the numbers.

    What has outlived its term stays owed on the books until its expiry is booked: it is shown apart. Of a ticket whose
    stake goes back only the win lapses (D-21).
    """
    at = standing(cut)
    decided = at.decided.c
    undecided = decided.id.is_(None)
    lapsed = case((lapsed_at(at), at.owed - given_back(decided, at.owed)), else_=0)
    due = at.owed - lapsed
    rows = at.joined(
        at.ticket.id.label("fact"),
        at.ticket.id.label("number"),
        at.ticket.code_sealed,
        at.ticket.code_digest,
        at.ticket.placed_at,
        at.desk.code.label("desk"),
        at.ticket.player_id.label("player"),
        at.pool.code.label("pool"),
        at.event.name.label("event"),
        case(
            (undecided & (start_in_force(at.event, cut.of(StartChange)) > cut.at), "future"),
            (undecided, "undecided"),
            (due == 0, "lapsed"),
            else_=_age(cut, decided.payable_from),
        ).label("age"),
        case((undecided, at.ticket.stake), else_=0).label("stake"),
        decided.decision,
        due.label("due"),
        lapsed.label("lapsed"),
        decided.payable_from,
        decided.deadline.label("payable_until"),
        at.provisional.label("provisional"),
    )
    asked = {at.pool.code: wanted.pool, at.desk.id: wanted.desk_id}
    return matching(rows, asked).where(undecided | (at.owed > 0))


def _age(cut: Cut, since: ColumnElement[Any]) -> ColumnElement[str]:
    """How long something has been payable, in days of the operator's calendar."""
    days = literal(cut.day, Date) - cast(func.timezone(cut.zone.key, since), Date)
    return case((days <= 7, "to_7"), (days <= 30, "to_30"), (days <= 60, "to_60"), else_="over_60")


REPORT = Report(
    code="liability",
    title="Обязательства перед участниками",
    about="Stakes not decided yet, and what is owed and unpaid by age and deadline; ticket codes are masked.",
    columns=COLUMNS,
    query=query,
    asks=(Ask.POOL, Ask.DESK),
    sums=("stake", "due", "lapsed"),
    parts="age",
    coded=True,
)
