"""The tests of this project by the names that documents call them by."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).parents[1]


@cache
def names_in(path: str) -> frozenset[str]:
    """The names of the tests a file of the project holds: `test_it`, and `TestClass::test_it` of a class."""
    tree = ast.parse((PROJECT / path).read_text(encoding="utf-8"))
    return frozenset(_named(tree.body))


def is_there(name: str) -> bool:
    """Whether `path::test` or `path::TestClass::test` is a test, or `path` a file that holds any."""
    path, _, test = name.partition("::")
    if not (PROJECT / path).is_file():
        return False
    return test in names_in(path) if test else bool(names_in(path))


def _named(body: list[ast.stmt], prefix: str = "") -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            yield from _named(node.body, f"{node.name}::")
        elif isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield prefix + node.name
