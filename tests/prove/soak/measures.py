"""What the processes of the house hold while it is called: own memory, descriptors, threads, processors' time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

MEGABYTE = 1024.0
TICKS = os.sysconf("SC_CLK_TCK")
Processes = Callable[[], Mapping[str, Iterable[int]]]
"""What the processes at work are called, and their numbers; several of one name are measured together."""


@dataclass(frozen=True)
class Sample:
    """One look at one name: memory in MB, of it ``own`` what no other process shares and no file backs."""

    second: float
    requests: int
    name: str
    processes: int
    own: float
    proportional: float
    descriptors: int
    threads: int
    processor: float
    """Seconds of processors' time, of children that are gone as well."""


def look(name: str, numbers: Iterable[int], second: float, requests: int) -> Sample:
    """Measure processes together; one that is gone meanwhile counts nothing."""
    figures = [figure for number in numbers if (figure := _figures(number)) is not None]
    own, proportional, descriptors, threads, processor = (
        (sum(column) for column in zip(*figures, strict=True)) if figures else (0.0, 0.0, 0, 0, 0.0)
    )
    return Sample(second, requests, name, len(figures), own, proportional, int(descriptors), int(threads), processor)


def _figures(number: int) -> tuple[float, float, int, int, float] | None:
    of_process = Path(f"/proc/{number}")
    try:
        held = dict(line.split()[:2] for line in (of_process / "smaps_rollup").read_text("ascii").splitlines()[1:])
        stated = (of_process / "stat").read_text("utf-8").rpartition(")")[2].split()
        descriptors = sum(1 for _ in (of_process / "fd").iterdir())
    except OSError:
        return None
    own, proportional = (int(held[name]) / MEGABYTE for name in ("Pss_Anon:", "Pss:"))
    return own, proportional, descriptors, int(stated[17]), sum(map(int, stated[11:15])) / TICKS


def children(number: int) -> list[int]:
    """The processes that one has started and that are there."""
    with suppress(OSError):
        return [int(child) for child in Path(f"/proc/{number}/task/{number}/children").read_text("ascii").split()]
    return []


def with_all_below(number: int) -> list[int]:
    """A process and all that descend from it."""
    return [number, *(below for child in children(number) for below in with_all_below(child))]


class Measures:
    """Looks at all processes, one after the other as the run goes on."""

    def __init__(self, processes: Processes) -> None:
        self.samples: list[Sample] = []
        self._processes = processes

    def look(self, second: float, requests: int) -> None:
        """Look at all of them now."""
        for name, numbers in self._processes().items():
            self.samples.append(look(name, numbers, second, requests))

    def names(self) -> list[str]:
        """Who was looked at, in the order they were seen first."""
        return list(dict.fromkeys(sample.name for sample in self.samples))

    def of(self, name: str, begin: float, end: float) -> list[Sample]:
        """Looks at one name in a stretch of time, while it was there."""
        return [one for one in self.samples if one.name == name and begin <= one.second <= end and one.processes]

    def as_rows(self) -> list[dict[str, object]]:
        """All looks, to be written down."""
        return [asdict(sample) for sample in self.samples]


@dataclass(frozen=True)
class Growth:
    """A name's medians, in MB of its own, in the second and in the last quarter of the looks at it."""

    name: str
    before: float
    after: float
    requests: float
    """How many requests lie between."""
    counted: dict[str, tuple[float, float]]
    """Processes, descriptors and threads, before and after."""

    @property
    def by_100_000(self) -> float:
        """Megabytes more by 100,000 requests."""
        return (self.after - self.before) / max(self.requests, 1) * 100_000


def growth(measures: Measures, name: str, begin: float, end: float) -> Growth:
    """How much more something holds in the last quarter of the looks at it than in the second."""
    looks = measures.of(name, begin, end)
    quarter = len(looks) // 4
    assert quarter, f"{name} was looked at {len(looks)} times only"
    second, last = looks[quarter : 2 * quarter], looks[-quarter:]
    before, after = (median(one.own for one in part) for part in (second, last))
    requests = median(one.requests for one in last) - median(one.requests for one in second)
    counted = {
        what: (float(median(getattr(one, what) for one in second)), float(median(getattr(one, what) for one in last)))
        for what in ("processes", "descriptors", "threads")
    }
    return Growth(name, before, after, requests, counted)


def processor_time(measures: Measures, begin: float, end: float) -> dict[str, float]:
    """Seconds of processors' time that each name took in a stretch of time, as far as its processes outlived it."""
    took = {}
    for name in measures.names():
        looks = measures.of(name, begin, end)
        if len(looks) > 1:
            took[name] = looks[-1].processor - looks[0].processor
    return took
