"""Measures stand beside the program and are rarely run: what they take from it must be there when they are."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[1] / "bench"
MEASURES = sorted(file.stem for file in BENCH.glob("*.py") if "__main__" in file.read_text("utf-8"))


@pytest.mark.parametrize("measure", MEASURES)
def test_a_measure_finds_what_it_takes_from_the_program(measure: str) -> None:
    assert callable(import_module(f"bench.{measure}").main)
