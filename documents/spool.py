"""Files that are whole on the disk before anybody is given their first piece."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from io import SEEK_END
from typing import BinaryIO

PIECE = 256 * 1024


def spooled(pieces: Iterable[bytes]) -> BinaryIO:
    """All the pieces as a file, nameless and open at its beginning; it is gone when it is closed."""
    file: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115 - given on open, closed by whoever reads it
    try:
        file.writelines(pieces)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


def size_of(file: BinaryIO) -> int:
    """The bytes of a file, wherever it is being read."""
    at = file.tell()
    size = file.seek(0, SEEK_END)
    file.seek(at)
    return size


def read_out(file: BinaryIO) -> Iterator[bytes]:
    """The file piece by piece; closed behind the last one, or when nobody wants more."""
    with file:
        while piece := file.read(PIECE):
            yield piece
