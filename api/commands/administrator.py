"""Administrators by command: the first one, who hires the others by HTTP, and one whose password is lost."""

from __future__ import annotations

import os
import sys

import click
from flask.cli import with_appcontext

from api.house import house
from db.session import transaction
from ledger.refusals import Refusal
from office.callers import Role
from office.user_changes import rescue_administrator
from office.users import create_user

VARIABLE = "ADMINISTRATOR_PASSWORD"


@click.command("create-administrator")
@click.argument("login")
@click.argument("name")
@with_appcontext
def create_administrator(login: str, name: str) -> None:
    """Make the administrator LOGIN called NAME.

    The password is asked for, or taken from ADMINISTRATOR_PASSWORD or the first line of standard input.
    """
    password = _password()
    try:
        with transaction(house().sessions) as session:
            create_user(session, login, name, Role.ADMINISTRATOR, password)
    except Refusal as refusal:
        raise click.ClickException(refusal.detail) from refusal
    click.echo(f"Администратор {login} создан.")


@click.command("reset-administrator")
@click.argument("login")
@with_appcontext
def reset_administrator(login: str) -> None:
    """Give the administrator LOGIN a one-time password, and unlock the login: for when nobody else can get in.

    The password is printed once; all sessions of the login end, and the journal of significant events tells of it.
    """
    try:
        with transaction(house().sessions) as session:
            given = rescue_administrator(session, login)
    except Refusal as refusal:
        raise click.ClickException(refusal.detail) from refusal
    click.echo(f"Одноразовый пароль: {given.password}")
    click.echo(f"Годен до {given.until:%d.%m.%Y %H:%M} UTC; при входе нужно задать свой.")


def _password() -> str:
    given = os.environ.get(VARIABLE)
    if given is not None:
        return given
    if sys.stdin.isatty():
        asked: str = click.prompt("Пароль", hide_input=True, confirmation_prompt="Ещё раз")
        return asked
    return sys.stdin.readline().rstrip("\n")
