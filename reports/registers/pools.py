"""The sheets of pools as rows: what was staked, parted, divided; where the money of each closed pool went."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Numeric, Select, Subquery, Text, case, cast, func, select

from db.pages import matching
from documents.columns import Column
from documents.table import Kind
from events.models import Event, Protocol
from ledger.money import currency
from ledger.settlements import SettlementCompletion, SettlementRun
from reports.registers.cut import Cut, known
from reports.registers.report import Ask, Report, Wanted
from tote.models import CancellationStage, Pool, PoolBet, PoolCancellation, PoolClosing, PoolDivision
from tote.pools import TRADE

ENDS = {
    "undivided": "не рассчитан",
    "divided": "раздел фонда",
    "no_winners": "никто не выиграл",
    "minus": "выиграли все (минус-пул)",
    "returned": "ставки возвращены",
}
COLUMNS = (
    Column("pool", "Пул"),
    Column("name", "Пари"),
    Column("event", "Событие"),
    Column("closed_at", "Приём окончен", Kind.INSTANT),
    Column("bets", "Билетов", Kind.NUMBER),
    Column("rows", "Ставок", Kind.NUMBER),
    Column("stakes", "Сумма ставок", Kind.MONEY),
    Column("withdrawal", "Изъятие", Kind.MONEY),
    Column("withdrawal_returned", "Изъятие возвращено", Kind.MONEY),
    Column("fund", "Выигрышный фонд", Kind.MONEY),
    Column("division", "Итог", words=ENDS),
    Column("coefficient_display", "Коэффициент"),
    Column("win_per_bet_display", "Выигрыш на ставку"),
    Column("winning_bets", "Выигравших ставок", Kind.NUMBER),
    Column("winning_stake", "Сумма выигравших ставок", Kind.MONEY),
    Column("wins", "К выплате", Kind.MONEY),
    Column("to_jackpot", "В джек-пот", Kind.MONEY),
    Column("from_organizer", "За счёт организатора", Kind.MONEY),
    Column("protocol", "Протокол", Kind.NUMBER),
    Column("run_version", "Расчёт, версия", Kind.NUMBER),
    Column("settled_at", "Рассчитан", Kind.INSTANT),
)
PLACES = 4
"""Places of a share as it is shown; what is beyond is cut off, as on the sheet."""
UNIT = 10 ** currency("BYN").exponent
"""Minor units in the money of pools, Belarusian alone (T-Rules 9.1, 40)."""


def query(cut: Cut, wanted: Wanted) -> Select[*tuple[Any, ...]]:
    """Every pool whose sales ended in the period, without the bets that were cancelled before its settlement (D-18)."""
    pool, event, protocol = (known(fact) for fact in (Pool, Event, Protocol))
    closing = cut.of(PoolClosing)
    gone, run = _cancelled(cut), latest_runs(cut)
    division = run.c
    coefficient = numerator, denominator = division.coefficient_numerator, division.coefficient_denominator
    bets = closing.bets - func.coalesce(gone.c.bets, 0)
    stakes = closing.stakes - func.coalesce(gone.c.from_withdrawal + gone.c.from_fund, 0)
    withdrawal = closing.withdrawal - func.coalesce(gone.c.from_withdrawal, 0)
    back = case((division.minus_pool | division.returned, withdrawal), else_=0)
    rows = (
        select(
            pool.id.label("fact"),
            pool.code.label("pool"),
            pool.name,
            event.name.label("event"),
            closing.closed_at,
            bets.label("bets"),
            _rows(cut, pool, bets, stakes).label("rows"),
            stakes.label("stakes"),
            withdrawal.label("withdrawal"),
            back.label("withdrawal_returned"),
            (closing.fund - func.coalesce(gone.c.from_fund, 0)).label("fund"),
            end_of(division).label("division"),
            shown_share(pool.price.is_(None), *coefficient).label("coefficient_display"),
            shown_share(pool.price.is_not(None), numerator * pool.price, denominator * UNIT).label(
                "win_per_bet_display"
            ),
            division.winning_bets,
            division.winning_stake,
            division.wins,
            division.to_jackpot,
            division.from_organizer,
            protocol.number.label("protocol"),
            division.version.label("run_version"),
            division.completed_at.label("settled_at"),
            cut.provisional(
                (PoolClosing, closing.id),
                (SettlementCompletion, division.completion_id),
                (PoolCancellation, gone.c.last),
            ).label("provisional"),
        )
        .select_from(closing)
        .join(pool, pool.id == closing.pool_id)
        .join(event, event.id == pool.event_id)
        .outerjoin(gone, gone.c.pool_id == pool.id)
        .outerjoin(run, division.pool_id == pool.id)
        .outerjoin(protocol, protocol.id == division.protocol_id)
    )
    return matching(rows, {pool.code: wanted.pool}).where(*wanted.within(closing.closed_at))


def latest_runs(cut: Cut) -> Subquery:
    """The latest complete run of each pool, with its division."""
    run, later, division = known(SettlementRun), known(SettlementRun), known(PoolDivision)
    complete, ready = cut.of(SettlementCompletion), cut.of(SettlementCompletion)
    same = later.trade == run.trade, later.subject_id == run.subject_id, later.version > run.version
    replaced = select(later.id).join(ready, ready.run_id == later.id).where(*same).correlate(run).exists()
    told = (column for column in PoolDivision.__table__.columns if column.key not in ("id", "recorded_at"))
    return (
        select(
            *(getattr(division, column.key) for column in told),
            run.version,
            run.protocol_id,
            complete.id.label("completion_id"),
            complete.completed_at,
        )
        .join(run, run.id == division.run_id)
        .join(complete, complete.run_id == run.id)
        .where(run.trade == TRADE, ~replaced)
        .subquery()
    )


def _rows(cut: Cut, pool: Any, tickets: ColumnElement[int], stakes: ColumnElement[int]) -> ColumnElement[int]:
    """The bets of a closed pool: a ticket is one, but in a pool of positions, where it may be of many.

    Where all have one price the stakes tell it; otherwise tickets are gone through, without those that were cancelled
    before the settlement (D-18). Sales were over when the pool was closed, so that tickets are read as they are.
    """
    bet = known(PoolBet)
    before = _cancelled_at(CancellationStage.SELLING, known(PoolCancellation), bet)
    after = _cancelled_at(CancellationStage.CLOSED, cut.of(PoolCancellation), bet)
    counted = select(func.sum(bet.rows)).where(bet.pool_id == pool.id, ~before, ~after).correlate(pool)
    return case(
        (pool.positions.is_(None), tickets),
        (pool.price.is_not(None), func.div(stakes, pool.price)),
        else_=func.coalesce(counted.scalar_subquery(), 0),
    )


def _cancelled_at(stage: CancellationStage, cancelled: Any, bet: Any) -> ColumnElement[bool]:
    return select(cancelled.id).where(cancelled.ticket_id == bet.ticket_id, cancelled.stage == stage).exists()


def _cancelled(cut: Cut) -> Subquery:
    """Of each pool the bets that left it between its closing and its settlement (D-18)."""
    gone = cut.of(PoolCancellation)
    return (
        select(
            gone.pool_id,
            func.count().label("bets"),
            func.sum(gone.from_withdrawal).label("from_withdrawal"),
            func.sum(gone.from_fund).label("from_fund"),
            func.max(gone.id).label("last"),
        )
        .where(gone.stage == CancellationStage.CLOSED)
        .group_by(gone.pool_id)
        .subquery()
    )


def end_of(division: Any) -> ColumnElement[str]:
    """How a pool ended, one of :data:`ENDS`."""
    return case(
        (division.completion_id.is_(None), "undivided"),
        (division.returned, "returned"),
        (division.minus_pool, "minus"),
        (division.winning_bets == 0, "no_winners"),
        else_="divided",
    )


def shown_share(asked: Any, numerator: ColumnElement[Any], denominator: ColumnElement[Any]) -> ColumnElement[str]:
    """A share to so many places, the rest cut off: whole numbers are divided, for a quotient could be rounded."""
    units = func.div(numerator * 10**PLACES, denominator)
    return case((asked, cast(cast(units / 10**PLACES, Numeric(40, PLACES)), Text)))


REPORT = Report(
    code="pool-sheets",
    title="Ведомость пулов",
    about="Every pool whose sales ended: its stakes, withdrawal and fund, and how they were divided.",
    columns=COLUMNS,
    query=query,
    asks=(Ask.PERIOD, Ask.POOL),
    sums=(
        "bets",
        "rows",
        "stakes",
        "withdrawal",
        "withdrawal_returned",
        "fund",
        "winning_bets",
        "winning_stake",
        "wins",
        "to_jackpot",
        "from_organizer",
    ),
    parts="division",
)
