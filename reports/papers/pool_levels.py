"""What only the sheet of a pool of positions has: positions, the table of matches, levels (T-Rules 11, 36)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

from documents.csv import Cell
from documents.form import Grid, Pairs, Part, Section
from documents.table import Column, Kind
from ledger.money import currency, display_fraction
from reports.divisions import Version
from reports.papers.positions import came_true_in, match_text, range_text, share_text
from reports.papers.words import amount, amount_text, named
from reports.pool_sheet import PoolSheet
from tote.level_shares import LevelShare
from tote.models import Pool
from tote.positions import levels_of, positions_of, table_of_matches

POSITIONS = (Column("Позиция", width=3), Column("Исходы", width=4), Column("Наступило", width=3))
MATCHES = (
    Column("Совпадений", Kind.NUMBER, width=1),
    Column("Процент", width=1),
    Column("Уровень", Kind.NUMBER, width=1),
)
WITHOUT_LEVEL = "—"
"""What stands for the level of matches that win nothing."""


def positions_part(sheet: PoolSheet) -> Iterator[Part]:
    """The positions, what came true in each by the settlement in force, and the table of matches."""
    pool = sheet.pool
    true = () if sheet.division is None else sheet.division.true_outcomes
    yield Section("Позиции")
    yield Grid(
        POSITIONS,
        [
            (
                named(position.name, position.code),
                "; ".join(named(name, code) for code, name in position.outcomes),
                # Nothing came true where the stakes are returned, and nothing is known before the settlement.
                came_true_in(position, true[place]) if true else None,
            )
            for place, position in enumerate(positions_of(pool))
        ],
    )
    yield Section("Совпадения и уровни, если состоятся все позиции")
    table = table_of_matches(pool)
    yield Grid(MATCHES, [(one.matches, match_text(one.percent), one.level or WITHOUT_LEVEL) for one in table])


def staked_part(sheet: PoolSheet) -> Iterator[Part]:
    """The tickets and the bets on them, which a pool of positions has more of."""
    stakes = amount_text(sheet.stakes, sheet.pool.currency)
    yield Pairs((("Билетов", sheet.bets), ("Ставок", sheet.rows), ("Сумма ставок", stakes)))


def levels_part(pool: Pool, levels: Sequence[LevelShare]) -> Iterator[Part]:
    """What each level had of the fund by the settlement in force, and what that brought."""
    if levels:
        yield Section("Уровни")
        yield Grid(_columns(pool), [_row(pool, level) for level in levels])


def former_levels_part(pool: Pool, versions: Sequence[Version]) -> Iterator[Part]:
    """The same of every settlement, where there was more than one: what was undone stays readable (D-14)."""
    if pool.positions is not None and len(versions) > 1:
        rows = [(version.version, *_row(pool, level)) for version in versions for level in version.levels]
        yield Section("Уровни по расчётам")
        yield Grid((Column("Расчёт", Kind.NUMBER, width=0.9), *_columns(pool)), rows)


def _columns(pool: Pool) -> tuple[Column, ...]:
    return (
        Column("Уровень", Kind.NUMBER, width=1),
        Column("Совпадение", width=1.6),
        Column("Доля фонда", width=1.2),
        Column("Фонд", Kind.MONEY, width=1.8),
        Column("Выигравших ставок", Kind.NUMBER, width=1.3),
        Column("Их сумма", Kind.MONEY, width=1.6),
        Column("Коэффициент" if pool.price is None else "Выигрыш на ставку", Kind.NUMBER, width=1.8),
    )


def _row(pool: Pool, share: LevelShare) -> tuple[Cell, ...]:
    """A level; what it brings is before caps and promises, as its fund gives it, and none where nobody reached it."""
    terms = levels_of(pool.levels or ())[share.level - 1]
    brings = share.coefficient if pool.price is None else share.win_per_bet
    return (
        share.level,
        range_text(terms),
        share_text(terms),
        _figure(share.fund / 10 ** currency(pool.currency).exponent),
        share.winning_bets,
        None if share.winning_stake is None else amount(share.winning_stake, pool.currency),
        None if brings is None else _figure(brings),
    )


def _figure(exact: Fraction) -> Decimal:
    """A figure for the eye: four places, the rest cut off."""
    return Decimal(display_fraction(exact))
