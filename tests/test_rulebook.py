"""The map of the rulebook is true: it names every paragraph of the games, and only tests and files that are there."""

from __future__ import annotations

import re

import pytest

from tests.named_tests import PROJECT, is_there, names_in

MAP = PROJECT / "docs" / "t-rules.md"
PARTED = {"8": 3, "9": 15, "11": 4, "17": 6, "22": 2, "35": 7, "36": 2, "38": 4}
"""Paragraphs that only gather others, and how many."""
PARAGRAPHS = {str(number) for number in range(1, 46)} - PARTED.keys() | {
    f"{gathered}.{part}" for gathered, parts in PARTED.items() for part in range(1, parts + 1)
}
"""The paragraphs of Sportloto and Totolot."""


def rows() -> list[list[str]]:
    """The cells of every row of the map."""
    lines = [line for line in MAP.read_text(encoding="utf-8").splitlines() if re.match(r"\| \d", line)]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def prefix(paragraph: str) -> str:
    """How the name of a test of this paragraph begins."""
    return f"test_t_rules_{paragraph.replace('.', '_')}_"


def test_every_paragraph_is_on_the_map() -> None:
    assert {row[0] for row in rows()} == PARAGRAPHS


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row[0]} {row[1]}")
def test_a_row_names_what_is_there(row: list[str]) -> None:
    """Tests that are there, one of them named for the paragraph, and files that are; or why there is no test."""
    paragraph, _, shown, kept = row
    tests, files = re.findall(r"`([^`]+)`", shown), re.findall(r"`([\w/]+(?:\.py|/))`", kept)
    assert [name for name in tests if "::" not in name or not is_there(name)] == []
    assert [path for path in files if not (PROJECT / path).exists()] == []
    assert (tests and files) or (shown == "—" and kept)
    assert not tests or any(f"::{prefix(paragraph)}" in name for name in tests)


def test_a_test_of_the_rulebook_stands_in_a_row_of_its_paragraph() -> None:
    shown = {(row[0], name) for row in rows() for name in re.findall(r"`([^`]+)`", row[2])}
    for file in sorted((PROJECT / "tests" / "rulebook").glob("test_*.py")):
        path = file.relative_to(PROJECT).as_posix()
        for test in names_in(path):
            assert [row for row, name in shown if name == f"{path}::{test}" and test.startswith(prefix(row))], test
