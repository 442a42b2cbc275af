"""The terms of a pool as papers tell them: what a bet costs, what is for prizes, what is promised (T-Rules 24)."""

from __future__ import annotations

from collections.abc import Iterator

from documents.csv import Cell
from documents.table import figure_text
from reports.papers.positions import level_terms
from reports.papers.words import amount_text
from tote.models import Pool


def stake_and_win(pool: Pool) -> Iterator[tuple[str, Cell]]:
    """What decides the money of a pool, by name; a promise that was not made is left empty where its game has it.

    A pool of positions has its levels besides, and what becomes of one nobody reached.
    """
    yield stake(pool)
    yield "Выигрышный фонд", f"{figure_text(pool.fund_percent)} %"
    if pool.price is None:
        yield "Наименьший коэффициент", pool.minimum_coefficient
    else:
        yield "Наименьший выигрыш на ставку", _or_none(pool.minimum_win, pool)
        yield "Наибольший выигрыш на ставку", _or_none(pool.maximum_win, pool)
    yield from level_terms(pool)


def stake(pool: Pool) -> tuple[str, str]:
    """The limits of a stake, or the price of every bet (T-Rules 5, 24)."""
    if pool.price is not None:
        return "Цена ставки", amount_text(pool.price, pool.currency)
    least, most = (amount_text(limit, pool.currency) for limit in (pool.minimum_stake, pool.maximum_stake))
    return "Ставка", f"от {least} до {most}"


def _or_none(limit: int | None, pool: Pool) -> str | None:
    return None if limit is None else amount_text(limit, pool.currency)
