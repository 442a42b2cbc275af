"""A connection that keeps its prepared statements from one request to the next."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg.pq import ExecStatus, TransactionStatus


class Connection(psycopg.Connection[Any]):
    """psycopg's, but a transaction that is given up while nothing in it went wrong leaves the prepared statements.

    psycopg forgets all of them at every rollback, because objects they read may have been made in it. Every request
    that only reads ends in one, and this role makes no objects: so each statement was parsed and planned anew each
    time, which took PostgreSQL longer than carrying it out. After an error they are forgotten as ever: it may have
    been one of theirs, as when a migration has changed the form of a result.
    """

    def rollback(self) -> None:
        """Give the transaction up.

        Raises:
            psycopg.OperationalError: the connection is lost.
        """
        with self.lock:
            unharmed = self.pgconn.transaction_status == TransactionStatus.INTRANS
            if unharmed and self.pgconn.exec_(b"ROLLBACK").status == ExecStatus.COMMAND_OK:
                return
        super().rollback()
