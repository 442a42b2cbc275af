"""The version documents print is that of the software."""

from __future__ import annotations

from configparser import ConfigParser

from documents.version import SOFTWARE, VERSION
from tests.prove.workers import ROOT


def test_documents_name_the_version_that_is_installed() -> None:
    told = ConfigParser()
    told.read(ROOT / "setup.cfg", encoding="utf-8")
    assert told["metadata"]["version"] == VERSION
    assert VERSION in SOFTWARE


def test_templates_are_part_of_the_package() -> None:
    told = ConfigParser()
    told.read(ROOT / "setup.cfg", encoding="utf-8")
    assert told["options.package_data"]["documents"] == "templates/*.typ"
    assert {path.name for path in (ROOT / "documents" / "templates").iterdir()} == {
        "base.typ",
        "form.typ",
        "line.typ",
        "roll.typ",
        "table.typ",
    }
