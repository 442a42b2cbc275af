"""Commands that end with one line where the surroundings are wrong, instead of a traceback."""

from __future__ import annotations

from functools import wraps
from typing import Any

import click
from sqlalchemy.exc import OperationalError

from db.errors import SetupError


def told_plainly(command: click.Command) -> click.Command:
    """The command, and those of a group, telling what is wrong with a variable or that the database is away."""
    if isinstance(command, click.Group):
        for each in command.commands.values():
            told_plainly(each)
    act = command.callback
    if act is not None:

        @wraps(act)
        def run(*args: Any, **kwargs: Any) -> Any:
            try:
                return act(*args, **kwargs)
            except SetupError as error:
                raise click.ClickException(str(error)) from error
            except OperationalError as error:
                raise click.ClickException(f"База данных не отвечает: {error.orig}") from error

        command.callback = run
    return command
