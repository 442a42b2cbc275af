"""The first administrator by command: everybody else is hired by HTTP."""

from __future__ import annotations

import os
import sys

import click
from flask.cli import with_appcontext

from api.house import house
from db.session import transaction
from ledger.refusals import Refusal
from office.callers import Role
from office.users import create_user

VARIABLE = "ADMINISTRATOR_PASSWORD"
SHORTEST = 10


@click.command("create-administrator")
@click.argument("login")
@click.argument("name")
@with_appcontext
def create_administrator(login: str, name: str) -> None:
    """Make the administrator LOGIN called NAME.

    The password is asked for, or taken from ADMINISTRATOR_PASSWORD or the first line of standard input.
    """
    password = _password()
    if len(password) < SHORTEST:
        raise click.ClickException(f"Пароль короче {SHORTEST} знаков.")
    try:
        with transaction(house().sessions) as session:
            create_user(session, login, name, Role.ADMINISTRATOR, password)
    except Refusal as refusal:
        raise click.ClickException(refusal.detail) from refusal
    click.echo(f"Администратор {login} создан.")


def _password() -> str:
    given = os.environ.get(VARIABLE)
    if given is not None:
        return given
    if sys.stdin.isatty():
        asked: str = click.prompt("Пароль", hide_input=True, confirmation_prompt="Ещё раз")
        return asked
    return sys.stdin.readline().rstrip("\n")
