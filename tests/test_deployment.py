"""What is deployed is what is tested, the same versions and every room; what is told of it is so."""

from __future__ import annotations

import re
from configparser import ConfigParser
from pathlib import Path

from api.errors import PROBLEMS

ROOT = Path(__file__).parents[1]
PINNED = re.compile(r"^([a-z0-9-]+==\S+)", re.MULTILINE)


def pins(lock: str) -> set[str]:
    return set(PINNED.findall((ROOT / lock).read_text("utf-8")))


def test_what_is_deployed_is_a_part_of_what_is_tested() -> None:
    deployed = pins("deploy/requirements.lock")
    assert deployed < pins("requirements.lock")
    assert not {name.partition("==")[0] for name in deployed} & {"pytest", "hypothesis", "ruff", "mypy", "uv"}


def test_the_image_holds_every_room() -> None:
    config = ConfigParser()
    config.read(ROOT / "setup.cfg", "utf-8")
    rooms = {room.strip("*") for room in config["options.packages.find"]["include"].split()}
    container = (ROOT / "deploy" / "Containerfile").read_text("utf-8")
    assert set(re.findall(r"^COPY ([a-z]+) \1$", container, re.MULTILINE)) == rooms


def test_what_operators_are_told_to_watch_for_can_happen() -> None:
    told = (ROOT / "docs" / "operations.md").read_text("utf-8")
    codes = set(re.findall(r'totalizator_problems_total\{code="(\w+)"\}', told))
    assert codes and codes <= PROBLEMS.keys()
