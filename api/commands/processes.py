"""Child processes of the supervisor: they die with it, write into a log each, and are stopped in good order."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import NoReturn

ENDINGS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
PR_SET_PDEATHSIG = 1
PATIENCE = 30.0
LINES_SHOWN = 15


class Child:
    """A running program: ``name`` for people, its log beside those of the others."""

    def __init__(self, name: str, command: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
        self.name = name
        self.log = log
        log.parent.mkdir(parents=True, exist_ok=True)
        # What earlier runs said is kept: whoever is given a request's number looks for it there.
        self._begins_at = log.stat().st_size if log.exists() else 0
        with log.open("ab") as file:
            self._process = subprocess.Popen(
                command,
                env={**environment, "PYTHONUNBUFFERED": "1"},
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                # A Ctrl-C of the terminal is the supervisor's alone: it asks its children to end, once.
                start_new_session=True,
                preexec_fn=_dying_with(os.getpid()),
            )

    @property
    def exit_code(self) -> int | None:
        """How it ended, none while it runs."""
        return self._process.poll()

    def ask_to_end(self) -> None:
        """Ask it to end, once: a second time would cut short what it is about."""
        if self.exit_code is None:
            self._process.terminate()

    def wait_for_its_end(self) -> None:
        """Wait until it has ended; one that does not within half a minute is killed with all it started."""
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def said(self, words: str) -> bool:
        """Whether it has said these words since it was started."""
        return words in self._told()

    def last_words(self) -> str:
        """The end of its log."""
        return "\n".join(self._told().splitlines()[-LINES_SHOWN:])

    def _told(self) -> str:
        with self.log.open("rb") as file:
            file.seek(self._begins_at)
            return file.read().decode("utf-8", errors="replace")


def _dying_with(supervisor: int) -> Callable[[], None]:
    """What a child does before it begins: on Linux it is told to end when the supervisor is gone, however it went."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None)

    def bind() -> None:
        if prctl is not None:
            prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
            if os.getppid() != supervisor:
                os._exit(1)

    return bind


def end_on_signals() -> None:
    """Let SIGTERM, Ctrl-C and a closed terminal end this process in good order, with exit code 0."""

    def end(_number: int, _frame: FrameType | None) -> NoReturn:
        # An exception, so that everything is released in order; the process's own end by signal would release nothing.
        raise SystemExit(0)

    for ending in ENDINGS:
        # Whoever started us with nohup wants us to outlive the terminal.
        if signal.getsignal(ending) is not signal.SIG_IGN:
            signal.signal(ending, end)
