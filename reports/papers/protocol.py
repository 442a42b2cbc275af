"""The commission's protocol of a result, with the lines its members sign (T-Rules 10, 30).

What it says is `events.protocol_sheet.ProtocolSheet`; what came true of each of the event's pools is added here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from documents.csv import Cell
from documents.form import Form, Grid, Pairs, Part, Section, Signatures, Words
from documents.table import Column, Kind, instant_text
from events.models import Annulment, CorrectionReason, Standing
from events.protocol_sheet import ProtocolSheet
from office.operator import Operator
from reports.papers.words import STANDINGS, heading, named
from tote.models import Pool, PoolOutcome

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
Come = Sequence[tuple[Pool, Sequence[PoolOutcome]]]
"""The pools of an event, each with its outcomes that happened."""


def come_true(session: Session, sheet: ProtocolSheet) -> Come:
    """What came true of each of the event's pools by a protocol."""
    pools = session.scalars(select(Pool).where(Pool.event_id == sheet.event_id).order_by(Pool.id)).all()
    return [(pool, _happened(session, pool, sheet)) for pool in pools]


def protocol_form(sheet: ProtocolSheet, pools: Come, operator: Operator, made_at: datetime) -> Form:
    """The protocol as it is signed."""
    drawn_up = operator.local(sheet.drawn_up_at)
    parts: list[Part] = [
        Section("Событие"),
        Pairs(tuple(_of_event(sheet, operator))),
        Section("Результат"),
        Pairs(tuple(_of_result(sheet))),
        *_scores(sheet),
        Section("Пулы события"),
        *([] if sheet.standing == Standing.HELD else [Words(RETURNED)]),
        Grid(POOLS, [_pool_row(pool, outcomes) for pool, outcomes in pools]),
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
    yield "Шифры наступивших исходов", ", ".join(sheet.outcomes)
    yield "Источник", sheet.source


def _scores(sheet: ProtocolSheet) -> Iterator[Part]:
    """The score period by period, the event's first side first, where it was told so."""
    if sheet.scores:
        yield Grid(PERIODS, [(score.title, score.home, score.away) for score in sheet.scores])


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


def _happened(session: Session, pool: Pool, sheet: ProtocolSheet) -> Sequence[PoolOutcome]:
    mine = select(PoolOutcome).where(PoolOutcome.pool_id == pool.id, PoolOutcome.code.in_(sheet.outcomes))
    return session.scalars(mine.order_by(PoolOutcome.id)).all()


def _pool_row(pool: Pool, outcomes: Sequence[PoolOutcome]) -> tuple[Cell, ...]:
    return named(pool.name, pool.code), "; ".join(named(each.name, each.code) for each in outcomes) or "—"
