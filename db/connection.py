"""A connection that keeps its prepared statements from one request to the next, and takes no half promise."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg.errors import Diagnostic, InFailedSqlTransaction
from psycopg.pq import ExecStatus, TransactionStatus


class Connection(psycopg.Connection[Any]):
    """psycopg's, but a transaction that is given up while nothing in it went wrong leaves the prepared statements.

    psycopg forgets all of them at every rollback, because objects they read may have been made in it. Every request
    that only reads ends in one, and this role makes no objects: so each statement was parsed and planned anew each
    time, which took PostgreSQL longer than carrying it out. After an error they are forgotten as ever: it may have
    been one of theirs, as when a migration has changed the form of a result.

    A commit that PostgreSQL warns of has failed for whoever asked: somebody cancelled its wait for the synchronous
    standby, so that it stands on one machine alone and would be lost with it. Nobody is told of such a bet; the repeat
    of the request finds it.

    Nor is a transaction committed in which something went wrong: PostgreSQL, asked to, gives it up without a word.
    """

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._warnings: list[str] = []
        self.add_notice_handler(self._hear)

    def _hear(self, notice: Diagnostic) -> None:
        if notice.severity_nonlocalized == "WARNING":
            self._warnings.append(notice.message_primary or "")

    def commit(self) -> None:
        """Commit the transaction.

        Raises:
            psycopg.OperationalError: the connection is lost, or what was committed may not be on the standby.
            psycopg.errors.InFailedSqlTransaction: a statement of it failed, and whoever asked did not notice.
        """
        if self.pgconn.transaction_status == TransactionStatus.INERROR:
            self.rollback()
            raise InFailedSqlTransaction("a statement of this transaction failed: it was given up, not committed")
        self._warnings.clear()
        super().commit()
        if self._warnings:
            raise psycopg.OperationalError(f"committed with a warning: {'; '.join(self._warnings)}")

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
