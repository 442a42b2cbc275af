"""Stops of sales by command: for the hour when the API does not answer, or nobody can sign in."""

from __future__ import annotations

import click
from flask.cli import with_appcontext
from sqlalchemy import select
from sqlalchemy.orm import Session

from api.events.trades import refuse_sales_after_start
from api.house import house
from api.stops.subjects import checked_subject
from db.session import transaction
from ledger.refusals import Refusal
from office.callers import Caller, Role
from office.logins import normal_login
from office.stops.models import Scope
from office.stops.standing import HELD
from office.stops.switches import resume_sales, stop_sales
from office.users import User

BY = click.option("--by", required=True, metavar="LOGIN", help="who answers for it; the role must have the right")
REASON = click.option("--reason", required=True, help="why; refused bets are told it")


@click.command("stop-sales")
@click.argument("scope", type=click.Choice([scope.value for scope in Scope]), default=Scope.EVERYWHERE.value)
@click.argument("subject", default="")
@BY
@REASON
@with_appcontext
def stop(scope: str, subject: str, by: str, reason: str) -> None:
    """Stop sales of SCOPE (everywhere, if none is named) and SUBJECT, from this moment on."""
    try:
        with transaction(house().sessions) as session:
            wanted = Scope(scope)
            named = checked_subject(session, wanted, subject)
            made = stop_sales(session, wanted, named, by=_caller(session, by), reason=_line(reason))
    except Refusal as refusal:
        raise click.ClickException(refusal.detail) from refusal
    of = f" ({named})" if named else ""
    click.echo(f"Остановка {made.id}. {HELD[wanted]}{of} с {made.effective_from.isoformat()}")


@click.command("resume-sales")
@click.argument("stop_id", type=click.IntRange(1, 2**63 - 1))
@BY
@REASON
@with_appcontext
def resume(stop_id: int, by: str, reason: str) -> None:
    """Let sales of the stop STOP_ID go on."""
    try:
        with transaction(house().sessions) as session:
            made = resume_sales(
                session,
                stop_id,
                by=_caller(session, by),
                reason=_line(reason),
                objections=(refuse_sales_after_start,),
            )
    except Refusal as refusal:
        raise click.ClickException(refusal.detail) from refusal
    click.echo(f"Остановка {stop_id} снята {made.resumed_at.isoformat()}")


def _caller(session: Session, login: str) -> Caller:
    user = session.scalar(select(User).where(User.login == normal_login(login), User.blocked_at.is_(None)))
    if user is None:
        raise Refusal("not_found", f"Сотрудника с логином {login} нет, или его вход закрыт.")
    return Caller(Role(user.role), user_id=user.id)


def _line(text: str) -> str:
    if not text.strip() or not text.isprintable() or len(text) > 200:
        raise Refusal("bad_request", "Причина: одна непустая строка до 200 знаков.")
    return text
