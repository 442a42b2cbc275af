"""Locks of the operating system on files: it releases them itself when a process dies, however it dies."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def one_at_a_time(path: Path) -> Iterator[None]:
    """Only one process at a time is inside, the others wait."""
    handle = _opened(path)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        _drop(handle)


class Attendance:
    """Who uses a thing now, counted by shared locks on one file.

    Join and leave inside `one_at_a_time`: changing a shared lock into an exclusive one is not atomic.
    """

    def __init__(self, path: Path) -> None:
        self._handle = _opened(path)
        self._process = os.getpid()
        fcntl.flock(self._handle, fcntl.LOCK_SH)

    @property
    def inherited(self) -> bool:
        """This process was forked off the one that joined; the lock is the parent's and not ours to drop."""
        return self._process != os.getpid()

    def leave(self) -> bool:
        """Stop being counted; True if nobody is left."""
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        else:
            return True
        finally:
            _drop(self._handle)

    def forget(self) -> None:
        """Close the file alone; the lock lives on while the parent shares it."""
        os.close(self._handle)


def _opened(path: Path) -> int:
    # Not inheritable over exec: the database server itself must not count as its own user.
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _drop(handle: int) -> None:
    # Closing is not enough: a child forked meanwhile shares the lock and would hold it as long as it lives.
    fcntl.flock(handle, fcntl.LOCK_UN)
    os.close(handle)
