"""The cover of funds as rows: what is owed to bettors, and what lies for it, each desk by itself (T-Prov 9)."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Date, Select, case, func, literal, select
from sqlalchemy.orm import Session

from documents.columns import Column
from documents.table import Kind
from ledger.accounts import Account, ChartLine
from ledger.accounts import Kind as Place
from reports.fund_cover import DEBTS, PLACES, SIDES
from reports.registers.balances import balances, chart_code
from reports.registers.cut import Cut
from reports.registers.report import Report, Sums, Totals, Wanted
from reports.registers.subjects import whose

WORDS = {
    "fund": "должны из фонда",
    "players": "деньги игроков",
    "cover": "лежит для фонда",
    "beside": "прочие деньги организатора",
}
LISTED = tuple(kind for kinds in SIDES.values() for kind in kinds)
"""What stands on the statement, in its order."""
COLUMNS = (
    Column("side", "Вид", words=WORDS),
    Column("account", "Счёт"),
    Column("title", "Наименование"),
    Column("subject", "Касса", spoken=whose),
    Column("owed", "Должны", Kind.MONEY),
    Column("held", "Лежит", Kind.MONEY),
)


def query(cut: Cut, wanted: Wanted) -> Select[*tuple[Any, ...]]:
    """A row for each kind of debt and each place of money, the desks one by one."""
    account, chart, balance = cut.of(Account), cut.of(ChartLine), balances(cut)
    desk = case((account.kind == Place.CASH, account.subject)).label("desk")
    lying = (
        select(account.kind, desk, balance.c.balance)
        .join(balance, balance.c.account_id == account.id)
        .where(account.currency == cut.currency, account.kind.in_(LISTED))
        .subquery()
    )
    kind, held, day = lying.c.kind, func.sum(lying.c.balance), literal(cut.day, Date)
    owed_here = kind.in_(DEBTS)
    return select(
        func.row_number()
        .over(order_by=(case(*((kind == one, n) for n, one in enumerate(LISTED))), lying.c.desk))
        .label("fact"),
        case(*((kind.in_(kinds), name) for name, kinds in SIDES.items())).label("side"),
        chart_code(chart, kind, day, "code").label("account"),
        chart_code(chart, kind, day, "title").label("title"),
        lying.c.desk.label("subject"),
        kind.label("place"),
        case((owed_here, -held), else_=0).label("owed"),
        case((owed_here, 0), else_=held).label("held"),
        literal(not cut.sealed).label("provisional"),
    ).group_by(kind, lying.c.desk)


def totals(session: Session, cut: Cut, wanted: Wanted) -> Totals:
    """What the special account must hold with desks and safe, what they hold, and what is left or lacking.

    Players' money is covered besides and never twice: by all the money there is, that on its way included.
    """
    rows = session.execute(query(cut, wanted)).all()
    parts = {side: Sums(*_added([row for row in rows if row.side == side])) for side in SIDES}
    places = {name: int(sum(row.held for row in rows if row.place == kind)) for kind, name in PLACES.items()}
    owed, held = parts["fund"].money["owed"], parts["cover"].money["held"]
    everything = held + parts["beside"].money["held"] - owed - parts["players"].money["owed"]
    money = {"owed": owed, "held": held, **places, "left": held - owed, "left_of_all": everything}
    return Totals(Sums(len(rows), money, {}), parts)


def _added(rows: list[Any]) -> tuple[int, dict[str, int], dict[str, int]]:
    return len(rows), {name: int(sum(getattr(row, name) for row in rows)) for name in ("owed", "held")}, {}


REPORT = Report(
    code="fund-cover-statement",
    title="Покрытие выигрышного фонда",
    about="What is owed to bettors against what special account, desks and safe hold, each desk by itself.",
    columns=COLUMNS,
    query=query,
    totals=totals,
)
