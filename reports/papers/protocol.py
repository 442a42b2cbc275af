"""The commission's protocol of a result, with the lines its members sign (T-Rules 10, 30)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from documents.csv import Cell
from documents.form import Form, Grid, Pairs, Section, Signatures
from documents.table import Column
from events.models import CorrectionReason, Event, Protocol, Result, Standing
from ledger.refusals import Refusal
from office.operator import Operator
from office.users import User
from reports.papers.words import heading, named
from tote.models import Pool, PoolOutcome

STANDINGS = {Standing.HELD: "состоялось", Standing.NOT_HELD: "не состоялось", Standing.INTERRUPTED: "прервано"}
REASONS = {
    CorrectionReason.CLERICAL_ERROR: "описка",
    CorrectionReason.SOURCE_MISREAD: "неверно прочитан источник",
    CorrectionReason.WRONG_EVENT: "перепутано событие",
}
POOLS = (Column("Пул", width=2), Column("Наступившие исходы", width=3))


@dataclass(frozen=True)
class ProtocolSheet:
    """What a protocol says: the event, the result, who entered and who confirmed it, what of each pool came true.

    ``pools`` are the event's pools, each with its outcomes that happened.
    """

    protocol: Protocol
    event: Event
    result: Result
    entered_by: str
    confirmed_by: str
    pools: Sequence[tuple[Pool, Sequence[PoolOutcome]]]


def protocol_sheet(session: Session, number: int) -> ProtocolSheet:
    """The protocol with this number.

    Raises:
        Refusal: ``not_found``.
    """
    protocol = session.scalar(select(Protocol).where(Protocol.number == number))
    if protocol is None:
        raise Refusal("not_found", "Протокола с таким номером нет.")
    result = session.get_one(Result, protocol.result_id)
    return ProtocolSheet(
        protocol,
        session.get_one(Event, protocol.event_id),
        result,
        session.get_one(User, protocol.entered_by).name,
        session.get_one(User, protocol.confirmed_by).name,
        [(pool, _happened(session, pool, result)) for pool in _pools(session, protocol.event_id)],
    )


def protocol_form(sheet: ProtocolSheet, operator: Operator, made_at: datetime) -> Form:
    """The protocol as it is signed."""
    protocol = sheet.protocol
    drawn_up = protocol.drawn_up_at.astimezone(operator.zone_at(protocol.drawn_up_at))
    title = f"Протокол № {protocol.number} от {drawn_up:%d.%m.%Y}"
    return Form(
        heading(operator, title, made_at, f"результат события «{sheet.event.name}»"),
        (
            Section("Событие"),
            Pairs(tuple(_of_event(sheet, operator))),
            Section("Результат"),
            Pairs(tuple(_of_result(sheet))),
            Section("Пулы события"),
            Grid(POOLS, [_pool_row(pool, outcomes) for pool, outcomes in sheet.pools]),
            Section("Комиссия"),
            Pairs(
                (
                    ("Результат внёс", sheet.entered_by),
                    ("Результат подтвердил", sheet.confirmed_by),
                    ("Протокол составлен", f"{drawn_up:%d.%m.%Y %H:%M:%S}"),
                )
            ),
            Signatures([("Член комиссии", name) for name in protocol.signatories]),
        ),
    )


def _of_event(sheet: ProtocolSheet, operator: Operator) -> Iterable[tuple[str, Cell]]:
    event = sheet.event
    yield "Наименование", named(event.name, event.code)
    yield "Стороны", f"{event.home} — {event.away}"
    yield "Начало по объявлению", event.starts_at.astimezone(operator.zone_at(event.starts_at))


def _of_result(sheet: ProtocolSheet) -> Iterable[tuple[str, Cell]]:
    result = sheet.result
    yield "Событие", STANDINGS[Standing(result.standing)]
    yield "Счёт", result.score
    yield "Шифры наступивших исходов", ", ".join(result.outcomes)
    yield "Источник", result.source
    if sheet.protocol.corrects is not None and result.reason is not None:
        yield "Исправляет протокол", f"№ {sheet.protocol.corrects}"
        yield "Причина исправления", REASONS[CorrectionReason(result.reason)]


def _pools(session: Session, event_id: int) -> Sequence[Pool]:
    return session.scalars(select(Pool).where(Pool.event_id == event_id).order_by(Pool.id)).all()


def _happened(session: Session, pool: Pool, result: Result) -> Sequence[PoolOutcome]:
    mine = select(PoolOutcome).where(PoolOutcome.pool_id == pool.id, PoolOutcome.code.in_(result.outcomes))
    return session.scalars(mine.order_by(PoolOutcome.id)).all()


def _pool_row(pool: Pool, outcomes: Sequence[PoolOutcome]) -> tuple[Cell, ...]:
    return named(pool.name, pool.code), "; ".join(named(each.name, each.code) for each in outcomes) or "—"
