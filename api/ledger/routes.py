"""Transfers and accounts: every movement of money, for the accountant and the auditor."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

from sqlalchemy import Row

from api.auth import allowed
from api.house import session
from api.ledger.schemas import AccountPage, AccountQuery, EntryPage, EntryQuery, EntryShown
from api.pages import page_of
from api.requests import Blueprint
from office.callers import Role
from reports.transfers import Asked, accounts, transfer, transfers

ledger = Blueprint("ledger", __name__, url_prefix="/api/v1", description="Журнал переводов и счета")


@ledger.get("/transfers")
@ledger.arguments(EntryQuery, location="query")
@ledger.response(200, EntryPage)
@allowed(Role.ACCOUNTANT, Role.AUDITOR)
def list_transfers(asked: dict[str, Any]) -> dict[str, Any]:
    """The journal of transfers, the latest written first."""
    wanted = Asked(
        account_id=asked.get("account_id"),
        kind=asked.get("kind"),
        ticket_id=asked.get("ticket_id"),
        shift_id=asked.get("shift_id"),
        booked_on=asked.get("day"),
    )
    entries, following = page_of(asked, partial(transfers, session(), wanted), attrgetter("id"))
    return {"items": entries, "next_cursor": following}


@ledger.get("/transfers/<int:transfer_id>")
@ledger.response(200, EntryShown)
@allowed(Role.ACCOUNTANT, Role.AUDITOR)
def show_transfer(transfer_id: int) -> Row[Any]:
    """A transfer with both its accounts."""
    return transfer(session(), transfer_id)


@ledger.get("/accounts")
@ledger.arguments(AccountQuery, location="query")
@ledger.response(200, AccountPage)
@allowed(Role.ACCOUNTANT, Role.AUDITOR)
def list_accounts(asked: dict[str, Any]) -> dict[str, Any]:
    """The accounts of the ledger, the latest opened first."""
    read = partial(accounts, session(), kind=asked.get("kind"), subject=asked.get("subject"))
    found, following = page_of(asked, read, attrgetter("id"))
    return {"items": found, "next_cursor": following}
