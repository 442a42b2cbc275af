"""Thousands of random pools of all four games, each held against a reckoning bet by bet (`tests/tote/by_hand.py`)."""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest

from tests.tote.by_hand import kopecks, reckoned
from tote.calculator import calculate

SEED = int(os.environ.get("POOLS_SEED", "1937"))
BLOCKS = 20
OF_A_BLOCK = 1_000
CODES = ["1", "X", "2"]
SHARES = [["100"], ["50", "30", "20"], ["100", "0"], ["0", "100"], ["200/3", "100/3"], ["12.5", "37.5", "50"]]


def amount(chance: Random, most: int) -> str:
    minor = chance.randint(1, most)
    return f"{minor // 100}.{minor % 100:02}"


def bets(chance: Random, case: dict[str, Any], name: str, outcomes: list[Any]) -> list[dict[str, Any]]:
    """Up to a dozen entries; one in six pools holds bets on a single outcome, so that all may win."""
    chosen = [chance.choice(outcomes)] if not chance.randrange(6) else outcomes
    return [
        {
            name: chance.choice(chosen),
            **({} if "price" in case else {"stake": amount(chance, chance.choice([99, 250_000]))}),
            **({"count": chance.randint(1, 9)} if chance.random() < 0.4 else {}),
        }
        for _ in range(chance.randint(0, 12))
    ]


def family(chance: Random, name: str) -> dict[str, Any]:
    """The terms of the game's family, most of them now and then."""
    terms: dict[str, Any] = {}
    if chance.random() < 0.4:
        terms["jackpot_in"] = amount(chance, 9_000_000)
    if name == "totolot":
        return terms | ({"minimum_coefficient": f"1.{chance.randint(0, 999)}"} if chance.random() < 0.3 else {})
    terms |= {"price": amount(chance, 5_000), "fund_percent": chance.choice(["70", "82.5", "100", "77.7777"])}
    limits = sorted((amount(chance, 200_000), amount(chance, 200_000)), key=kopecks)
    for field, limit in zip(("minimum_win", "maximum_win"), limits, strict=True):
        terms |= {field: limit} if chance.random() < 0.4 else {}
    return terms


def levels(chance: Random, positions: int) -> list[dict[str, str]]:
    """Ranges of match percent from the top down, exact bounds and rounded ones, some matches left on no level."""
    shares, matches, found = chance.choice(SHARES), positions, []
    for share in shares:
        if matches < 0:
            break
        lowest = max(0, matches - chance.randint(0, 1))
        spread = chance.random() < 0.3
        low, high = f"{100 * lowest}/{positions}", f"{100 * matches}/{positions}"
        if spread and lowest < matches:
            low = f"{100 * lowest / positions:.4f}"
        found.append({"from": low, "to": high, "share": share})
        matches = lowest - chance.randint(1, 2)
    return found if len(found) == len(shares) else [{"from": "100", "to": "100", "share": "100"}]


def random_case(chance: Random) -> dict[str, Any]:
    name, kind = chance.choice(["totolot", "sportloto"]), chance.choice(["variant", "position"])
    case = {"calculator": "tote", "currency": "BYN", "game": f"{name}_{kind}", **family(chance, name)}
    if kind == "variant":
        result: Any = chance.choice(["1", "X", "2", ["1", "X"], ["1", "X", "2"], "4"])
        return case | {"result": result, "bets": bets(chance, case, "outcome", CODES)}
    positions = chance.randint(1, 7)
    result = [chance.choice(CODES) if chance.random() < 0.93 else None for _ in range(positions)]
    result[chance.randrange(positions)] = chance.choice(CODES)
    near = [[chance.choice([true or "1", *CODES]) for true in result] for _ in range(6)]
    near.append([true or "2" for true in result])
    if name == "totolot":
        case["empty_level"] = chance.choice(["jackpot", "other_levels"])
    return case | {"result": result, "levels": levels(chance, positions), "bets": bets(chance, case, "marks", near)}


@pytest.mark.parametrize("block", range(BLOCKS))
def test_a_reckoning_bet_by_bet_agrees(block: int) -> None:
    """20,000 pools: every answer, and the identities that hold for any pool (CALCULATORS)."""
    chance = Random(SEED * BLOCKS + block)
    kinds = set()
    for _ in range(OF_A_BLOCK):
        case = random_case(chance)
        answer, expected = calculate(case), reckoned(case)
        assert "error" not in answer, case
        told = {field: kopecks(answer[field]) for field in ("pool", "fund", "to_jackpot", "from_organizer")}
        assert {**told, "wins": [*map(kopecks, answer["wins"])]} == expected, case
        assert_nothing_is_lost(case, answer)
        kinds.add((case["game"], answer["minus_pool"], any(map(kopecks, answer["wins"]))))
    assert len(kinds) == 12, "of each game pools that somebody won, that nobody won, and minus pools"


def assert_nothing_is_lost(case: dict[str, Any], answer: dict[str, Any]) -> None:
    """Where every kopeck of the pool is, by the answer alone."""
    paid = sum(kopecks(win) * bet.get("count", 1) for win, bet in zip(answer["wins"], case["bets"], strict=True))
    jackpot, organizer = kopecks(case.get("jackpot_in", "0")), kopecks(answer["from_organizer"])
    if answer["minus_pool"]:
        assert kopecks(answer["pool"]) + organizer == paid
        assert kopecks(answer["to_jackpot"]) == jackpot
        assert (answer["withdrawal"], answer["fund"]) == ("0.00", "0.00")
    else:
        assert kopecks(answer["pool"]) == kopecks(answer["withdrawal"]) + kopecks(answer["fund"])
        assert kopecks(answer["fund"]) + jackpot + organizer == paid + kopecks(answer["to_jackpot"])
