"""The commission's protocol of a result, with the lines its members sign (T-Rules 10, 30).

What it says is `events.protocol_sheet.ProtocolSheet`, with what came true of each of the event's pools.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from documents.csv import Cell
from documents.form import Form, Grid, Pairs, Part, Section, Signatures, Words
from documents.table import Column, Kind, instant_text
from events.models import Annulment, CorrectionReason, Standing
from events.protocol_sheet import ProtocolSheet
from office.operator import Operator
from reports.came_true import PoolCome, PositionCome
from reports.papers.positions import POSITION_NOT_HELD
from reports.papers.words import STANDINGS, heading, named

CORRECTION_REASONS = {
    CorrectionReason.CLERICAL_ERROR: "описка",
    CorrectionReason.SOURCE_MISREAD: "неверно прочитан источник",
    CorrectionReason.WRONG_EVENT: "перепутано событие",
}
RETURNED = "Событие считается несостоявшимся: принятые на него ставки возвращаются."
ANNULLED = "Аннулирование не меняет результата, по которому выплачиваются выигрыши."
POOLS = (Column("Пул", width=2), Column("Наступившие исходы", width=3))
PERIODS = (
    Column("Период", width=3),
    Column("Первая сторона", Kind.NUMBER, width=2),
    Column("Вторая сторона", Kind.NUMBER, width=2),
)
POSITIONS = (Column("Шифр позиции", width=2), Column("Наступило", width=3))
NOT_TOLD = "не определено протоколом"
"""What is said of a position of a pool of which the result says nothing."""


def protocol_form(sheet: ProtocolSheet, pools: Sequence[PoolCome], operator: Operator, made_at: datetime) -> Form:
    """The protocol as it is signed."""
    drawn_up = operator.local(sheet.drawn_up_at)
    parts: list[Part] = [
        Section("Событие"),
        Pairs(tuple(_of_event(sheet, operator))),
        Section("Результат"),
        Pairs(tuple(_of_result(sheet))),
        *_scores(sheet),
        *_positions(sheet),
        Section("Пулы события"),
        *([] if sheet.standing == Standing.HELD else [Words(RETURNED)]),
        Grid(POOLS, [row for pool in pools for row in _pool_rows(pool)]),
        *_corrections(sheet),
        *_annulled(sheet),
        Section("Комиссия"),
        Pairs(tuple(_drawn_up(sheet, operator))),
        Signatures([("Член комиссии", name) for name in sheet.signatories]),
    ]
    title = f"Протокол № {sheet.number} от {drawn_up:%d.%m.%Y}"
    return Form(heading(operator, title, made_at, f"результат события «{sheet.event}»"), parts)


def _of_event(sheet: ProtocolSheet, operator: Operator) -> Iterator[tuple[str, Cell]]:
    start = sheet.start
    yield "Наименование", named(sheet.event, sheet.event_code)
    yield "Вид спорта", sheet.sport_title
    yield "Стороны", f"{sheet.home} — {sheet.away}"
    yield "Место проведения", sheet.venue
    yield "Начало по объявлению", operator.local(start.announced)
    if start.scheduled != start.announced:
        yield "Начало перенесено на", operator.local(start.scheduled)
    if start.actual is not None:
        yield "Началось", operator.local(start.actual)
    if start.ended is not None:
        yield "Закончилось", operator.local(start.ended)


def _of_result(sheet: ProtocolSheet) -> Iterator[tuple[str, Cell]]:
    yield "Событие", STANDINGS[Standing(sheet.standing)]
    yield "Счёт", sheet.score
    if sheet.outcomes or not sheet.positions:
        yield "Шифры наступивших исходов", ", ".join(sheet.outcomes)
    yield "Источник", sheet.source


def _scores(sheet: ProtocolSheet) -> Iterator[Part]:
    """The score period by period, the event's first side first, where it was told so."""
    if sheet.scores:
        yield Grid(PERIODS, [(score.title, score.home, score.away) for score in sheet.scores])


def _positions(sheet: ProtocolSheet) -> Iterator[Part]:
    """What came true in each position of which the result tells, by their codes."""
    if sheet.positions:
        yield Grid(POSITIONS, [(code, outcome or POSITION_NOT_HELD) for code, outcome in sheet.positions.items()])


def _corrections(sheet: ProtocolSheet) -> Iterator[Part]:
    """What this protocol corrects and why, and by which one it was corrected."""
    pairs: list[tuple[str, Cell]] = []
    if sheet.corrects is not None and sheet.reason is not None:
        reason = CORRECTION_REASONS[CorrectionReason(sheet.reason)]
        pairs += [("Исправляет протокол", f"№ {sheet.corrects}"), ("Причина исправления", reason)]
        pairs += [("Пояснение", sheet.explanation)]
    if sheet.corrected_by is not None:
        pairs += [("Исправлен протоколом", f"№ {sheet.corrected_by}")]
    if pairs:
        yield Section("Исправления")
        yield Pairs(pairs)


def _annulled(sheet: ProtocolSheet) -> Iterator[Part]:
    """What a sports body said later; it changes nothing (T-Rules 32)."""
    if sheet.annulments:
        yield Section("Аннулирование результата")
        yield Words(ANNULLED)
        yield Pairs([(annulment.annulled_by, _document(annulment)) for annulment in sheet.annulments])


def _document(annulment: Annulment) -> str:
    said = f"{annulment.document} от {annulment.document_date:%d.%m.%Y}"
    return said if annulment.remarks is None else f"{said}: {annulment.remarks}"


def _drawn_up(sheet: ProtocolSheet, operator: Operator) -> Iterator[tuple[str, Cell]]:
    yield "Результат внёс", f"{sheet.entered.name}, {instant_text(operator.local(sheet.entered.at))}"
    yield "Результат подтвердил", f"{sheet.confirmed.name}, {instant_text(operator.local(sheet.confirmed.at))}"
    yield "Протокол составлен", operator.local(sheet.drawn_up_at)
    yield "Место составления", sheet.place
    yield "Замечания", sheet.remarks


def _pool_rows(pool: PoolCome) -> Iterator[tuple[Cell, ...]]:
    """A pool with what came true of it; each position of a pool that has them stands below it."""
    if not pool.positions:
        yield named(pool.name, pool.code), "; ".join(named(each.name, each.code) for each in pool.outcomes) or "—"
        return
    yield named(pool.name, pool.code), "по позициям:"
    for position in pool.positions:
        yield named(position.name, position.code), _come_in(position)


def _come_in(position: PositionCome) -> str:
    if position.outcome is not None:
        return named(position.outcome.name, position.outcome.code)
    return POSITION_NOT_HELD if position.told else NOT_TOLD
