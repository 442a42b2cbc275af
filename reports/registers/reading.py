"""Reading a report: a page of it, its totals, and all of its rows one after the other without a long transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Row, Select, bindparam, func, null, select, text
from sqlalchemy.orm import Session

from db.session import Sessions
from documents.table import Kind
from ledger.codes import Codes, masked
from reports.registers.cut import Cut
from reports.registers.report import Report, Sums, Totals, Wanted

PAGE = 5_000
"""Rows a file reads at a time; between two pages no connection is held, however slowly somebody downloads."""
# A page of a file is a small part of tables that may be very long: each of its rows is looked up. A planner left free
# would now and then go through a whole table, or sort it, for every page; and one that must not look at where the page
# begins would do so for all of them.
BY_INDEXES = text(
    "SELECT set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),"
    " set_config('jit', 'off', true), set_config('plan_cache_mode', 'force_custom_plan', true)"
)
RowOf = Row[*tuple[Any, ...]]


def page(session: Session, report: Report, cut: Cut, wanted: Wanted, after: int, limit: int) -> Sequence[RowOf]:
    """The rows behind a place (0: from the first), at most ``limit`` of them."""
    return session.execute(_behind(report, cut, wanted).limit(limit), _place(report, after)).all()


def place(report: Report, row: RowOf) -> int:
    """Where a row stands, so that the next page begins behind it."""
    return int(row.fact * report.sides + (row.side if report.sides > 1 else 0))


def every_row(sessions: Sessions, report: Report, cut: Cut, wanted: Wanted) -> Iterator[RowOf]:
    """All rows of a sealed cut, in their order: pages read in transactions of their own fit together (DESIGN 3.8)."""
    assert cut.sealed, "only what is sealed can be read in several transactions"
    query, after, more = _behind(report, cut, wanted).limit(PAGE), 0, True
    while more:
        with sessions() as session:
            session.execute(BY_INDEXES)
            rows = session.execute(query, _place(report, after)).all()
        yield from rows
        more = len(rows) == PAGE
        after = place(report, rows[-1]) if rows else after


def totals(session: Session, report: Report, cut: Cut, wanted: Wanted) -> Totals:
    """What all the wanted rows come to, whole and by parts."""
    if report.totals is not None:
        return report.totals(session, cut, wanted)
    found = report.query(cut, wanted).subquery()
    assert report.parts is not None, "a report that adds up otherwise says how"
    part = found.c[report.parts]
    sums = [func.coalesce(func.sum(found.c[key]), 0) for key in report.sums]
    grouped = select(part, func.count(), *sums).select_from(found).group_by(part).order_by(part)
    parts = {_shown(report, name): _sums(report, rows, added) for name, rows, *added in session.execute(grouped)}
    return Totals(_whole(report, parts.values()), parts)


def told(report: Report, row: RowOf, codes: Codes) -> dict[str, Any]:
    """A row's values under the keys of the columns, amounts in minor units; a ticket's code only masked."""
    shown = {column.key: _plain(column.kind, value) for column, value in zip(report.columns, row, strict=False)}
    if report.coded:
        shown["code"] = masked_code(row, codes)
    return {**shown, "provisional": row.provisional}


def masked_code(row: RowOf, codes: Codes) -> str:
    """What a report shows of a ticket's code."""
    return masked(codes.open(row.code_sealed, row.code_digest))


def _plain(kind: Kind, value: Any) -> Any:
    """A sum comes from the database as a decimal, though it is whole."""
    return int(value) if kind in (Kind.MONEY, Kind.NUMBER) and value is not None else value


def _behind(report: Report, cut: Cut, wanted: Wanted) -> Select[*tuple[Any, ...]]:
    """The rows behind the place ``number`` and ``side``: the report's columns first, in their order."""
    found = report.query(cut, wanted).subquery()
    shown = [found.c[column.key] if column.key in found.c else null().label(column.key) for column in report.columns]
    keys = {column.key for column in report.columns}
    rows = select(*shown, *(column for column in found.c if column.key not in keys))
    fact, number = found.c.fact, bindparam("number", type_=BigInteger)
    if report.sides == 1:
        return rows.where(fact > number).order_by(fact)
    behind: ColumnElement[bool] = (fact > number) | (found.c.side > bindparam("side", type_=BigInteger))
    # The first condition alone is one an index answers.
    return rows.where(fact >= number, behind).order_by(fact, found.c.side)


def _place(report: Report, after: int) -> dict[str, int]:
    number, side = divmod(after, report.sides)
    return {"number": number, "side": side} if report.sides > 1 else {"number": number}


def _sums(report: Report, rows: int, added: Sequence[Any]) -> Sums:
    kinds = {column.key: column.kind for column in report.columns}
    amounts = {key: int(amount) for key, amount in zip(report.sums, added, strict=True)}
    money = {key: amount for key, amount in amounts.items() if kinds[key] is Kind.MONEY}
    return Sums(rows, money, {key: amount for key, amount in amounts.items() if key not in money})


def _whole(report: Report, parts: Iterable[Sums]) -> Sums:
    """The parts added up; of nothing every sum is zero."""
    nothing = _sums(report, 0, [0] * len(report.sums))
    rows, money, numbers = 0, Counter(nothing.money), Counter(nothing.numbers)
    for part in parts:
        rows += part.rows
        money.update(part.money)
        numbers.update(part.numbers)
    return Sums(rows, dict(money), dict(numbers))


def _shown(report: Report, name: str | None) -> str:
    """What a part is called: in words where its column has them."""
    column = next(column for column in report.columns if column.key == report.parts)
    return "—" if name is None else column.words.get(name, name)
