"""Pools by command: what stands, what is due to be closed, and settling."""

from __future__ import annotations

import click
from flask.cli import AppGroup, with_appcontext
from sqlalchemy import select

from api.house import house
from db.session import transaction
from ledger.money import currency, format_amount
from ledger.refusals import Refusal
from reports.papers.pool_sheet import STATUSES
from reports.pool_sheet import pool_sheet
from tote.closing import close_due
from tote.expiry import expire_due
from tote.models import Pool
from tote.settling import settle_pool

pools = AppGroup("pools", help="Пулы: список, закрытие по времени, невостребованные выигрыши.")


@pools.command("list")
def list_pools() -> None:
    """Every pool: code, status, tickets, bets, stakes, name."""
    click.echo("Пул\tСостояние\tБилетов\tСтавок\tСумма ставок\tНазвание")
    with transaction(house().sessions) as session:
        for pool in session.scalars(select(Pool).order_by(Pool.id)):
            sheet = pool_sheet(session, pool)
            staked = format_amount(sheet.stakes, currency(pool.currency))
            click.echo(f"{pool.code}\t{STATUSES[sheet.status]}\t{sheet.bets}\t{sheet.rows}\t{staked}\t{pool.name}")


@pools.command("close-due")
def close_due_pools() -> None:
    """Close every pool whose announced window is over and take the withdrawal."""
    for code in close_due(house().sessions, house().operator):
        click.echo(f"{code}: приём ставок окончен")


@pools.command("expire-due")
def expire_due_wins() -> None:
    """Book every win that was not fetched within its term: its money goes to the jackpot."""
    for code in expire_due(house().sessions, house().operator):
        click.echo(f"{code}: невостребованные выигрыши зачислены в «Джек-пот»")


@click.command()
@click.argument("code")
@with_appcontext
def settle(code: str) -> None:
    """Settle the pool CODE by the protocol of its event; may be repeated after an interruption."""
    try:
        completion = settle_pool(house().sessions, house().operator, code)
    except Refusal as refusal:
        raise click.ClickException(refusal.detail) from refusal
    due = format_amount(completion.due, currency(house().operator.currency))
    click.echo(f"{code}: рассчитано билетов {completion.tickets}, к выплате {due}")
