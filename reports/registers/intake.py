"""Intake per desk and shift: tickets sold, paid, returned and cancelled, and the cash of each shift (B-Prov 15, 17)."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, func, select

from db.pages import matching
from desk.models import Desk, Shift, ShiftClosing
from desk.payouts import PAYOUT
from documents.columns import Column
from documents.table import Kind
from ledger.journal import Transfer
from ledger.settlements import Decision, Settlement, given_back
from office.users import User
from reports.registers.cut import Cut, known
from reports.registers.report import DESKS, Ask, Report, Wanted
from reports.registers.standing import LATERAL
from tote.sales import STAKE

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
    lateral = _moved(cut, shift, desk)
    moved = lateral.c
    expected = shift.counted + moved.received - moved.paid_out
    rows = (
        select(
            shift.id.label("fact"),
            desk.code.label("desk"),
            shift.id.label("shift"),
            User.login.label("cashier"),
            shift.opened_at,
            closing.closed_at,
            *moved,
            shift.counted.label("opening_cash"),
            expected.label("expected"),
            closing.counted,
            (closing.counted - closing.expected).label("difference"),
            _provisional(cut, shift, closing).label("provisional"),
        )
        .join(desk, desk.id == shift.desk_id)
        .join(User, User.id == shift.opened_by)
        .outerjoin(closing, closing.shift_id == shift.id)
        .join(lateral, LATERAL)
    )
    return matching(rows, {desk.id: wanted.desk_id}).where(*wanted.within(shift.opened_at))


def _provisional(cut: Cut, shift: Any, closing: Any) -> ColumnElement[bool]:
    """A shift that still goes on takes more; at a seal it has what it took by then, for good."""
    unsealed = cut.provisional((Shift, shift.id), (ShiftClosing, closing.id))
    return unsealed if cut.sealed else unsealed | closing.id.is_(None)


def _moved(cut: Cut, shift: Any, desk: Any) -> Any:
    """What the transfers of a shift come to: bets, payouts by what they were for, and all its cash (B-Prov 15)."""
    moved, decided = cut.of(Transfer), known(Settlement)
    columns: list[Any] = []
    for name, these, part in _told(moved, decided):
        columns += [func.count().filter(these, part > 0).label(f"{name}_tickets"), _sum(part, these).label(name)]
    cash = {"received": moved.debit_account_id, "paid_out": moved.credit_account_id}
    columns += [_sum(moved.amount, side == desk.cash_account_id).label(name) for name, side in cash.items()]
    joined = select(*columns).select_from(moved).outerjoin(decided, decided.id == moved.settlement_id)
    return joined.where(moved.shift_id == shift.id).correlate(shift, desk).lateral()


def _told(moved: Any, decided: Any) -> list[tuple[str, ColumnElement[bool], ColumnElement[int]]]:
    """What was sold, and what was paid over the counter by what it was paid for: which transfers, and what of each.

    A payout is a win, and a stake given back with it or instead of it, and may be told as both (T-Prov 16).
    """
    paid, cancelled = moved.kind == PAYOUT, decided.decision == Decision.CANCELLED
    stake = given_back(decided, moved.amount)
    return [
        ("sold", moved.kind == STAKE, moved.amount),
        ("paid", paid, moved.amount - stake),
        ("returned", paid & ~cancelled, stake),
        ("cancelled", paid & cancelled, stake),
    ]


def _sum(amount: ColumnElement[int], these: ColumnElement[bool]) -> ColumnElement[int]:
    return func.coalesce(func.sum(amount).filter(these), 0)


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
