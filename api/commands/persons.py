"""Keys rotated and persons erased by command."""

from __future__ import annotations

from functools import partial

import click
from flask.cli import with_appcontext
from rich.console import Console

from api.house import House, house
from desk.retention import Erased, erase_over_the_term, persons_over_the_term
from office.key_rotation import Standing, rotate, standing
from office.persons.register import VersionsBrokenError

ORDER = (
    "Порядок: новый ключ добавляется в DATA_KEYS вторым, все процессы перезапускаются; новый ставится первым, все "
    "процессы перезапускаются; эта команда; старый ключ убирается, все процессы перезапускаются."
)


@click.command("rotate-keys", epilog=ORDER)
@click.option("--check", is_flag=True, help="Только показать, что под каким главным ключом.")
@with_appcontext
def rotate_keys(check: bool) -> None:
    """Wrap all data keys under the first master key of DATA_KEYS, while the house works.

    It may be stopped and begun again, or run several times at once. At the end it tells which keys can be taken out of
    DATA_KEYS; exits 1 while one of them is still needed, or when a key is missing.
    """
    here = house()
    if not check:
        progress = partial(_progress, Console(stderr=True), here)
        rotated = rotate(here.sessions, here.masters, here.persons, progress, _alike)
        for row in rotated.broken:
            click.echo(f"{row}: не открывается, строку изменили", err=True)
    with here.sessions() as session:
        now = standing(session)
    _tell(here, now)
    if now.on_older(here.masters) or now.unknown(here.masters):
        raise click.exceptions.Exit(1)


@click.command()
@click.option("--erase", is_flag=True, help="Удалить. Без этого только показывается, что будет удалено.")
@with_appcontext
def retention(erase: bool) -> None:
    """Erase personal data whose term is over: older than the journal is kept for, and needed by nothing.

    A person of whom something does not open is named and passed over; exits 1 then.
    """
    here = house()
    with here.sessions() as session:
        persons = list(persons_over_the_term(session, here.operator))
    versions, passed_over = 0, 0
    for person_id in persons:
        try:
            gone = _erase(here, person_id, erase).versions
        except VersionsBrokenError as error:
            click.echo(f"лицо {person_id}: записи {_listed(error.versions)} не открываются, лицо пропущено", err=True)
            passed_over += 1
            continue
        versions += len(gone)
        if gone:
            click.echo(f"лицо {person_id}: записи {_listed(gone)}")
    click.echo(f"{'Удалено' if erase else 'Подлежит удалению (--erase удалит)'} записей: {versions}.")
    if passed_over:
        raise click.exceptions.Exit(1)


def _listed(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers))


def _alike(person_id: int, others: list[int]) -> None:
    """By numbers alone: who the persons are is seen with a reason, in the register."""
    said = f"лица {_listed(sorted([person_id, *others]))}: общий документ либо имя и дата рождения"
    click.echo(f"{said}, возможно, это один человек", err=True)


def _erase(here: House, person_id: int, for_good: bool) -> Erased:
    """Each person in a transaction of its own; a look is the same act, rolled back."""
    with here.sessions() as session:
        result = erase_over_the_term(session, here.operator, here.persons, person_id)
        if for_good:
            session.commit()
        return result


def _progress(screen: Console, here: House, done: int, now: Standing) -> None:
    screen.print(f"перевёрнуто {done}, осталось {now.on_older(here.masters)}")


def _tell(here: House, now: Standing) -> None:
    masters = here.masters
    for key_id in masters.ids:
        count = now.hanging.get(key_id, 0)
        if key_id == masters.newest:
            click.echo(f"ключ {key_id}, первый: {count}")
        elif count or now.directly:
            click.echo(f"ключ {key_id}: {count}, ещё нужен")
        else:
            click.echo(f"ключ {key_id}: 0, можно убрать из DATA_KEYS")
    if now.directly:
        click.echo(f"записей о лицах прежнего вида, без ключа данных: {now.directly}")
    for key_id, count in now.unknown(masters).items():
        click.echo(f"ключ {key_id}: {count}, в DATA_KEYS его НЕТ, прочесть это нельзя")
