"""A second reckoning of all four games: one bet at a time, whole numbers only, none of the rules' own code.

It reads a calculator's case as it is written and answers with amounts in kopecks. Ranges of match percent are held
against a bet by multiplying out, a share of a fund is found by halving, and nothing of equal bets is summed up first.
Where bets are too many to be listed, whoever counted them by their levels has them divided by `divided_by_rows`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Ratio = tuple[int, int]
Level = tuple[Ratio, Ratio, Ratio]
Rows = tuple[int, int, int | None]
"""How many bets are alike, the stake of each, the level each reached."""
FULL_MATCH: list[Level] = [((100, 1), (100, 1), (100, 1))]


def kopecks(text: str) -> int:
    whole, _, places = text.partition(".")
    return int(whole + places.ljust(2, "0"))


def ratio(text: str) -> Ratio:
    """A decimal or a fraction as numerator and denominator, not reduced."""
    if "/" in text:
        over, under = text.split("/")
        return int(over), int(under)
    whole, _, places = text.partition(".")
    return int(whole + places), 10 ** len(places)


def reckoned(case: Mapping[str, Any]) -> dict[str, Any]:
    """Pool, fund, wins of each entry, what goes to the jackpot and what the organizer pays, in kopecks."""
    rows, places = [], []
    for place, (bet, level) in enumerate(zip(case["bets"], levels_reached(case), strict=True)):
        row = 1, kopecks(bet.get("stake") or case["price"]), level
        rows += [row] * bet.get("count", 1)
        places += [place] * bet.get("count", 1)
    divided = divided_by_rows(case, rows)
    wins = dict(zip(places, divided["wins"], strict=True))
    return {**divided, "wins": [wins[place] for place in range(len(case["bets"]))]}


def divided_by_rows(case: Mapping[str, Any], rows: Sequence[Rows]) -> dict[str, Any]:
    """The same from bets whose level is known already: a win for one bet of each line."""
    pool, jackpot = sum(many * stake for many, stake, _ in rows), kopecks(case.get("jackpot_in", "0"))
    if all_won(rows):
        tenths = [-(-stake // 10) for _, stake, _ in rows]
        return {
            "pool": pool,
            "fund": 0,
            "wins": [stake + tenth for (_, stake, _), tenth in zip(rows, tenths, strict=True)],
            "to_jackpot": jackpot,
            "from_organizer": sum(many * tenth for (many, _, _), tenth in zip(rows, tenths, strict=True)),
        }
    over, under = ratio(case.get("fund_percent", "60"))
    fund = -(-pool * over // (100 * under))
    return {"pool": pool, "fund": fund, **_paid(case, rows, fund + jackpot)}


def all_won(rows: Sequence[Rows]) -> bool:
    """Whether every bet there is reached some level: a minus pool (T-Prov 5, D-5)."""
    return bool(rows) and all(level is not None for _, _, level in rows)


def levels_of(case: Mapping[str, Any]) -> list[Level]:
    """The levels of a case, none where its bets name one outcome."""
    return [(ratio(level["from"]), ratio(level["to"]), ratio(level["share"])) for level in case.get("levels", [])]


def levels_reached(case: Mapping[str, Any]) -> list[int | None]:
    """The level of each entry by its place, None where it lost; a pool without levels has one."""
    levels = levels_of(case)
    return [_reached(bet, case["result"], levels) for bet in case["bets"]]


def level_of(matches: int, held: int, levels: Sequence[Level]) -> int | None:
    """The level of so many matches in so many positions that were held."""
    for number, ((low, low_under), (high, high_under), _) in enumerate(levels):
        if low * held <= 100 * matches * low_under and 100 * matches * high_under <= high * held:
            return number
    return None


def _paid(case: Mapping[str, Any], rows: Sequence[Rows], shared: int) -> dict[str, Any]:
    by_number = "price" in case
    parts = parts_of_levels(case, rows)
    cap, least = kopecks(case["maximum_win"]) if "maximum_win" in case else None, kopecks(case.get("minimum_win", "0"))
    over, under = ratio(case.get("minimum_coefficient", "0"))
    wins, left, extra = [], shared, 0
    weights = [
        sum(many * (1 if by_number else stake) for many, stake, on in rows if on == level)
        for level in range(len(parts))
    ]
    for many, stake, level in rows:
        if level is None:
            wins.append(0)
            continue
        earned = _share(1 if by_number else stake, weights[level], shared, parts[level])
        earned = earned if cap is None else min(earned, cap)
        wins.append(max(earned, least, stake * over // under))
        left -= many * earned
        extra += many * (wins[-1] - earned)
    return {"wins": wins, "to_jackpot": left, "from_organizer": extra}


def _share(weight: int, weights: int, shared: int, part: Ratio) -> int:
    """The largest number of kopecks that is no more than this weight's share of its part of the money, by halving."""
    low, high = 0, shared + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle * weights * part[1] <= weight * shared * part[0] else (low, middle)
    return low


def parts_of_levels(case: Mapping[str, Any], rows: Sequence[Rows]) -> list[Ratio]:
    """What of the money each level shares out, of 1: its own percent, or with the orphans' added (D-7)."""
    levels = levels_of(case) or FULL_MATCH
    common = 1
    for _, _, (_, under) in levels:
        common *= under
    own = [over * common // under for _, _, (over, under) in levels]
    held = {level for _, _, level in rows if level is not None}
    reached = sum(own[level] for level in held)
    if case.get("empty_level") == "other_levels" and reached:
        return [(share, reached) if level in held else (0, 1) for level, share in enumerate(own)]
    return [(share, 100 * common) for share in own]


def _reached(bet: Mapping[str, Any], result: Any, levels: list[Level]) -> int | None:
    if not levels:
        return 0 if bet["outcome"] in (result if isinstance(result, list) else [result]) else None
    held = [place for place, true in enumerate(result) if true is not None]
    matched = [place for place in held if bet["marks"][place] == result[place]]
    return level_of(len(matched), len(held), levels)
