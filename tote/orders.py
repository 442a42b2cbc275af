"""What a bettor asks for, held against the terms of the pool: an outcome, or marks in its positions (T-Rules 24-28)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ledger.money import currency, format_amount
from ledger.refusals import Refusal
from tote.announcing import LARGEST_STAKE
from tote.models import ALL_POSITIONS
from tote.pools import PoolTerms
from tote.positions import Position
from tote.rules.covers import MOST_ROWS, rows_of
from tote.uploads import Part, packed, ticket_too_large


@dataclass(frozen=True)
class Order:
    """What a bettor asks for: the pool's code and what is paid for the ticket in minor units.

    It names the code of an outcome; or in a pool of positions the codes it marks in each, in their order, or rows one
    by one as lines of a text.
    """

    pool: str
    outcome: str | None
    stake: int
    marks: Sequence[Sequence[str]] | None = None
    uploaded: str | None = None


@dataclass(frozen=True)
class Bets:
    """What a ticket is made on: one bet on an outcome, or ``rows`` of them by its marks or the parts of an upload."""

    outcome: str
    rows: int = 1
    marks: list[list[str]] | None = None
    parts: Sequence[Part] = ()


def checked(terms: PoolTerms, order: Order) -> Bets:
    """What the order is on, if the pool offers it at this stake (T-Rules 5, 24, 28).

    Limits and price are those of a bet; a ticket is paid as many times as it has rows.

    Raises:
        Refusal: ``unknown_outcome``, ``marks_wrong``, ``rows_unreadable``, ``ticket_too_large``,
            ``stake_is_not_the_price``, ``stake_is_not_divisible``, ``stake_under_minimum``, ``stake_over_maximum``.
    """
    bets = _on_positions(terms, order) if terms.positions else _on_outcome(terms, order)
    _check_stake(terms, order.stake, bets.rows)
    return bets


def _on_outcome(terms: PoolTerms, order: Order) -> Bets:
    if order.marks is not None or order.uploaded is not None:
        raise Refusal("marks_wrong", "В этом пуле нет позиций: назовите исход.", field="outcome")
    if order.outcome not in terms.outcomes:
        raise Refusal("unknown_outcome", "У пула нет исхода с таким шифром.", outcomes=sorted(terms.outcomes))
    assert order.outcome is not None, "no outcome is none of a pool's"
    return Bets(order.outcome)


def _on_positions(terms: PoolTerms, order: Order) -> Bets:
    if order.uploaded is not None:
        parts = packed(order.uploaded, terms.positions)
        return Bets(ALL_POSITIONS, sum(part.rows for part in parts), parts=parts)
    if order.marks is None:
        raise Refusal("marks_wrong", "В этом пуле ставят на позиции: отметьте исходы в каждой.", field="marks")
    if len(order.marks) != len(terms.positions):
        said = f"В пуле {len(terms.positions)} позиций, а отмечено {len(order.marks)}."
        raise Refusal("marks_wrong", said, field="marks")
    marks = [_marked(position, codes) for position, codes in zip(terms.positions, order.marks, strict=True)]
    rows = rows_of(marks)
    if rows > MOST_ROWS:
        raise ticket_too_large(rows)
    return Bets(ALL_POSITIONS, rows, marks=marks)


def _marked(position: Position, codes: Sequence[str]) -> list[str]:
    """The marks of a position in the order of its outcomes: alike tickets are kept alike."""
    told = set(codes)
    if not told or len(told) < len(codes) or not told.issubset(position.codes):
        known = ", ".join(position.codes)
        said = f"В позиции {position.code} отмечают один или несколько исходов, каждый один раз: {known}."
        raise Refusal("marks_wrong", said, field="marks", outcomes=list(position.codes))
    return [code for code in position.codes if code in told]


def _check_stake(terms: PoolTerms, stake: int, rows: int) -> None:
    pool, money = terms.pool, currency(terms.pool.currency)
    if pool.price is not None and stake != pool.price * rows:
        price = format_amount(pool.price * rows, money)
        each = f"Каждая ставка в этом пуле стоит {format_amount(pool.price, money)}"
        said = f"{each}." if rows == 1 else f"{each}, билет из {rows} ставок — {price}."
        raise Refusal("stake_is_not_the_price", said, price=price, rows=rows)
    if stake % rows:
        said = f"В билете {rows} ставок: сумма должна делиться на них поровну."
        raise Refusal("stake_is_not_divisible", said, rows=rows)
    if stake // rows < pool.minimum_stake:
        least = format_amount(pool.minimum_stake, money)
        raise Refusal("stake_under_minimum", f"Ставка меньше минимальной: {least}.", minimum=least)
    if stake // rows > pool.maximum_stake:
        most = format_amount(pool.maximum_stake, money)
        raise Refusal("stake_over_maximum", f"Ставка больше максимальной: {most}.", maximum=most)
    if stake > LARGEST_STAKE:
        most = format_amount(LARGEST_STAKE, money)
        raise Refusal("stake_over_maximum", f"Билет слишком дорог: не более {most}.", maximum=most)
