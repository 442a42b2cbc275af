"""Intake per desk and shift: tickets sold, paid, returned and cancelled, and the cash of each shift (B-Prov 15, 17)."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, case, func, select

from db.pages import matching
from desk.models import Desk, Payout, Shift, ShiftClosing
from documents.columns import Column, Kind
from ledger.journal import Transfer
from ledger.settlements import Decision, Settlement
from ledger.tickets import Ticket
from office.users import User
from reports.registers.cut import Cut
from reports.registers.report import DESKS, Ask, Report, Wanted
from reports.registers.standing import LATERAL

PAID = {"paid": Decision.WON, "returned": Decision.RETURNED, "cancelled": Decision.CANCELLED}
"""Cash paid over the counter by what it was paid for."""
COLUMNS = (
    Column("desk", "Касса"),
    Column("shift", "Смена", Kind.NUMBER),
    Column("cashier", "Кассир"),
    Column("opened_at", "Открыта", Kind.INSTANT),
    Column("closed_at", "Закрыта", Kind.INSTANT),
    Column("sold_tickets", "Продано билетов", Kind.NUMBER),
    Column("sold", "Продано на сумму", Kind.MONEY),
    Column("paid_tickets", "Выплачено билетов", Kind.NUMBER),
    Column("paid", "Выплачено выигрышей", Kind.MONEY),
    Column("returned_tickets", "Возвращено билетов", Kind.NUMBER),
    Column("returned", "Возвращено ставок по правилам", Kind.MONEY),
    Column("cancelled_tickets", "Отменено билетов", Kind.NUMBER),
    Column("cancelled", "Возвращено по отменённым", Kind.MONEY),
    Column("opening_cash", "Наличные в начале", Kind.MONEY),
    Column("received", "Принято наличных", Kind.MONEY),
    Column("paid_out", "Выдано наличных", Kind.MONEY),
    Column("expected", "Должно быть", Kind.MONEY),
    Column("counted", "Пересчитано", Kind.MONEY),
    Column("difference", "Расхождение", Kind.MONEY),
)


def query(cut: Cut, wanted: Wanted) -> Select[*tuple[Any, ...]]:
    """Every shift opened in the period, in the order of the numbers.

    A shift that is open at the cut has what it took by then, and neither count nor difference.
    """
    shift, desk, closing = cut.of(Shift), cut.of(Desk), cut.of(ShiftClosing)
    sold, paid, cash = _sold(cut, shift), _paid(cut, shift), _cash(cut, shift, desk)
    expected = shift.counted + cash.c.received - cash.c.paid_out
    rows = (
        select(
            shift.id.label("fact"),
            desk.code.label("desk"),
            shift.id.label("shift"),
            User.login.label("cashier"),
            shift.opened_at,
            closing.closed_at,
            *sold.c,
            *paid.c,
            shift.counted.label("opening_cash"),
            *cash.c,
            expected.label("expected"),
            closing.counted,
            (closing.counted - closing.expected).label("difference"),
            _provisional(cut, shift, closing).label("provisional"),
        )
        .join(desk, desk.id == shift.desk_id)
        .join(User, User.id == shift.opened_by)
        .outerjoin(closing, closing.shift_id == shift.id)
        .join(sold, LATERAL)
        .join(paid, LATERAL)
        .join(cash, LATERAL)
    )
    return matching(rows, {desk.id: wanted.desk_id}).where(*wanted.within(shift.opened_at))


def _provisional(cut: Cut, shift: Any, closing: Any) -> ColumnElement[bool]:
    """A shift that still goes on takes more; at a seal it has what it took by then, for good."""
    unsealed = cut.provisional((Shift, shift.id), (ShiftClosing, closing.id))
    return unsealed if cut.sealed else unsealed | closing.id.is_(None)


def _sold(cut: Cut, shift: Any) -> Any:
    ticket = cut.of(Ticket)
    return (
        select(
            func.count(ticket.id).label("sold_tickets"),
            func.coalesce(func.sum(ticket.stake), 0).label("sold"),
        )
        .where(ticket.shift_id == shift.id)
        .correlate(shift)
        .lateral()
    )


def _paid(cut: Cut, shift: Any) -> Any:
    line, decided = cut.of(Payout), cut.of(Settlement)
    columns = []
    for name, decision in PAID.items():
        these = decided.decision == decision
        columns += [
            func.count(line.id).filter(these).label(f"{name}_tickets"),
            func.coalesce(func.sum(line.amount).filter(these), 0).label(name),
        ]
    joined = select(*columns).select_from(line).join(decided, decided.id == line.settlement_id)
    return joined.where(line.shift_id == shift.id).correlate(shift).lateral()


def _cash(cut: Cut, shift: Any, desk: Any) -> Any:
    moved = cut.of(Transfer)
    into, out = (
        func.coalesce(func.sum(case((side == desk.cash_account_id, moved.amount), else_=0)), 0)
        for side in (moved.debit_account_id, moved.credit_account_id)
    )
    columns = into.label("received"), out.label("paid_out")
    return select(*columns).where(moved.shift_id == shift.id).correlate(shift, desk).lateral()


REPORT = Report(
    code="intake",
    title="Приём и выплаты по кассам и сменам",
    about="Each shift of each desk: tickets sold, paid, returned and cancelled; cash expected, counted, and its "
    "difference.",
    columns=COLUMNS,
    query=query,
    asks=(Ask.PERIOD, Ask.DESK),
    readers=DESKS,
    sums=(
        "sold_tickets",
        "sold",
        "paid_tickets",
        "paid",
        "returned_tickets",
        "returned",
        "cancelled_tickets",
        "cancelled",
        "received",
        "paid_out",
        "difference",
    ),
    parts="desk",
)
