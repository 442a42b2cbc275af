"""How many rows of a ticket match in so many positions, by two ways that are neither of the house's.

A small cover, and whatever was uploaded, is listed row by row. A large one is counted in closed form: its positions are
of five kinds, those that miss whatever is taken, and those of one, two or three marks of which one is true. Of the last
two kinds some hit: which, is chosen in as many ways as binomials say, and each that does not hit misses in one way, or
in two. The house multiplies polynomials, position by position, and adds up packed columns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import comb, prod

Marks = Sequence[Sequence[str]]
True_ = Sequence[str | None]
LISTED = 300
"""Rows up to which a cover is listed."""


def matches_of_cover(marks: Marks, true: True_) -> Counter[int]:
    """Rows by the number of their matches; a position that was not held matches nothing."""
    listed = prod(map(len, marks)) <= LISTED
    return matches_listed(product(*marks), true) if listed else matches_chosen(marks, true)


def matches_of_upload(lines: Sequence[str], true: True_) -> Counter[int]:
    """The same for rows told one by one, a character a mark."""
    return matches_listed(lines, true)


def matches_listed(rows: Sequence[Sequence[str]] | product[tuple[str, ...]], true: True_) -> Counter[int]:
    """Row by row."""
    return Counter(sum(mark == came for mark, came in zip(row, true, strict=True)) for row in rows)


def matches_chosen(marks: Marks, true: True_) -> Counter[int]:
    """By choosing which of the positions that may hit do."""
    may_hit = Counter(len(marked) for marked, came in zip(marks, true, strict=True) if came in marked)
    missing = prod(len(marked) for marked, came in zip(marks, true, strict=True) if came not in marked)
    assert set(may_hit) <= {1, 2, 3}, "positions of three outcomes"
    sure, double, triple = may_hit[1], may_hit[2], may_hit[3]
    found: Counter[int] = Counter()
    for of_two, of_three in product(range(double + 1), range(triple + 1)):
        ways = comb(double, of_two) * comb(triple, of_three) * 2 ** (triple - of_three)
        found[sure + of_two + of_three] += ways * missing
    return found
