"""Sealing and verifying by command, with the digests that are kept outside the database (DESIGN 3.5)."""

from __future__ import annotations

from pathlib import Path

import click
from flask.cli import with_appcontext

from api.house import house
from ledger.seals.outside import DigestFileError, keep_digests
from ledger.seals.sealing import seal as seal_all
from ledger.seals.verify import verify as verify_all

DIGESTS = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.option("--digests", type=DIGESTS, help="Файл вне базы, куда дописываются номера и хеши печатей.")
@with_appcontext
def seal(digests: Path | None) -> None:
    """Seal everything that became final since the last seal."""
    report = seal_all(house().sessions)
    for written in report.seals:
        click.echo(f"печать {written.number}: строк {written.rows}, {written.hash.hex()}")
    if not report.seals:
        click.echo("Нового нет.")
    for table in report.unfinished:
        click.echo(f"{table}: в таблицу ещё пишут, она будет опечатана в следующий раз", err=True)
    if digests is not None:
        with house().engine.connect() as connection:
            click.echo(f"Записано вне базы: {keep_digests(connection, digests)}")


@click.command()
@click.option("--digests", type=DIGESTS, help="Файл вне базы с номерами и хешами печатей.")
@with_appcontext
def verify(digests: Path | None) -> None:
    """Compare every sealed row, the chain and the digests kept outside; exits 1 and names what is wrong."""
    try:
        with house().engine.connect() as connection:
            found = verify_all(connection, digests)
    except (DigestFileError, FileNotFoundError) as error:
        raise click.ClickException(str(error)) from error
    for finding in found:
        place = finding.table if finding.id is None else f"{finding.table} {finding.id}"
        at = "" if finding.seal is None else f" (печать {finding.seal})"
        click.echo(f"{finding.fault.value}: {place}{at}")
    if found:
        raise click.exceptions.Exit(1)
    click.echo("Печати целы.")
