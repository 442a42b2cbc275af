"""Files with secrets that are made once and kept: passwords of the embedded server, keys."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path


def made_once(path: Path, make: Callable[[], str]) -> str:
    """The text of the file; if there is none, what `make` gives is stored first (mode 0600).

    Two processes that come at once read the same text: a whole file is linked to the name, and only one link can win.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        # mkstemp opens with mode 0600.
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.write(make())
                file.flush()
                os.fsync(file.fileno())
            _link(Path(draft), path)
        finally:
            Path(draft).unlink()
    return path.read_text(encoding="ascii")


def _link(draft: Path, path: Path) -> None:
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        return
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
