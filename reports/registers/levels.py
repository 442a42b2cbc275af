"""The levels of pools of positions as rows: their parts of the fund, who reached them, what that brought."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Integer, Select, String, cast, func, select

from db.pages import matching
from documents.columns import Column
from documents.table import Kind
from events.models import Event, Protocol
from ledger.settlements import SettlementCompletion
from reports.registers.cut import Cut, known
from reports.registers.pools import ENDS, UNIT, end_of, latest_runs, shown_share
from reports.registers.report import Ask, Report, Wanted
from tote.models import Pool, PoolClosing, PoolLevelDivision
from tote.rules.levels import MOST_LEVELS

COLUMNS = (
    Column("pool", "Пул"),
    Column("name", "Пари"),
    Column("event", "Событие"),
    Column("closed_at", "Приём окончен", Kind.INSTANT),
    Column("division", "Итог", words=ENDS),
    Column("level", "Уровень", Kind.NUMBER),
    Column("lowest", "Совпадение от, %"),
    Column("highest", "Совпадение до, %"),
    Column("share", "Доля фонда, %"),
    Column("fund_display", "Фонд уровня"),
    Column("winning_bets", "Выигравших ставок", Kind.NUMBER),
    Column("winning_stake", "Сумма выигравших ставок", Kind.MONEY),
    Column("coefficient_display", "Коэффициент"),
    Column("win_per_bet_display", "Выигрыш на ставку"),
    Column("protocol", "Протокол", Kind.NUMBER),
    Column("run_version", "Расчёт, версия", Kind.NUMBER),
    Column("settled_at", "Рассчитан", Kind.INSTANT),
)


def query(cut: Cut, wanted: Wanted) -> Select[*tuple[Any, ...]]:
    """The levels of the latest complete settlement of every pool of positions whose sales ended in the period.

    Percents are exact, as they were announced: 200/3. Nothing is told of what a level brings where nobody reached it,
    and where the pool was a minus pool or was returned.
    """
    pool, event, protocol, level = (known(fact) for fact in (Pool, Event, Protocol, PoolLevelDivision))
    closing, run = cut.of(PoolClosing), latest_runs(cut)
    division, place = run.c, cast(level.level - 1, Integer)
    terms = pool.levels.op("->")(place)
    numerator, denominator = level.fund_numerator, level.fund_denominator
    brings = (level.winning_bets > 0) & ~division.minus_pool & ~division.returned
    by_stake, by_number = brings & pool.price.is_(None), brings & pool.price.is_not(None)
    # Where nobody reached a level nothing is asked for, but zero must not be divided by on the way to it.
    stake, bets = func.nullif(level.winning_stake, 0), func.nullif(level.winning_bets, 0)
    rows = (
        select(
            pool.id.label("fact"),
            place.label("side"),
            pool.code.label("pool"),
            pool.name,
            event.name.label("event"),
            closing.closed_at,
            end_of(division).label("division"),
            level.level,
            *(terms.op("->>")(kept).cast(String).label(key) for key, kept in KEPT.items()),
            shown_share(True, numerator, denominator * UNIT).label("fund_display"),
            level.winning_bets,
            level.winning_stake,
            shown_share(by_stake, numerator, denominator * stake).label("coefficient_display"),
            shown_share(by_number, numerator, denominator * bets * UNIT).label("win_per_bet_display"),
            protocol.number.label("protocol"),
            division.version.label("run_version"),
            division.completed_at.label("settled_at"),
            cut.provisional((PoolClosing, closing.id), (SettlementCompletion, division.completion_id)).label(
                "provisional"
            ),
        )
        .select_from(run)
        .join(level, level.run_id == division.run_id)
        .join(pool, pool.id == division.pool_id)
        .join(closing, closing.pool_id == pool.id)
        .join(event, event.id == pool.event_id)
        .join(protocol, protocol.id == division.protocol_id)
    )
    return matching(rows, {pool.code: wanted.pool}).where(*wanted.within(closing.closed_at))


KEPT = {"lowest": "from", "highest": "to", "share": "share"}
"""What of a level's terms each column shows, by its name in :func:`tote.positions.kept_levels`."""

REPORT = Report(
    code="pool-levels",
    title="Уровни пулов",
    about="The levels of settled pools of positions: their parts of the fund, who reached them, what that brought.",
    columns=COLUMNS,
    query=query,
    asks=(Ask.PERIOD, Ask.POOL),
    sums=("winning_bets", "winning_stake"),
    parts="division",
    sides=MOST_LEVELS,
)
