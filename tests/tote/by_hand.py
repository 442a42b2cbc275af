"""A second reckoning of all four games: one bet at a time, whole numbers only, none of the rules' own code.

It reads a calculator's case as it is written and answers with amounts in kopecks. Ranges of match percent are held
against a bet by multiplying out, a share of a fund is found by halving, and nothing of equal bets is summed up first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Ratio = tuple[int, int]
Level = tuple[Ratio, Ratio, Ratio]
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
    stakes = [kopecks(bet.get("stake") or case["price"]) for bet in case["bets"]]
    counts = [bet.get("count", 1) for bet in case["bets"]]
    levels = [(ratio(level["from"]), ratio(level["to"]), ratio(level["share"])) for level in case.get("levels", [])]
    reached = [_reached(bet, case["result"], levels) for bet in case["bets"]]
    bets = [
        (place, stake, level)
        for place, (stake, count, level) in enumerate(zip(stakes, counts, reached, strict=True))
        for _ in range(count)
    ]
    pool, jackpot = sum(stake for _, stake, _ in bets), kopecks(case.get("jackpot_in", "0"))
    if bets and all(level is not None for _, _, level in bets):
        tenths = {place: -(-stake // 10) for place, stake, _ in bets}
        return {
            "pool": pool,
            "fund": 0,
            "wins": [stake + tenths[place] for place, stake in enumerate(stakes)],
            "to_jackpot": jackpot,
            "from_organizer": sum(tenths[place] for place, _, _ in bets),
        }
    over, under = ratio(case.get("fund_percent", "60"))
    fund = -(-pool * over // (100 * under))
    parts = _parts(case, levels or FULL_MATCH, bets)
    return {"pool": pool, "fund": fund, **_paid(case, bets, len(stakes), fund + jackpot, parts)}


def _paid(
    case: Mapping[str, Any], bets: Sequence[tuple[int, int, int | None]], entries: int, shared: int, parts: list[Ratio]
) -> dict[str, Any]:
    by_number = "price" in case
    cap, least = kopecks(case["maximum_win"]) if "maximum_win" in case else None, kopecks(case.get("minimum_win", "0"))
    over, under = ratio(case.get("minimum_coefficient", "0"))
    wins, left, extra = [0] * entries, shared, 0
    weights = [sum(1 if by_number else stake for _, stake, on in bets if on == level) for level in range(len(parts))]
    for place, stake, level in bets:
        if level is None:
            continue
        earned = _share(1 if by_number else stake, weights[level], shared, parts[level])
        earned = earned if cap is None else min(earned, cap)
        wins[place] = max(earned, least, stake * over // under)
        left -= earned
        extra += wins[place] - earned
    return {"wins": wins, "to_jackpot": left, "from_organizer": extra}


def _share(weight: int, weights: int, shared: int, part: Ratio) -> int:
    """The largest number of kopecks that is no more than this weight's share of its part of the money, by halving."""
    low, high = 0, shared + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle * weights * part[1] <= weight * shared * part[0] else (low, middle)
    return low


def _parts(case: Mapping[str, Any], levels: list[Level], bets: Sequence[tuple[int, int, int | None]]) -> list[Ratio]:
    """What of the money each level shares out, of 1: its own percent, or with the orphans' added (D-7)."""
    common = 1
    for _, _, (_, under) in levels:
        common *= under
    own = [over * common // under for _, _, (over, under) in levels]
    held = {level for _, _, level in bets if level is not None}
    reached = sum(own[level] for level in held)
    if case.get("empty_level") == "other_levels" and reached:
        return [(share, reached) for share in own]
    return [(share, 100 * common) for share in own]


def _reached(bet: Mapping[str, Any], result: Any, levels: list[Level]) -> int | None:
    if not levels:
        return 0 if bet["outcome"] in (result if isinstance(result, list) else [result]) else None
    held = [place for place, true in enumerate(result) if true is not None]
    matched = [place for place in held if bet["marks"][place] == result[place]]
    for number, ((low, low_under), (high, high_under), _) in enumerate(levels):
        if low * len(held) <= 100 * len(matched) * low_under and 100 * len(matched) * high_under <= high * len(held):
            return number
    return None
