"""Significant events and alarms by command: the log as a file, and dead letters tried again."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import click
from flask.cli import AppGroup

from api.house import house
from db.instants import NaiveInstantError, as_utc
from db.session import transaction
from documents.csv import csv_pieces
from ledger.refusals import Refusal
from office.alarms.standing import backlogs, try_again
from office.significant.export import HEADER, begin_export, exported_rows
from office.significant.kinds import KINDS
from office.significant.search import Wanted

significant_events = AppGroup("significant-events", help="Журнал значимых событий.")
alarms = AppGroup("alarms", help="Тревоги: что не доставлено, и повторная доставка.")


@significant_events.command("export")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--as-of", "instant", metavar="INSTANT", help="Момент с часовым поясом, 2022-11-22T18:00:00+03:00.")
@click.option("--kind", type=click.Choice(sorted(KINDS)), help="Только события этого вида.")
def export(file: Path, instant: str | None, kind: str | None) -> None:
    """Write the log as CSV into FILE, as of the last seal at or before an instant; FILE appears whole or not at all."""
    here, wanted = house(), Wanted(kind=kind)
    try:
        with transaction(here.sessions) as session:
            fixed = begin_export(session, _instant(instant), wanted, None)
    except Refusal as refusal:
        raise click.ClickException(refusal.detail) from refusal
    rows = exported_rows(here.sessions, fixed, wanted, here.operator.zone_at(fixed.sealed_at))
    unfinished = file.with_name(f"{file.name}.part")
    try:
        with unfinished.open("wb") as part:
            part.writelines(csv_pieces(HEADER, rows))
            part.flush()
            os.fsync(part.fileno())
        unfinished.replace(file)
    except OSError as error:
        raise click.ClickException(f"Файл не записан: {error.strerror}.") from error
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
    sealed_at = fixed.sealed_at.astimezone(here.operator.zone_at(fixed.sealed_at))
    click.echo(f"{file}: по печати {fixed.seal} от {sealed_at.isoformat()}")


@alarms.command("standing")
def standing() -> None:
    """What every channel has not delivered; exits 1 if anything was put aside."""
    with transaction(house().sessions) as session:
        found = backlogs(session)
    for backlog in found:
        click.echo(f"{backlog.channel}: ждут {backlog.waiting}, отложено {backlog.abandoned}")
    if any(backlog.abandoned for backlog in found):
        raise click.exceptions.Exit(1)


@alarms.command("retry")
def retry() -> None:
    """Try everything that was put aside once more, when the receiver works again."""
    with transaction(house().sessions) as session:
        click.echo(f"Будет доставлено заново: {try_again(session)}")


def _instant(told: str | None) -> datetime | None:
    try:
        return None if told is None else as_utc(datetime.fromisoformat(told))
    except (ValueError, NaiveInstantError) as error:
        raise click.BadParameter("Нужен момент с часовым поясом, например 2022-11-22T18:00:00+03:00.") from error
