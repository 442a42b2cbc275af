"""The demonstration as tests see it: played on a served house, asked through the API as anybody asks."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import httpx
from rich.console import Console
from sqlalchemy import text

from api.commands.demonstration.bets import BETS, Bet
from api.commands.demonstration.cast import Cast
from api.commands.demonstration.facts import PLAYERS
from api.commands.demonstration.records import Records
from api.commands.demonstration.sales import number_of
from api.commands.demonstration.screen import Screen
from api.commands.demonstration.show import show
from api.house import House
from db.engines import engine_for
from db.session import sessions_on
from ledger.seals.sealing import seal
from tote.expiry import expire_due

FACTS = (
    "transfers",
    "tickets",
    "ticket_prints",
    "settlements",
    "payouts",
    "protocols",
    "shifts",
    "clock_shifts",
    "terminals",
)


@dataclass
class Stage:
    """A served house and what is needed to play in it or to look at it."""

    here: House
    url: str
    screen: io.StringIO

    def play_all(self) -> None:
        """As `make run` does."""
        show(self.here, self.url, Screen(Console(file=self.screen)))

    def cast(self, **options: Any) -> Cast:
        """Members on a fresh connection, as a fresh start has them."""
        owner = sessions_on(engine_for(self.here.urls.owner, pool_size=1))
        client = httpx.Client(base_url=self.url, trust_env=False, **options)
        records = Records(owner, self.here.folder / "var" / "demonstration.json")
        return Cast(
            client,
            records,
            sweep_lapsed=lambda: expire_due(self.here.sessions, self.here.operator),
            seal_facts=lambda: seal(self.here.sessions),
        )

    def rows(self) -> dict[str, int]:
        """How many rows the tables of facts hold, the clock's own among them."""
        with self.here.sessions() as session:
            return {table: session.scalars(text(f"SELECT count(*) FROM {table}")).one() for table in FACTS}


def quiet() -> Screen:
    """A screen nobody looks at."""
    return Screen(Console(file=io.StringIO()))


def tickets(cast: Cast) -> dict[str, dict[str, Any]]:
    """The ticket of each bet as it stands."""
    return {bet.name: cast.bettor(bet).get(f"/tickets/{number_of(cast, bet)}") for bet in BETS}


def bet_named(name: str) -> Bet:
    """A bet of the day."""
    return next(bet for bet in BETS if bet.name == name)


def accounts(cast: Cast) -> dict[tuple[str, str], tuple[str, ...]]:
    """Debits, credits and balances of every account; a player's under the login."""
    logins = {f"player:{cast.player(p.login).get('/players/me')['id']}": p.login for p in PLAYERS}
    figures = ("debits", "credits", "debit_balance", "credit_balance")
    return {
        (line["kind"], logins.get(line["subject"], line["subject"])): tuple(line[name] for name in figures)
        for line in cast.accountant.get("/reports/trial-balance")["lines"]
    }


def journal(cast: Cast) -> list[tuple[int, str]]:
    """Number and amount of each cash payout."""
    return [(line["number"], line["amount"]) for line in cast.accountant.get("/payouts")["items"]]
