"""The sheet of a pool on paper: stakes by outcome, withdrawal, fund, and how it was divided (T-Prov 12, T-Rules 36)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from documents.csv import Cell
from documents.form import Form, Grid, Pairs, Part, Section, Signatures, Words
from documents.table import Column, Kind
from events.models import Standing
from ledger.money import display_fraction
from office.operator import Operator
from reports.divisions import Version, coefficient_of, win_per_bet_of
from reports.papers.pool_levels import former_levels_part, levels_part, positions_part, staked_part
from reports.papers.terms import stake_and_win
from reports.papers.words import STANDINGS, amount, amount_text, heading
from reports.pool_sheet import OutcomeLine, PoolSheet
from tote.models import Pool, PoolClosing, PoolDivision
from tote.remaining import Remaining
from tote.statuses import PoolStatus, Terms

STATUSES = {
    PoolStatus.ANNOUNCED: "объявлен",
    PoolStatus.OPEN: "идёт приём ставок",
    PoolStatus.CLOSED: "приём ставок окончен",
    PoolStatus.WITHDRAWAL_TAKEN: "изъятие произведено",
    PoolStatus.RESULT_CONFIRMED: "результат подтверждён",
    PoolStatus.SETTLED: "рассчитан",
    PoolStatus.PAYABLE: "выигрыши выплачиваются",
    PoolStatus.EXPIRED: "срок выплаты истёк, рассматриваются споры",
    PoolStatus.ARCHIVED: "в архиве",
    PoolStatus.RETURNED: "ставки возвращаются",
}
COLUMNS = (
    Column("Шифр", width=1),
    Column("Исход", width=4),
    Column("Ставок", Kind.NUMBER, width=1.2),
    Column("Сумма ставок", Kind.MONEY, width=2),
    Column("Наступил", width=1.2),
)
HAPPENED = {True: "да", False: "нет", None: ""}
NOT_HELD = "—"
"""What stands for a position that was not held (D-22)."""
WITHOUT_END = "без срока"
RETURNED = "Событие не состоялось: ставки возвращены, выигрышей нет. Возврат ставки сроком не ограничен."


def pool_sheet_form(sheet: PoolSheet, operator: Operator, made_at: datetime) -> Form:
    """The sheet, as far as the pool's life has come."""
    money = sheet.pool.currency
    parts: list[Part] = [
        Section("Условия пула"),
        Pairs(tuple(_announced(sheet, operator))),
        *([] if sheet.pool.positions is None else positions_part(sheet)),
        Section("Ставки"),
        *(_outcomes(sheet, money) if sheet.pool.positions is None else staked_part(sheet)),
        *_cancelled(sheet, money),
        *_closed(sheet, money, operator),
        *_settled(sheet, money, operator),
        Signatures((("Ответственный за расчёт", ""), ("Бухгалтер", ""))),
    ]
    return Form(heading(operator, f"Ведомость пула {sheet.pool.code}", made_at), parts)


def _announced(sheet: PoolSheet, operator: Operator) -> Iterator[tuple[str, Cell]]:
    pool = sheet.pool
    yield "Наименование", pool.name
    yield "Состояние", STATUSES[sheet.status]
    yield "Приём ставок с", operator.local(pool.opens_at)
    yield "Приём ставок до", operator.local(pool.closes_at)
    yield from stake_and_win(pool)


def _outcomes(sheet: PoolSheet, money: str) -> Iterator[Part]:
    totals = "Итого", None, sheet.bets, amount(sheet.stakes, money), None
    yield Grid(COLUMNS, [_row(line, money) for line in sheet.outcomes], totals)


def _row(line: OutcomeLine, money: str) -> tuple[Cell, ...]:
    return line.code, line.name, line.bets, amount(line.stakes, money), HAPPENED[line.true]


def _cancelled(sheet: PoolSheet, money: str) -> Iterator[Part]:
    """What the organizer cancelled, at whatever stage (T-Rules 29)."""
    if sheet.cancelled_bets:
        yield Section("Отменено организатором")
        stakes = amount_text(sheet.cancelled_stakes, money)
        yield Pairs(((_tickets_called(sheet.pool), sheet.cancelled_bets), ("Сумма ставок", stakes)))


def _closed(sheet: PoolSheet, money: str, operator: Operator) -> Iterator[Part]:
    """What the closing counted, and what is left of it without bets cancelled between it and the settlement (D-18)."""
    closing, left = sheet.closing, sheet.left
    if closing is None or left is None:
        return
    yield Section("Окончание приёма")
    tickets = _tickets_called(sheet.pool)
    yield Pairs((("Окончен", operator.local(closing.closed_at)), *_parted(closing, tickets, money)))
    if left.bets != closing.bets:
        yield Section("Без отменённых до расчёта ставок")
        yield Pairs(tuple(_parted(left, tickets, money)))


def _tickets_called(pool: Pool) -> str:
    """What a ticket is called where it is counted: in a pool of positions it may be of many bets."""
    return "Ставок" if pool.positions is None else "Билетов"


def _parted(counted: PoolClosing | Remaining, tickets: str, money: str) -> Iterator[tuple[str, Cell]]:
    yield tickets, counted.bets
    yield "Сумма ставок", amount_text(counted.stakes, money)
    yield "Изъятие", amount_text(counted.withdrawal, money)
    yield "Выигрышный фонд", amount_text(counted.fund, money)


def _settled(sheet: PoolSheet, money: str, operator: Operator) -> Iterator[Part]:
    """The division in force, every one there was, and the terms of payment."""
    if sheet.division is None:
        return
    yield Section("Распределение фонда")
    yield from [Words(RETURNED)] if sheet.division.returned else []
    yield Pairs(tuple(_divided(sheet.division, sheet.pool)))
    yield from levels_part(sheet.pool, sheet.levels)
    yield Section("Расчёты пула")
    yield Grid(_versions(sheet.pool), [_version(version, sheet.pool, operator) for version in sheet.versions])
    yield from former_levels_part(sheet.pool, sheet.versions)
    if sheet.terms is not None:
        yield Section("Сроки")
        yield Pairs(tuple(_terms(sheet.terms, operator)))


def _divided(division: PoolDivision, pool: Pool) -> Iterator[tuple[str, Cell]]:
    money = pool.currency
    yield "Минусовый пул", division.minus_pool
    yield "Ставки возвращены", division.returned
    yield "Выигравших ставок", division.winning_bets
    yield "Сумма выигравших ставок", amount_text(division.winning_stake, money)
    yield from _share(division, pool)
    yield "Выигрыши и возвраты", amount_text(division.wins, money)
    yield "В джек-пот", amount_text(division.to_jackpot, money)
    yield "За счёт организатора", amount_text(division.from_organizer, money)
    if division.jackpot_shortfall:
        yield "Недостаток джек-пота за счёт организатора", amount_text(division.jackpot_shortfall, money)


def _versions(pool: Pool) -> tuple[Column, ...]:
    return (
        Column("Расчёт", Kind.NUMBER, width=0.9),
        Column("Протокол", width=1.1),
        Column("Событие", width=1.6),
        Column("Исходы", width=1.2),
        *(Column(name, width=1.5) for name in _shares_called(pool)),
        Column("Выигрыши и возвраты", Kind.MONEY, width=1.6),
        Column("Рассчитан", Kind.INSTANT, width=1.7),
        Column("Отменён", Kind.INSTANT, width=1.7),
    )


def _version(version: Version, pool: Pool, operator: Operator) -> Sequence[Cell]:
    """One settlement; by the share it tells a player reckons the win (T-Rules 11.2, 36.1)."""
    division, reversed_at = version.division, version.reversed_at
    return (
        version.version,
        f"№ {version.protocol}",
        STANDINGS[Standing(version.standing)],
        ", ".join(outcome or NOT_HELD for outcome in division.true_outcomes),
        *(share for _, share in _share(division, pool)),
        amount(division.wins, pool.currency),
        operator.local(version.settled_at),
        None if reversed_at is None else operator.local(reversed_at),
    )


def _terms(terms: Terms, operator: Operator) -> Iterator[tuple[str, Cell]]:
    """Every end is exclusive (D-1); a stake that is returned is paid without an end (D-21)."""
    if terms.payable_until is None:
        yield "Ставки возвращаются с", operator.local(terms.payable_from)
        yield "Ставки возвращаются до", WITHOUT_END
    else:
        yield "Выигрыши выплачиваются с", operator.local(terms.payable_from)
        yield "Выигрыши выплачиваются до", operator.local(terms.payable_until)
    if terms.claims_until is not None:
        yield "Претензии принимаются до", operator.local(terms.claims_until)
    until = terms.disputes_until
    yield "Споры рассматриваются до", WITHOUT_END if until is None else operator.local(until)


def _shares_called(pool: Pool) -> Sequence[str]:
    """What a division brings, by name; where there are levels each has its own, and the pool none."""
    if pool.positions is not None:
        return ()
    return ("Коэффициент" if pool.price is None else "Выигрыш на ставку",)


def _share(division: PoolDivision, pool: Pool) -> Iterator[tuple[str, str | None]]:
    """What a rouble brings, or a bet where all have one price: before caps and promises, as the fund gives it."""
    share = coefficient_of(division, pool) if pool.price is None else win_per_bet_of(division, pool)
    shown = None if share is None else display_fraction(share).replace(".", ",")
    yield from ((name, shown) for name in _shares_called(pool))
