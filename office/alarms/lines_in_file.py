"""Alarms as lines of JSON at the end of a file: whole, on the disk, and in whatever file has the name now."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from office.alarms.message import Message

MODE = 0o640


class LinesInFile:
    """A file other programs follow. It is opened by its name for every line, so that it may be rotated any time."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def send(self, message: Message) -> None:
        """Append the line and wait until the disk has it.

        Raises:
            OSError: it could not be written whole; what was written of it is closed off by the next line.
        """
        # O_APPEND keeps writers of a machine apart; the lock keeps the look at the end and the writing together.
        file = os.open(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, MODE)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            self._append(file, f"{message.body}\n".encode())
        finally:
            os.close(file)

    def _append(self, file: int, line: bytes) -> None:
        size = os.fstat(file).st_size
        if size and os.pread(file, 1, size - 1) != b"\n":
            # A crash or a full disk cut a line: it must not swallow this one.
            line = b"\n" + line
        if os.write(file, line) != len(line):
            raise OSError("the file took a part of the line")
        os.fsync(file)
        if size == 0:
            self._keep_name()

    def _keep_name(self) -> None:
        """A new file is safe only when its folder is."""
        folder = os.open(self._path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
