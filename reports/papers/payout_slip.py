"""The slip of a cash payout: one line of the journal as a cash document that the player and the cashier sign."""

from __future__ import annotations

from datetime import datetime

from documents.form import Form, Pairs, Section, Signatures
from ledger.amount_in_words import amount_in_words
from office.operator import Operator
from reports.papers.words import amount_text, heading
from reports.payouts import JournalLine


def payout_slip(line: JournalLine, operator: Operator, made_at: datetime) -> Form:
    """The slip of a line; who is paid is shown as the line was read, masked or in full (D-16)."""
    paid = operator.local(line.paid_at)
    title = f"Расходный документ № {line.number} от {paid:%d.%m.%Y}"
    return Form(
        heading(operator, title, made_at, f"строка № {line.number} журнала учёта выплат наличных денег"),
        (
            Section("Выплата"),
            Pairs(
                (
                    ("Сумма", amount_text(line.amount, operator.currency)),
                    ("Сумма прописью", amount_in_words(line.amount)),
                    ("Основание", _basis(line)),
                    ("Выплачено", f"{paid:%d.%m.%Y %H:%M:%S}"),
                )
            ),
            Section("Получатель"),
            Pairs((("Фамилия, имя, отчество", line.person), ("Документ", line.document))),
            Section("Касса"),
            Pairs(
                (
                    ("Касса", line.desk),
                    ("Заводской номер аппарата", line.cash_register),
                    ("Кассир", line.cashier),
                    ("Подтвердил второй сотрудник", line.approved_by),
                )
            ),
            Signatures((("Получил", ""), ("Выдал кассир", line.cashier))),
        ),
    )


def _basis(line: JournalLine) -> str:
    """What the money is paid for: a ticket, or a withdrawal from a game account, whose player is named by the login."""
    if line.account_withdrawal is None:
        return f"билет № {line.ticket}"
    return f"вывод № {line.account_withdrawal} с игрового счёта игрока {line.player}"
