"""What is left of a run: its table on the screen, its figures as JSON and its picture."""

from __future__ import annotations

import json

from tests.prove.soak.deployment import CALLERS, LAGS, House
from tests.prove.soak.picture import Line, draw
from tests.prove.soak.tally import BUCKET, Tally
from tests.prove.workers import ROOT

FOLDER = ROOT / "var" / "soak"
PARTS = (0.5, 0.99)
MANY = 100
SHOWN = {
    "bet at a desk": ("desk: bet",),
    "bet from home": ("player: bet",),
    "batch": ("desk: batch", "player: batch"),
    "payout": ("desk: payout",),
    "player's pages": ("player: own page", "player: statement", "player: own bets"),
    "totals": ("player: totals", "desk: totals", "reader: totals"),
}


def kept(house: House, name: str, seed: int) -> None:
    """Write samples, latencies and windows down, and draw them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    tally, end = house.tally, house.tally.now()
    print("\n".join([*tally.table(), *tally.failures[:60]]))
    stretch = max(BUCKET, end / 120)
    stretches = [(place * stretch, (place + 1) * stretch) for place in range(int(end / stretch))]
    windows = [(one.what, one.began - tally.began, min(one.ended - tally.began, end)) for one in tally.windows]
    figures = {
        "seed": seed,
        "requests": tally.sent,
        "seconds": end,
        "answers": {
            kind: {" ".join(map(str, one)).strip(): times for one, times in told.items()}
            for kind, told in sorted(tally.answers.items())
        },
        "milliseconds": {
            kind: [(begin, tally.percentiles((kind,), begin, until, *PARTS)) for begin, until in stretches]
            for kind in sorted(tally.answers)
        },
        "lost": dict(tally.lost),
        "failures": tally.failures,
        "windows": windows,
        "lags": house.lags,
        "samples": house.measures.as_rows(),
    }
    (FOLDER / f"{name}.json").write_text(json.dumps(figures, ensure_ascii=False, indent=1), "utf-8")
    draw(FOLDER / f"{name}.svg", charts(house, stretches), [(began, ended) for _, began, ended in windows])
    print(f"  samples and picture: {(FOLDER / name).relative_to(ROOT)}.json, .svg")


def charts(house: House, stretches: list[tuple[float, float]]) -> dict[str, dict[str, Line]]:
    """What is drawn: memory, rate, latencies and lags."""
    measures, end = house.measures, house.tally.now()
    names = [name for name in measures.names() if name != CALLERS]
    latencies = {
        title: {
            shown: [
                (begin, told[0])
                for begin, until in stretches
                if (told := house.tally.percentiles(kinds, begin, until, part)) is not None
            ]
            for shown, kinds in SHOWN.items()
        }
        for title, part in zip(("half of the answers within, ms", "99 of 100 answers within, ms"), PARTS, strict=True)
    }
    own = {name: [(one.second, one.own) for one in measures.of(name, 0, end)] for name in names}
    return {
        "memory of their own, MB": own,
        "requests a second": {"all": rates(house, stretches)},
        **latencies,
        "behind, seconds": {lag: [(look[0], look[place]) for look in house.lags] for place, lag in enumerate(LAGS, 1)},
    }


def slowed(tally: Tally, quiet_until: float) -> dict[str, str]:
    """Kinds of which half the answers took twice as long in the last quarter of the quiet as in the second, in ms."""
    quarter, found = quiet_until / 4, {}
    for kind, answers in sorted(tally.answers.items()):
        before = tally.percentiles((kind,), quarter, 2 * quarter, 0.5)
        after = tally.percentiles((kind,), 3 * quarter, quiet_until, 0.5)
        if answers.total() >= MANY and before and after and after[0] > 2 * before[0]:
            found[kind] = f"{before[0]:.0f} - {after[0]:.0f}"
    return found


def rates(house: House, stretches: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Requests a second in each stretch."""
    line = []
    for begin, end in stretches:
        within = [look for look in house.rates if begin <= look[0] < end]
        if len(within) > 1:
            (first, before), (last, after) = within[0], within[-1]
            line.append((begin, (after - before) / (last - first)))
    return line
