"""Which software made a report: the name and version of this release (INDUSTRY: reports)."""

from __future__ import annotations

from configparser import ConfigParser
from importlib.metadata import metadata
from pathlib import Path

NAME = "totalizator"


def _software() -> str:
    """From the checkout this runs in; where it was installed without one, from what was installed."""
    told = ConfigParser(interpolation=None)
    if told.read(Path(__file__).parents[1] / "setup.cfg", encoding="utf-8") and told.get("metadata", "name") == NAME:
        return f"{NAME} {told.get('metadata', 'version')}"
    return f"{NAME} {metadata(NAME)['Version']}"


SOFTWARE = _software()
