"""The page of faults seen in the field is true: one row a number, in order, and only tests that are there."""

from __future__ import annotations

import re

import pytest

from tests.named_tests import PROJECT, is_there

PAGE = (PROJECT / "docs" / "field-faults.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (\d{3}) \| (.+) \| (.+) \| (.+) \|$", PAGE, re.MULTILINE)


def test_every_row_is_read_and_no_number_stands_twice() -> None:
    numbers = [number for number, *_ in ROWS]
    assert len(numbers) == len(re.findall(r"^\| \d", PAGE, re.MULTILINE)) > 50
    assert len(numbers) == len(set(numbers))


def test_within_a_section_the_numbers_rise() -> None:
    for section in PAGE.split("\n## ")[1:]:
        numbers = re.findall(r"^\| (\d{3}) ", section, re.MULTILINE)
        assert numbers == sorted(numbers), section.splitlines()[0]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_row_names_tests_that_are_there(row: tuple[str, ...]) -> None:
    """Paths are under tests/; worked cases are a file of lines, not of tests."""
    told = re.findall(r"`([^`]+\.(?:py|jsonl)(?:::[^`]+)?)`", row[3])
    assert told, "no row without a test"
    cases = [name for name in told if name.endswith(".jsonl")]
    assert [name for name in cases if not (PROJECT / "tests" / name).is_file()] == []
    assert [name for name in told if name not in cases and not is_there(f"tests/{name}")] == []
