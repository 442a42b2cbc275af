"""The whole show: whatever of the day is left is played, its figures are told, the audit proves them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click
import httpx
from sqlalchemy import select

from api.commands.demonstration.cast import Cast
from api.commands.demonstration.day import open_day, play
from api.commands.demonstration.figures import tell_figures, tell_logins
from api.commands.demonstration.members import RefusedError
from api.commands.demonstration.papers import tell_papers
from api.commands.demonstration.records import ForeignDatabaseError, LostSecretError, Records
from api.commands.demonstration.screen import Screen
from api.house import House
from db.engines import engine_for
from db.environment import in_production
from db.session import sessions_on
from ledger.seals.models import Seal
from ledger.seals.sealing import seal
from ledger.seals.verify import verify
from reports.audit import CHECKS, audit
from tote.expiry import expire_due

PATIENCE = 30.0
EXPECTED = (ForeignDatabaseError, LostSecretError, RefusedError)


def refuse_in_production() -> None:
    """No demonstration among real bets.

    Raises:
        ClickException: APP_ENV is production.
    """
    if in_production():
        raise click.ClickException("При APP_ENV=production демонстрация не играется: она переводит часы.")


def prepare_stage(here: House) -> None:
    """Let the day begin, or refuse the database, before API and worker are started.

    Raises:
        ClickException: the database is not the demonstration's.
    """
    with _records(here) as records:
        open_day(records)


def show(here: House, url: str, screen: Screen | None = None) -> None:
    """Play the day through the API at this address, or what is left of it, and tell how it stands.

    Raises:
        ClickException: the database is not the demonstration's, or a step was refused that should not be.
    """
    screen = screen or Screen()
    with _records(here) as records, httpx.Client(base_url=url, timeout=PATIENCE, trust_env=False) as client:
        cast = Cast(
            client,
            records,
            sweep_lapsed=lambda: expire_due(here.sessions, here.operator),
            seal_facts=lambda: seal(here.sessions),
        )
        if not play(cast, screen):
            screen.line("День уже сыгран: ничего не играется второй раз.")
        tell_figures(cast, screen)
        _tell_audit(here, screen)
        _tell_seal(here, screen)
        tell_papers(cast, screen)
        tell_logins(cast, screen, f"{url}/api/docs/")


@contextmanager
def _records(here: House) -> Iterator[Records]:
    owner = engine_for(here.urls.of_owner(), pool_size=1)
    try:
        yield Records(sessions_on(owner), here.folder / "var" / "demonstration.json")
    except EXPECTED as error:
        raise click.ClickException(str(error)) from error
    finally:
        owner.dispose()


def _tell_audit(here: House, screen: Screen) -> None:
    with here.sessions() as session:
        session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
        found = audit(session, here.operator.currency)
    for finding in found:
        screen.line(f"РАСХОЖДЕНИЕ: {finding.promise}: {finding.subject}: {finding.detail}")
    if not found:
        screen.line(f"Ревизия: проверок {len(CHECKS) + 1}, расхождений нет.")


def _tell_seal(here: House, screen: Screen) -> None:
    """Seal the day as the task worker does every minute, and compare all that was ever sealed."""
    seal(here.sessions)
    with here.engine.connect() as connection:
        broken = verify(connection, None)
    with here.sessions() as session:
        last = session.scalars(select(Seal).order_by(Seal.id.desc()).limit(1)).one()
    state = f"НАРУШЕНЫ, мест: {len(broken)}" if broken else "целы"
    screen.line(f"Печати {state}; последняя № {last.id}, {last.hash.hex()}.")
