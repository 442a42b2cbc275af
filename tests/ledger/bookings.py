"""Money moving between a desk's cash and pools: enough of a trade for the ledger's own tests."""

from datetime import UTC, date, datetime

from sqlalchemy.orm import Session

from ledger.accounts import Kind, open_account
from ledger.journal import Movement, post

NOON = datetime(2022, 11, 20, 12, 0, tzinfo=UTC)
DAY = date(2022, 11, 20)


def cash(session: Session) -> int:
    return open_account(session, Kind.CASH, "desk:1", "BYN")


def pool(session: Session, number: int = 1) -> int:
    return open_account(session, Kind.POOL, f"pool:{number}", "BYN")


def book(session: Session, debit: int, credit: int, *amounts: int) -> list[int]:
    """Transfers of these amounts, in minor units; their ids."""
    movements = [Movement(debit, credit, amount, "stake") for amount in amounts]
    return post(session, movements, currency="BYN", occurred_at=NOON, booked_on=DAY)


def sell(session: Session, *amounts: int) -> list[int]:
    """Stakes taken at the desk into the first pool."""
    return book(session, cash(session), pool(session), *amounts)
