"""How long the tote calculator takes for an answer, beside reading and writing the same lines as JSON.

Run from the checkout: `.venv/bin/python -m bench.calculator [BETS] [CASES]`. Each answer is measured from line to line,
reading and writing its JSON included. Both sides run in turn in one process; the ratio is the median of five rounds.
The contract allows ten. The table is printed and kept as `var/bench/calculator.json`.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tote.calculator import calculate

ROUNDS = 5
ALLOWED_RATIO = 10
KEPT = Path("var/bench/calculator.json")


def case_line(bets: int) -> str:
    """A pool of so many different bets on three outcomes."""
    told = [
        {"outcome": "1X2"[place % 3], "stake": f"{place * 7 % 1900 + 1}.{place * 13 % 100:02d}"}
        for place in range(bets)
    ]
    case = {
        "id": "bench",
        "calculator": "tote",
        "currency": "BYN",
        "game": "totolot_variant",
        "result": "1",
        "bets": told,
    }
    return json.dumps(case)


def seconds(work: Callable[[], object], cases: int) -> float:
    """How long `cases` runs of the work take."""
    began = time.perf_counter()
    for _ in range(cases):
        work()
    return time.perf_counter() - began


def measured(bets: int, cases: int) -> tuple[float, float, float]:
    """Median seconds per case of both sides, and the median ratio."""
    line = case_line(bets)
    rounds = [
        (
            seconds(lambda: json.dumps(json.loads(line)), cases),
            seconds(lambda: json.dumps(calculate(json.loads(line))), cases),
        )
        for _ in range(ROUNDS)
    ]
    as_json = statistics.median(json_side for json_side, _ in rounds) / cases
    answering = statistics.median(answer_side for _, answer_side in rounds) / cases
    return as_json, answering, statistics.median(answer / plain for plain, answer in rounds)


def main(sizes: list[int], cases: int) -> None:
    print(f"{'bets':>6} {'json µs':>9} {'answer µs':>10} {'ratio':>6}   (allowed {ALLOWED_RATIO})")
    rows = []
    for bets in sizes:
        as_json, answering, ratio = measured(bets, cases)
        print(f"{bets:>6} {as_json * 1e6:>9.1f} {answering * 1e6:>10.1f} {ratio:>6.2f}")
        rows.append({"bets": bets, "json_seconds": as_json, "answer_seconds": answering, "ratio": ratio})
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    KEPT.write_text(json.dumps({"allowed_ratio": ALLOWED_RATIO, "rows": rows}, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    asked = [int(word) for word in sys.argv[1:]]
    main(asked[:1] or [1, 3, 10, 100], asked[1] if len(asked) > 1 else 2000)
