"""A settlement whose process is killed when it is about to commit its n-th transaction."""

from __future__ import annotations

import os
import signal
import sys
from itertools import count
from typing import Any

from sqlalchemy import event

from db.engines import engine_for
from db.session import sessions_on
from tests.office import OPERATOR
from tote.settling import settle_pool

CHUNK = 2


def main(url: str, pool: str, killed_at: int) -> None:
    """Settle the pool by chunks of two tickets, until the n-th commit."""
    engine, commits = engine_for(url, pool_size=1), count(1)

    def commit(_connection: Any) -> None:
        if next(commits) == killed_at:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(engine, "commit", commit)
    settle_pool(sessions_on(engine), OPERATOR, pool, CHUNK)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
