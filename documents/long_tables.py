"""The process that sets a long table: told on its input, the PDF on its output (started by `documents.pdf`).

The typesetter would take a gibibyte for ten thousand rows at once. So they are set in parts, each twice: once to learn
how many pages the whole has, and again with their numbers.
"""

from __future__ import annotations

import io
import json
import os
import resource
import sys
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from pypdf import PdfReader, PdfWriter

from documents.typesetting import forget, typeset

PART = 1_000
"""Rows set at once."""
MOST_MEMORY = 2 * 1024**3
"""Bytes of addresses it may ask for; a table that wants more ends this process and no other."""


def set_in_parts(told: dict[str, Any]) -> bytes:
    """The PDF of a table, as `documents.pdf.told_of` tells it."""
    made_at = datetime.fromisoformat(told.pop("made_at"))
    parts = list(_parts(told))
    if len(parts) == 1:
        return typeset("table", parts[0], made_at)
    lengths = [_pages(_set(part, made_at)) for part in parts]
    whole = PdfWriter()
    for number, part in enumerate(parts):
        numbered = {**part, "pages_before": sum(lengths[:number]), "pages": sum(lengths)}
        whole.append(io.BytesIO(_set(numbered, made_at)))
    return _written(whole, told["head"]["title"])


def _parts(told: dict[str, Any]) -> Iterator[dict[str, Any]]:
    rows = told["rows"]
    for start in range(0, max(1, len(rows)), PART):
        last = start + PART >= len(rows)
        cut = {"rows": rows[start : start + PART], "first": start == 0, "last": last}
        yield {**told, **cut, "totals": told["totals"] if last else None}


def _set(part: dict[str, Any], made_at: datetime) -> bytes:
    done = typeset("table", part, made_at)
    forget()
    return done


def _pages(done: bytes) -> int:
    return len(PdfReader(io.BytesIO(done)).pages)


def _written(whole: PdfWriter, title: str) -> bytes:
    whole.add_metadata({"/Title": title})
    # Each part brings its fonts along: once is enough.
    whole.compress_identical_objects(remove_duplicates=True, remove_unreferenced=True)
    written = io.BytesIO()
    whole.write(written)
    return written.getvalue()


def main() -> None:
    """Read, set, write; behind everybody who sells."""
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    sys.stdout.buffer.write(set_in_parts(json.load(sys.stdin)))


if __name__ == "__main__":
    main()
