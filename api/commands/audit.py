"""The audit by command: exit 0 and silence about money, or every broken promise and exit 1."""

from __future__ import annotations

import click
from flask.cli import with_appcontext

from api.house import house
from reports.audit import CHECKS, audit


@click.command("audit")
@with_appcontext
def audit_books() -> None:
    """Prove that states equal facts, balances equal transfers, and what is owed is covered."""
    here = house()
    with here.sessions() as session:
        session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
        found = audit(session, here.operator.currency)
    for finding in found:
        click.echo(f"{finding.promise}: {finding.subject}: {finding.detail}")
    if found:
        raise click.exceptions.Exit(1)
    click.echo(f"Проверок: {len(CHECKS) + 1}. Расхождений нет.")
