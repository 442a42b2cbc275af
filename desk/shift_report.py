"""The closing report of a shift: cash accepted and cash paid out in two sections, and the count (B-Prov 15, 17).

It is final with the fiscal report's number, and once every payout of the shift has its fiscal receipt; until then it is
read as far as it has come. It is what an API shows and what a paper is printed from: there is no other reckoning.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, case, func, literal, select, union_all
from sqlalchemy.orm import Session

from db.clock import trade_time
from desk.fiscal_papers import fiscal_report_of, receipts_missing, still_open
from desk.models import Desk, Shift
from desk.payouts import PAYOUT
from desk.shifts import closing_of, no_such_shift
from ledger.journal import Transfer
from ledger.refusals import Refusal
from ledger.settlements import Decision, Settlement, given_back
from office.operator import Operator
from office.users import User

WINS, RETURNED, CANCELLED = "wins", "returned_stakes", "cancelled_stakes"
TITLES = {
    "stake": "Ставки",
    "deposit": "Внесено на игровые счета",
    "desk_float": "Подкрепление кассы",
    "delivery_returned": "Возвращено из пути",
    WINS: "Выигрыши",
    RETURNED: "Возвращённые ставки",
    CANCELLED: "Ставки, отменённые организатором",
    "account_withdrawal": "Выдано с игровых счетов",
    "collection": "Инкассация",
}
"""What people read for a kind of movement; one that is not here is another movement, so that the sums always hold."""
OTHER, UNDONE = "Прочее движение", "_reversed"


@dataclass(frozen=True)
class SectionLine:
    """A kind of movement in a section: how many, and how much in minor units."""

    kind: str
    title: str
    times: int
    amount: int


@dataclass(frozen=True)
class Section:
    """One side of the shift's cash, by kinds of movement."""

    lines: list[SectionLine]

    @property
    def total(self) -> int:
        """The sum of the side, in minor units."""
        return sum(line.amount for line in self.lines)


@dataclass(frozen=True)
class ShiftReport:
    """A shift as its report tells it; amounts in minor units.

    ``opening_expected`` is what the books knew of when it was opened on ``opening_cash``. ``closing_reason`` is why a
    supervisor closed it in a cashier's place. Of an open shift all about its closing is None; ``receipts_missing`` are
    the journal's numbers of payouts without a fiscal receipt.
    """

    operator: str
    shift_id: int
    desk_id: int
    desk: str
    place: str
    cash_register: str
    opened_by: str
    opened_at: datetime
    closed_by: str | None
    closed_at: datetime | None
    closing_reason: str | None
    receipts_missing: list[int]
    fiscal_report: str | None
    fiscal_register: str | None
    currency: str
    opening_expected: int
    opening_cash: int
    accepted: Section
    paid_out: Section
    expected_cash: int
    counted_cash: int | None

    @property
    def is_final(self) -> bool:
        """Whether nothing of it is missing any more: an open shift has no fiscal report."""
        return self.fiscal_report is not None and not self.receipts_missing

    @property
    def opening_difference(self) -> int:
        """What was counted at the opening beyond what was expected; less than nothing is missing."""
        return self.opening_cash - self.opening_expected

    @property
    def difference(self) -> int | None:
        """What was counted at the closing beyond what was expected; less than nothing is missing."""
        return None if self.counted_cash is None else self.counted_cash - self.expected_cash


def shift_report(session: Session, operator: Operator, shift_id: int) -> ShiftReport:
    """The closing report of a shift, once it is final.

    Raises:
        Refusal: ``not_found``; ``shift_still_open``; ``receipts_missing`` with the journal's numbers, enter their
            fiscal receipts; ``fiscal_report_missing``, enter its number.
    """
    report = report_so_far(session, operator, shift_id)
    if report.closed_at is None:
        raise still_open(shift_id)
    if missing := report.receipts_missing:
        said = f"Внесите фискальные чеки выплат № {', '.join(map(str, missing[:20]))}."
        raise Refusal("receipts_missing", said, payouts=missing)
    if report.fiscal_report is None:
        raise Refusal("fiscal_report_missing", "Внесите номер фискального отчёта смены.")
    return report


def report_so_far(session: Session, operator: Operator, shift_id: int) -> ShiftReport:
    """The report of a shift as far as it has come, open or closed.

    Raises:
        Refusal: ``not_found``.
    """
    shift = session.get(Shift, shift_id)
    if shift is None:
        raise no_such_shift()
    closing, fiscal = closing_of(session, shift_id), fiscal_report_of(session, shift_id)
    desk = session.get_one(Desk, shift.desk_id)
    accepted, paid_out = sections(session, desk.cash_account_id, shift.id)
    return ShiftReport(
        operator=operator.name_at(trade_time(session) if closing is None else closing.closed_at),
        shift_id=shift.id,
        desk_id=desk.id,
        desk=desk.code,
        place=desk.place,
        cash_register=desk.cash_register,
        opened_by=_name(session, shift.opened_by),
        opened_at=shift.opened_at,
        closed_by=None if closing is None else _name(session, closing.closed_by),
        closed_at=None if closing is None else closing.closed_at,
        closing_reason=None if closing is None else closing.reason,
        receipts_missing=receipts_missing(session, shift_id),
        fiscal_report=None if fiscal is None else fiscal.number,
        fiscal_register=None if fiscal is None else fiscal.cash_register,
        currency=operator.currency,
        opening_expected=shift.counted if shift.expected is None else shift.expected,
        opening_cash=shift.counted,
        accepted=accepted,
        paid_out=paid_out,
        expected_cash=shift.counted + accepted.total - paid_out.total if closing is None else closing.expected,
        counted_cash=None if closing is None else closing.counted,
    )


def sections(session: Session, cash_account_id: int, shift_id: int) -> tuple[Section, Section]:
    """What a shift's transfers brought into the desk's cash and took out of it, by kinds."""
    accepted = _section(session, shift_id, Transfer.debit_account_id == cash_account_id)
    return accepted, _section(session, shift_id, Transfer.credit_account_id == cash_account_id)


def title_of(kind: str) -> str:
    """What people read for a kind of movement of a desk's cash, and for one that undoes another."""
    undone = kind.removesuffix(UNDONE)
    return TITLES.get(kind, OTHER) if undone == kind else f"Исправлено: {title_of(undone)}"


def _name(session: Session, user_id: int) -> str:
    return session.get_one(User, user_id).name


def _section(session: Session, shift_id: int, side: ColumnElement[bool]) -> Section:
    """The movements of one side by kind. A payout is a win, and a stake given back with it or instead of it (D-21)."""
    moved = select(Transfer.kind, Transfer.amount).where(Transfer.shift_id == shift_id, side)
    paid = moved.where(Transfer.kind == PAYOUT).join(Settlement, Settlement.id == Transfer.settlement_id)
    stake_back = given_back(Settlement, Transfer.amount)
    word = case((Settlement.decision == Decision.CANCELLED.value, CANCELLED), else_=RETURNED)
    parts = union_all(
        moved.where(Transfer.kind != PAYOUT),
        paid.with_only_columns(literal(WINS), Transfer.amount - stake_back),
        paid.with_only_columns(word, stake_back),
    ).subquery("parts")
    by_kind = select(parts.c.kind, func.count(), func.sum(parts.c.amount)).where(parts.c.amount > 0)
    return Section(_lines(session.execute(by_kind.group_by(parts.c.kind))))


def _lines(found: Iterable[Row[str, int, Any]]) -> list[SectionLine]:
    known = list(TITLES)
    lines = [SectionLine(kind, title_of(kind), times, int(amount)) for kind, times, amount in found]
    return sorted(lines, key=lambda line: (known.index(line.kind) if line.kind in known else len(known), line.kind))
