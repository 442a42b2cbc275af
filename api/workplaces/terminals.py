"""Terminals: installed at a desk, given another secret, withdrawn."""

from __future__ import annotations

import secrets
from functools import partial
from operator import attrgetter
from typing import Any

from sqlalchemy import Row

from api.answers import refuses
from api.auth import allowed
from api.house import caller, session
from api.ownership import own_desk, own_only
from api.pages import page_of
from api.reasons import Reason
from api.workplaces.blueprint import WATCHERS, workplaces
from api.workplaces.schemas import NewTerminal, Secret, TerminalPage, TerminalQuery, TerminalShown
from desk.gates import no_such_desk
from desk.terminals import (
    change_secret,
    install_terminal,
    no_such_terminal,
    terminal,
    terminals,
    withdraw_terminal,
)
from office.callers import Role


@workplaces.post("/desks/<int:desk_id>/terminals")
@workplaces.doc(operationId="install_terminal")
@workplaces.arguments(NewTerminal)
@workplaces.response(201, Secret)
@allowed(Role.ADMINISTRATOR)
@refuses("code_taken", "desk_withdrawn")
def install(told: dict[str, Any], desk_id: int) -> dict[str, Any]:
    """Put a terminal at a desk; its secret is answered this once."""
    secret = _new_secret()
    installed = install_terminal(session(), desk_id, told["code"], secret, caller())
    session().commit()
    return {"id": installed.id, "desk_id": desk_id, "code": installed.code, "secret": secret}


@workplaces.get("/terminals")
@workplaces.arguments(TerminalQuery, location="query")
@workplaces.response(200, TerminalPage)
@allowed(*WATCHERS, Role.CASHIER)
@refuses("not_found")
def list_terminals(asked: dict[str, Any]) -> dict[str, Any]:
    """The terminals, the newest first; cashiers see those of their own desk."""
    desk_id = own_desk(asked.get("desk_id"), no_such_desk())
    read = partial(terminals, session(), desk_id=desk_id, in_use=asked.get("in_use"))
    found, following = page_of(asked, read, attrgetter("id"))
    return {"items": found, "next_cursor": following}


@workplaces.get("/terminals/<int:terminal_id>")
@workplaces.response(200, TerminalShown)
@allowed(*WATCHERS, Role.CASHIER)
def show_terminal(terminal_id: int) -> Row[Any]:
    """A terminal; cashiers see those of their own desk."""
    found = terminal(session(), terminal_id)
    own_only(no_such_terminal(), desk_id=found.desk_id)
    return found


@workplaces.post("/terminals/<int:terminal_id>/credentials")
@workplaces.doc(operationId="renew_terminal_secret")
@workplaces.arguments(Reason)
@workplaces.response(201, Secret)
@allowed(Role.ADMINISTRATOR)
@refuses("terminal_withdrawn")
def renew(told: dict[str, Any], terminal_id: int) -> dict[str, Any]:
    """Give a terminal another secret, answered this once; the old one and the sessions at the terminal end."""
    secret = _new_secret()
    change_secret(session(), terminal_id, secret, told["reason"], caller())
    session().commit()
    found = terminal(session(), terminal_id)
    return {"id": found.id, "desk_id": found.desk_id, "code": found.code, "secret": secret}


@workplaces.post("/terminals/<int:terminal_id>/withdrawal")
@workplaces.doc(operationId="withdraw_terminal")
@workplaces.arguments(Reason)
@workplaces.response(201, TerminalShown)
@allowed(Role.ADMINISTRATOR)
@refuses("terminal_withdrawn")
def withdraw(told: dict[str, Any], terminal_id: int) -> Row[Any]:
    """Withdraw a terminal for good; its sessions end, and it sells nothing more."""
    withdraw_terminal(session(), terminal_id, told["reason"], caller())
    session().commit()
    return terminal(session(), terminal_id)


def _new_secret() -> str:
    return secrets.token_urlsafe(24)
