"""The daily movement: both sides of every transfer of the accountant's days, and the balances they lead from and to."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Date,
    Integer,
    Select,
    case,
    cast,
    column,
    func,
    literal,
    or_,
    select,
    values,
)
from sqlalchemy import true as everywhere
from sqlalchemy.orm import Session

from db.pages import matching
from documents.columns import Column
from documents.table import Kind
from ledger.accounts import Account, ChartLine
from ledger.accounts import Kind as Place
from ledger.journal import Transfer
from ledger.settlements import Settlement
from reports.registers.balances import balances, chart_code
from reports.registers.cut import Cut
from reports.registers.report import Ask, Report, Sums, Totals, Wanted
from reports.registers.subjects import whose
from reports.transfer_words import WORDS
from tote.recovery import CLAIMED, OVERPAID, TAKEN_BACK

MADE_GOOD = (TAKEN_BACK, CLAIMED, OVERPAID)
"""What a corrected protocol moves beside the opposites of what it undoes (D-14)."""
COLUMNS = (
    Column("transfer", "Номер перевода", Kind.NUMBER),
    Column("occurred_at", "Момент", Kind.INSTANT),
    Column("booked_on", "День учёта", Kind.DATE),
    Column("account", "Счёт"),
    Column("title", "Наименование счёта"),
    Column("subject", "Аналитика", spoken=whose),
    Column("ticket", "Номер билета", Kind.NUMBER),
    Column("kind", "Вид", words=WORDS, closed=False),
    Column("debit", "Дебет", Kind.MONEY),
    Column("credit", "Кредит", Kind.MONEY),
    Column("correction", "Исправление", words={"correction": "исправление прежнего расчёта"}),
    Column("undoes", "Отменяет перевод", Kind.NUMBER),
    Column("revenue", "Влияние на выручку", Kind.MONEY),
)
SIDES = 2
DEBIT, CREDIT = range(SIDES)


def query(cut: Cut, wanted: Wanted) -> Select[*tuple[Any, ...]]:
    """Two rows for each transfer booked on the days wanted, the debited account first; of one account, where asked."""
    moved, account, chart, version = (cut.of(fact) for fact in (Transfer, Account, ChartLine, Settlement))
    side = values(column("side", Integer), name="side").data([(DEBIT,), (CREDIT,)])
    debit, credit = (case((side.c.side == which, moved.amount), else_=0) for which in (DEBIT, CREDIT))
    of_revenue = account.kind == Place.WITHDRAWAL_REVENUE
    this = case((side.c.side == DEBIT, moved.debit_account_id), else_=moved.credit_account_id)
    rows = (
        select(
            moved.id.label("fact"),
            side.c.side,
            moved.id.label("transfer"),
            moved.occurred_at,
            moved.booked_on,
            chart_code(chart, account.kind, moved.booked_on, "code").label("account"),
            chart_code(chart, account.kind, moved.booked_on, "title").label("title"),
            account.subject,
            moved.ticket_id.label("ticket"),
            moved.kind,
            debit.label("debit"),
            credit.label("credit"),
            case((_corrects(moved, version), "correction")).label("correction"),
            moved.reverses_id.label("undoes"),
            case((of_revenue, credit - debit), else_=0).label("revenue"),
            cut.provisional((Transfer, moved.id)).label("provisional"),
        )
        .select_from(moved)
        .join(side, everywhere())
        .join(account, account.id == this)
        .outerjoin(version, version.id == moved.settlement_id)
    )
    asked = matching(rows, {account.id: wanted.account_id})
    if wanted.account_id is not None:
        # Said of the transfer as well, so that its indexes find an account's rows.
        asked = asked.where(or_(*(s == wanted.account_id for s in (moved.debit_account_id, moved.credit_account_id))))
    return asked.where(*_booked(moved, wanted))


def totals(session: Session, cut: Cut, wanted: Wanted) -> Totals:
    """Of each of the accountant's accounts what lay there before the days, what moved, what lies there after them.

    Balances are debits less credits. They are those of the cut, taken back by what was booked from the days on, so
    that no more is added up than was booked since.
    """
    held, within, later = _held(session, cut, wanted), _moved(session, cut, wanted), _later(session, cut, wanted)
    titles = {kind: kind for kind in held} | _titles(session, cut, wanted)
    parts = {}
    for kind in sorted(held, key=lambda kind: titles[kind]):
        rows, debit, credit, revenue = within.get(kind, (0, 0, 0, 0))
        closing = held[kind] - later.get(kind, 0)
        money = {"opening": closing - debit + credit, "debit": debit, "credit": credit, "closing": closing}
        parts[titles[kind]] = Sums(rows, {**money, "revenue": revenue}, {})
    names = ("opening", "debit", "credit", "closing", "revenue")
    whole = {name: sum(part.money[name] for part in parts.values()) for name in names}
    return Totals(Sums(sum(part.rows for part in parts.values()), whole, {}), parts)


def _corrects(moved: Any, version: Any) -> ColumnElement[bool]:
    """Whether a transfer belongs to a decision made again: it undoes one, makes one good, or follows a later one."""
    again = func.coalesce(version.version > 1, False)
    return or_(moved.reverses_id.is_not(None), moved.kind.in_(MADE_GOOD), again)


def _booked(moved: Any, wanted: Wanted) -> list[ColumnElement[bool]]:
    found = [] if wanted.first is None else [moved.booked_on >= wanted.first]
    return found if wanted.last is None else [*found, moved.booked_on <= wanted.last]


def _held(session: Session, cut: Cut, wanted: Wanted) -> dict[str, int]:
    """The balances at the cut by kinds of accounts."""
    account, balance = cut.of(Account), balances(cut)
    held = (
        select(account.kind, cast(func.sum(balance.c.balance), BigInteger))
        .join(balance, balance.c.account_id == account.id)
        .where(account.currency == cut.currency)
        .group_by(account.kind)
    )
    return {kind: amount for kind, amount in session.execute(matching(held, {account.id: wanted.account_id}))}


def _moved(session: Session, cut: Cut, wanted: Wanted) -> dict[str, tuple[int, ...]]:
    """By kinds of accounts: rows, debits, credits, and the effect on revenue."""
    return {kind: tuple(int(sum_) for sum_ in sums) for kind, *sums in session.execute(_by_kind(cut, wanted))}


def _later(session: Session, cut: Cut, wanted: Wanted) -> dict[str, int]:
    """By kinds of accounts: debits less credits booked after the days wanted."""
    if wanted.last is None:
        return {}
    after = Wanted(account_id=wanted.account_id)
    rows = session.execute(_by_kind(cut, after, behind=wanted))
    return {kind: int(debit - credit) for kind, _, debit, credit, _ in rows}


def _by_kind(cut: Cut, wanted: Wanted, behind: Wanted | None = None) -> Select[*tuple[Any, ...]]:
    moved, account = cut.of(Transfer), cut.of(Account)
    side = values(column("side", Integer), name="side").data([(DEBIT,), (CREDIT,)])
    this = case((side.c.side == DEBIT, moved.debit_account_id), else_=moved.credit_account_id)
    debit, credit = (func.coalesce(func.sum(moved.amount).filter(side.c.side == s), 0) for s in (DEBIT, CREDIT))
    revenue = case((account.kind == Place.WITHDRAWAL_REVENUE, credit - debit), else_=0)
    sums = (
        select(account.kind, func.count(), debit, credit, revenue)
        .select_from(moved)
        .join(side, everywhere())
        .join(account, account.id == this)
        .where(account.currency == cut.currency, *_booked(moved, wanted))
        .group_by(account.kind)
    )
    if behind is not None:
        sums = sums.where(moved.booked_on > behind.last)
    return matching(sums, {account.id: wanted.account_id})


def _titles(session: Session, cut: Cut, wanted: Wanted) -> dict[str, str]:
    """What each kind of account is called by the accountant on the last of the days."""
    chart = cut.of(ChartLine)
    day = literal(wanted.last or cut.day, Date)
    lines = select(chart.kind, chart.code, chart.title).where(chart.effective_from <= day)
    found = session.execute(lines.order_by(chart.effective_from, chart.id))
    return {kind: f"{code} {title}" for kind, code, title in found}


REPORT = Report(
    code="daily-movement",
    title="Движение по счетам за день",
    about="Both sides of every transfer under the accountant's codes, with opening and closing balances by account.",
    columns=COLUMNS,
    query=query,
    asks=(Ask.PERIOD, Ask.ACCOUNT),
    sides=SIDES,
    totals=totals,
)
