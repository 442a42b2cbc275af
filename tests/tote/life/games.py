"""The pools of a life: all four games on many terms, the tickets that are bought in them, and what may come true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from hypothesis import strategies as st

OUTCOMES = ("1", "X", "2")
Terms = Mapping[str, Any]
"""What is announced of a pool beside its code and window, as the API takes it; a calculator reads its part of it."""
Row = tuple[str, ...]
"""One bet: the outcome it names, or a mark in each position."""
Truth = tuple[str | None, ...]
"""The true outcomes, or what came true in each position (None: it was not held); empty, the event was not held."""


@dataclass(frozen=True)
class Wager:
    """What a ticket is on, as the API is told it, and the bets it is, one by one."""

    form: str
    told: Mapping[str, Any]
    rows: tuple[Row, ...]


def level(lowest: str, highest: str, share: str) -> dict[str, str]:
    """A level as it is announced: percents of match, and its percent of the fund."""
    return {"from": lowest, "to": highest, "share": share}


VARIANTS = (
    {"game": "totolot_variant"},
    {"game": "totolot_variant", "minimum_coefficient": "1.0"},
    {"game": "totolot_variant", "minimum_coefficient": "1.3"},
    {"game": "sportloto_variant", "price": "3.33", "fund_percent": "82.5", "minimum_win": "9.00"},
    {"game": "sportloto_variant", "price": "10.00", "fund_percent": "70", "maximum_win": "12.34"},
)
POSITIONS = (
    {"game": "totolot_position", "minimum_stake": "0.01"},
    {"game": "totolot_position", "minimum_stake": "0.01", "empty_level": "other_levels"},
    {"game": "totolot_position", "minimum_stake": "0.01", "empty_level": "jackpot", "minimum_coefficient": "1.3"},
    {"game": "sportloto_position", "price": "0.37", "fund_percent": "82.5", "minimum_win": "0.90"},
    {"game": "sportloto_position", "price": "1.00", "fund_percent": "70", "maximum_win": "2.34"},
)
LEVELS = (
    [level("100", "100", "100")],
    [level("100", "100", "60"), level("50", "75", "40")],
    [level("100", "100", "100/3"), level("200/3", "75", "100/3"), level("0", "0", "100/3")],
    # Whatever comes true, every row is on some level: a minus pool (D-5).
    [level("50", "100", "70"), level("0", "49.9999", "30")],
)
SHAPES = (("1X2", "1X2"), ("12", "1X2", "12"), ("1X2", "1X2", "1X2"), ("12", "12", "12", "12"))
"""The codes of the outcomes, position by position."""


def announced(terms: Terms, levels: Sequence[Any], shape: Sequence[str], not_held: str | None) -> Terms:
    positions = [
        {"code": f"M{number}", "name": f"Матч {number}", "outcomes": [{"code": code, "name": code} for code in codes]}
        for number, codes in enumerate(shape, 1)
    ]
    said = {} if not_held is None else {"not_held": not_held}
    return {**terms, "levels": levels, "positions": positions, **said}


GAMES = tuple(dict.fromkeys(terms["game"] for terms in (*VARIANTS, *POSITIONS)))


def terms_of(game: str) -> st.SearchStrategy[Terms]:
    """Terms of a pool of this game."""
    known = [terms for terms in (*VARIANTS, *POSITIONS) if terms["game"] == game]
    if known[0] in VARIANTS:
        return st.sampled_from(known)
    shapes, gaps = st.sampled_from(SHAPES), st.sampled_from((None, "drop", "drop"))
    return st.builds(announced, st.sampled_from(known), st.sampled_from(LEVELS), shapes, gaps)


STAKES = st.sampled_from((100, 101, 333, 1_000, 1_999, 5_000))
STAKES_OF_ROWS = st.sampled_from((7, 100, 101, 333))
BETTORS = st.sampled_from((None, None, "ivan", "anna"))


def codes_of(terms: Terms) -> list[Row]:
    """The codes of each position of a pool; none where bets name one outcome."""
    return [tuple(outcome["code"] for outcome in position["outcomes"]) for position in terms.get("positions", ())]


def by_outcome(code: str) -> Wager:
    return Wager("single", {"outcome": code}, ((code,),))


def by_marks(marks: Sequence[Sequence[str]]) -> Wager:
    rows = tuple(product(*marks))
    return Wager("single" if len(rows) == 1 else "cover", {"marks": [list(codes) for codes in marks]}, rows)


def by_rows(rows: Sequence[Row], apart: str) -> Wager:
    return Wager("upload", {"uploaded": "\n".join(apart.join(row) for row in rows)}, tuple(rows))


def asked_of(terms: Terms) -> st.SearchStrategy[list[tuple[Wager, int, str | None]]]:
    """Some tickets of a pool: what each is on, the stake of one of its rows (minor units), who buys it."""
    positions = codes_of(terms)
    if not positions:
        wagers, stakes = st.sampled_from(OUTCOMES).map(by_outcome), STAKES
    else:
        row = st.tuples(*map(st.sampled_from, positions))
        some = st.tuples(*(st.lists(st.sampled_from(codes), min_size=1, unique=True) for codes in positions))
        uploads = st.builds(by_rows, st.lists(row, min_size=1, max_size=5), st.sampled_from((",", "")))
        singles = row.map(lambda marks: by_marks([(code,) for code in marks]))
        wagers, stakes = st.one_of(singles, some.map(by_marks), uploads), STAKES_OF_ROWS
    return st.lists(st.tuples(wagers, stakes, BETTORS), min_size=1, max_size=6)


def truths_of(terms: Terms) -> st.SearchStrategy[Truth]:
    """What may come true: at times several outcomes, or a position that was not held (D-22), or nothing at all."""
    positions = codes_of(terms)
    if not positions:
        return st.sets(st.sampled_from(OUTCOMES), max_size=3).map(lambda true: tuple(sorted(true)))
    held = st.tuples(*map(st.sampled_from, positions))
    gaps = st.tuples(*(st.sampled_from((*codes, None)) for codes in positions))
    return st.one_of(st.just(()), held, held, held, gaps)


EVERY_GAME = (
    *("sold: single", "sold: in a batch", "cancelled: selling", "cancelled: closed", "cancelled: settled"),
    *("settled", "settled again", "event not held", "minus pool", "fund to the jackpot", "nobody left"),
    *("raised by the organizer", "held by a decision", "held by a claim", "claim rejected", "claim upheld"),
    *("paid in cash", "credited", "lapsed", "taken back", "claimed", "borne: paid too much"),
)
BY_POSITIONS = (
    *("sold: cover", "sold: upload", "a level nobody reached", "several levels reached"),
    *("returned for a position", "played without a position"),
)
"""What becomes of pools, as the books note it; one pool takes many paths."""
