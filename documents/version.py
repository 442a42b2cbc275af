"""Which version of the software made a document (INDUSTRY: reports)."""

from __future__ import annotations

VERSION = "0.1.0"
"""The version of `setup.cfg`; a test compares the two."""
SOFTWARE = f"ПО «Тотализатор», версия {VERSION}"
"""What documents print of it."""
