"""The demonstration day, every figure worked by hand from its inputs (RULES 2; T-Rules 23, 36.1, 40; D-3, D-5).

The stakes, as `facts.BETS` has them; Ivan and Anna bet from their game accounts, everybody else in cash:

    ARG-KSA   1: 40.00, 60.00, Anna 35.00   X: 20.00                            2: 15.00, Ivan 30.00     ended 1:2
    DEN-TUN   1: 50.00                                                          2: Anna 12.50            ended 0:0
    MEX-POL   1: 45.00                      X: 10.00, Anna 10.00, Ivan 15.00    2: 20.01                 ended 0:0
    FRA-AUS   1: 30.00, Ivan 20.05                                                                       ended 4:1

No expected number here is taken from a run.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from click import ClickException
from rich.console import Console
from sqlalchemy import text

from api.commands.demonstration.cast import Cast
from api.commands.demonstration.day import play
from api.commands.demonstration.facts import PLAYERS
from api.commands.demonstration.records import Records
from api.commands.demonstration.sales import ticket_of
from api.commands.demonstration.screen import Screen
from api.commands.demonstration.show import show
from api.house import House
from db.embedded import EmbeddedServer
from db.session import engine_for, sessions_on
from db.urls import DatabaseUrls
from tests.api.served import house_on, served
from tests.databases import create_database, drop_database
from tests.office import Office
from tote.closing import close_due

SHEETS = {
    # 40 + 60 + 35 + 20 + 15 + 30 = 200.00; 60 % is 120.00, the rest 80.00.
    # 2 is true: 15 + 30 = 45.00 won, 120/45 = 8/3; 15 · 8/3 = 40.00, 30 · 8/3 = 80.00; nothing is left.
    "ARG-KSA": {
        "bets": 6,
        "pool": "200.00",
        "withdrawal": "80.00",
        "fund": "120.00",
        "minus_pool": False,
        "winning_bets": 2,
        "winning_stake": "45.00",
        "coefficient": "8/3",
        "coefficient_display": "2.6666",
        "wins": "120.00",
        "to_jackpot": "0.00",
        "from_organizer": "0.00",
    },
    # 50 + 12.50 = 62.50; 60 % is 37.50, the rest 25.00. Nobody bet on the draw: all of the fund goes to the jackpot.
    "DEN-TUN": {
        "bets": 2,
        "pool": "62.50",
        "withdrawal": "25.00",
        "fund": "37.50",
        "minus_pool": False,
        "winning_bets": 0,
        "winning_stake": "0.00",
        "coefficient": None,
        "coefficient_display": None,
        "wins": "0.00",
        "to_jackpot": "37.50",
        "from_organizer": "0.00",
    },
    # 45 + 10 + 10 + 15 + 20.01 = 100.01; 60 % is 60.006, rounded up 60.01, the rest 40.00 (D-3).
    # X is true: 10 + 10 + 15 = 35.00 won, 60.01/35 = 6001/3500 = 1.71457…
    # 10 · 6001/3500 = 17.1457…, cut to 17.14, twice; 15 · 6001/3500 = 25.7185…, cut to 25.71; together 59.99.
    # Left are 60.01 - 59.99 = 0.02.
    "MEX-POL": {
        "bets": 5,
        "pool": "100.01",
        "withdrawal": "40.00",
        "fund": "60.01",
        "minus_pool": False,
        "winning_bets": 3,
        "winning_stake": "35.00",
        "coefficient": "6001/3500",
        "coefficient_display": "1.7145",
        "wins": "59.99",
        "to_jackpot": "0.02",
        "from_organizer": "0.00",
    },
    # 30 + 20.05 = 50.05; 60 % is 30.03, the rest 20.02. Everybody won: a minus pool (D-5).
    # 10 % of 30.00 is 3.00, of 20.05 is 2.005, rounded up 2.01: the organizer adds 5.01.
    # Due are 30 + 3 = 33.00 and 20.05 + 2.01 = 22.06, together 55.06 = 50.05 + 5.01.
    "FRA-AUS": {
        "bets": 2,
        "pool": "50.05",
        "withdrawal": "20.02",
        "fund": "30.03",
        "minus_pool": True,
        "winning_bets": 2,
        "winning_stake": "50.05",
        "coefficient": None,
        "coefficient_display": None,
        "wins": "55.06",
        "to_jackpot": "0.00",
        "from_organizer": "5.01",
    },
}
# What each winning bet is due besides its stake given back: the divisions above.
WINS = {
    "a4": ("40.00", "0.00"),
    "a5": ("80.00", "0.00"),
    "c1": ("17.14", "0.00"),
    "c2": ("17.14", "0.00"),
    "c3": ("25.71", "0.00"),
    "d1": ("3.00", "30.00"),
    "d2": ("2.01", "20.05"),
}
BALANCES = {
    # 100.00 - 30.00 - 15.00 - 20.05 = 34.95; + 80.00 + 25.71 + 22.06 = 162.72
    "ivan": "162.72",
    # 60.00 - 35.00 - 12.50 - 10.00 = 2.50; + 17.14 = 19.64
    "anna": "19.64",
}
SHIFTS = [
    # Cash stakes: 40 + 60 + 20 + 15 = 135.00, 50.00, 45 + 10 + 20.01 = 75.01, 30.00; together 290.01.
    # Received: 290.01 and 100 + 60 of deposits = 450.01; 200.00 + 450.01 = 650.01
    ("200.00", "450.01", "0.00", "650.01", "650.01"),
    # Paid: 40.00 + 17.14 = 57.14; 650.01 - 57.14 = 592.87
    ("650.01", "0.00", "57.14", "592.87", "592.87"),
]
JOURNAL = [(1, "40.00"), (2, "17.14")]
ACCOUNTS = {
    # Desk: float 200.00 + 450.01 received; 57.14 paid.
    ("cash", "desk:K-1"): ("650.01", "57.14", "592.87", "0.00"),
    # Bank: 2000.00 of own money; 1000.00 to the special account and 200.00 to the desk.
    ("bank", "operator"): ("2000.00", "1200.00", "800.00", "0.00"),
    ("special_fund", "operator"): ("1000.00", "0.00", "1000.00", "0.00"),
    # Ivan: stakes 65.05; deposit 100.00 and wins 127.77. Anna: stakes 57.50; deposit 60.00 and win 17.14.
    ("player", "ivan"): ("65.05", "227.77", "0.00", "162.72"),
    ("player", "anna"): ("57.50", "77.14", "0.00", "19.64"),
    # Every stake has left its pool for fund and withdrawal.
    ("pool", "pool:ARG-KSA"): ("200.00", "200.00", "0.00", "0.00"),
    ("pool", "pool:DEN-TUN"): ("62.50", "62.50", "0.00", "0.00"),
    ("pool", "pool:MEX-POL"): ("100.01", "100.01", "0.00", "0.00"),
    ("pool", "pool:FRA-AUS"): ("50.05", "50.05", "0.00", "0.00"),
    # Every fund is divided; the minus pool's got 20.02 of withdrawal back and 5.01: 30.03 + 20.02 + 5.01 = 55.06.
    ("prize_fund", "pool:ARG-KSA"): ("120.00", "120.00", "0.00", "0.00"),
    ("prize_fund", "pool:DEN-TUN"): ("37.50", "37.50", "0.00", "0.00"),
    ("prize_fund", "pool:MEX-POL"): ("60.01", "60.01", "0.00", "0.00"),
    ("prize_fund", "pool:FRA-AUS"): ("55.06", "55.06", "0.00", "0.00"),
    # Wins: 80.00 credited and 40.00 paid; 25.71 + 17.14 credited and 17.14 paid; 22.06 credited, 33.00 not fetched.
    ("wins_payable", "pool:ARG-KSA"): ("120.00", "120.00", "0.00", "0.00"),
    ("wins_payable", "pool:MEX-POL"): ("59.99", "59.99", "0.00", "0.00"),
    ("wins_payable", "pool:FRA-AUS"): ("22.06", "55.06", "0.00", "33.00"),
    # 37.50 of the pool nobody won and 0.02 of residue.
    ("jackpot", "totolot"): ("0.00", "37.52", "0.00", "37.52"),
    # 80 + 25 + 40 + 20.02 = 165.02 taken, 20.02 of it given back.
    ("withdrawal_revenue", "operator"): ("20.02", "165.02", "0.00", "145.00"),
    ("organizer", "operator"): ("5.01", "2000.00", "0.00", "1994.99"),
}
# Balances: 592.87 + 800 + 1000 = 2392.87 in debit;
# 162.72 + 19.64 + 33.00 + 37.52 + 145.00 + 1994.99 = 2392.87 in credit.
# Turnover: treasury 2000 + 1000 + 200, deposits 160, stakes 412.56 and the same again at closing, withdrawal given back
# 20.02, organizer's 5.01, wins 120 + 59.99 + 55.06 = 235.05, jackpot 37.52, credited 80 + 42.85 + 22.06 = 144.91,
# paid 57.14: 3360.00 + 825.12 + 20.02 + 5.01 + 235.05 + 37.52 + 144.91 + 57.14 = 4684.77.
TURNOVER = "4684.77"
COVER = {
    "owed": {"pool": "0.00", "prize_fund": "0.00", "wins_payable": "33.00", "jackpot": "37.52"},
    # 33.00 + 37.52
    "total_owed": "70.52",
    # 162.72 + 19.64
    "players": "182.36",
    "special_account": "1000.00",
    "desks": "592.87",
    "bank": "800.00",
    "fund_is_covered": True,
    "all_is_covered": True,
}


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
        return Cast(client, Records(owner, self.here.folder / "var" / "demonstration.json"), lambda: None)


@pytest.fixture(scope="module")
def played(server: EmbeddedServer, migrated_template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """The day played once to its end."""
    urls = create_database(server, template=migrated_template)
    here = house_on(urls, tmp_path_factory.mktemp("played"))
    try:
        with served(here) as url:
            stage = Stage(here, url, io.StringIO())
            stage.play_all()
            yield stage
    finally:
        drop_database(urls)


@pytest.fixture
def unplayed(database: DatabaseUrls, tmp_path: Path) -> Iterator[Stage]:
    """A served house on an empty database."""
    here = house_on(database, tmp_path)
    with served(here) as url:
        yield Stage(here, url, io.StringIO())


@pytest.mark.parametrize("code", SHEETS)
def test_each_pool_is_divided_as_by_hand(played: Stage, code: str) -> None:
    sheet = played.cast().accountant.get(f"/pools/{code}/sheet")

    assert {name: sheet[name] for name in SHEETS[code]} == SHEETS[code]
    assert sheet["status"] == "settled"


def test_each_bet_is_due_what_it_won_and_no_other_is(played: Stage) -> None:
    cast = played.cast()

    due = {bet.name: (ticket["win"], ticket["stake_back"]) for bet, ticket in _tickets(cast)}

    assert due == {bet.name: WINS.get(bet.name, ("0.00", "0.00")) for bet in BETS}


def test_how_each_ticket_ended(played: Stage) -> None:
    status = {bet.name: ticket["status"] for bet, ticket in _tickets(played.cast())}

    # Won from a game account: credited. Won in cash: paid to whoever came, due to the one who has not come yet.
    ends = {"a4": "paid", "a5": "credited", "c1": "paid", "c2": "credited", "c3": "credited", "d1": "won"}
    assert status == {bet.name: {**ends, "d2": "credited"}.get(bet.name, "lost") for bet in BETS}


def test_the_players_money(played: Stage) -> None:
    cast = played.cast()

    assert {p.login: cast.player(p.login).get("/players/me")["balance"] for p in PLAYERS} == BALANCES


def test_the_desks_cash(played: Stage) -> None:
    cast = played.cast()
    fields = ("opening_cash", "received", "paid_out", "expected_cash", "counted_cash")

    sheets = [cast.accountant.get(f"/shifts/{number}") for number in cast.records.shift_ids("K-1")]

    assert [tuple(sheet[field] for field in fields) for sheet in sheets] == SHIFTS


def test_the_journal_of_payouts_is_numbered_and_masked(played: Stage) -> None:
    lines = played.cast().accountant.get("/payouts")["items"]

    assert [(line["number"], line["amount"]) for line in lines] == JOURNAL
    assert [(line["person"], line["document"]) for line in lines] == [
        ("С*** О.", "паспорт ***0001"),
        ("М*** Е.", "паспорт ***0002"),
    ]


def test_every_account_of_the_trial_balance(played: Stage) -> None:
    assert _accounts(played.cast()) == ACCOUNTS


def test_the_trial_balance_comes_to_nothing(played: Stage) -> None:
    balance = played.cast().accountant.get("/reports/trial-balance")

    assert (balance["debits"], balance["credits"], balance["difference"]) == (TURNOVER, TURNOVER, "0.00")


def test_the_fund_is_covered(played: Stage) -> None:
    assert played.cast().accountant.get("/reports/fund-cover") == COVER


def test_the_screen_tells_each_step_and_where_to_go_on(played: Stage) -> None:
    told = played.screen.getvalue()

    for words in (
        "22.11.2022 12:55  Окончание приёма ставок: Аргентина — Саудовская Аравия",
        "тот же билет № 1, деньги взяты один раз",
        "[stake_over_maximum]",
        "[insufficient_funds]",
        "[not_payable_yet]",
        "120.00 / 45.00 = 8/3 (2.6666)",
        "никто не выиграл, фонд 37.50 — в джек-пот",
        "Изъятие возвращено, ставки и 10 % сверху: 55.06, за счёт организатора 5.01",
        "Разница сальдо: 0.00",
        "расхождений нет",
        "Печати целы",
        "demonstration-2022",
        f"{played.url}/api/docs/",
    ):
        assert words in told


def test_a_second_start_plays_nothing_and_tells_the_same(played: Stage) -> None:
    before, told = _rows(played), played.screen.getvalue()

    again = Stage(played.here, played.url, io.StringIO())
    again.play_all()

    assert _rows(again) == before
    assert "День уже сыгран" in again.screen.getvalue()
    figures = "Что показывает учёт"
    shown = [_but_for_the_last_seal(screen.split(figures)[1]) for screen in (again.screen.getvalue(), told)]
    assert shown[0] == shown[1]


def _but_for_the_last_seal(screen: str) -> list[str]:
    """What is shown, line by line: that codes were told again is noted, and so there is one seal more."""
    return [line for line in screen.splitlines() if "следняя №" not in line]


class KilledError(BaseException):
    """The end of a run that nothing in it may catch."""


def _killed_after(answers: int) -> Callable[[httpx.Response], None]:
    """A hook that ends the run when this many requests were done: the last one's answer is never seen."""
    left = iter(range(answers - 1, -1, -1))

    def hook(_answer: httpx.Response) -> None:
        if next(left) == 0:
            raise KilledError

    return hook


def test_a_day_killed_again_and_again_comes_to_the_same_books(unplayed: Stage) -> None:
    """Each run is killed some answers later than the one before; the worker's sweep comes in between."""
    runs = 0
    finished = False
    while not finished:
        runs += 1
        cast = unplayed.cast(event_hooks={"response": [_killed_after(8 * runs)]})
        try:
            finished = play(cast, Screen(Console(file=io.StringIO())))
        except KilledError:
            close_due(unplayed.here.sessions, unplayed.here.operator)

    cast = unplayed.cast()
    assert runs > 3
    assert _accounts(cast) == ACCOUNTS
    assert [(line["number"], line["amount"]) for line in cast.accountant.get("/payouts")["items"]] == JOURNAL
    assert {match.code: cast.accountant.get(f"/pools/{match.code}/sheet")["wins"] for match in MATCHES} == {
        code: sheet["wins"] for code, sheet in SHEETS.items()
    }


def test_a_day_whose_secret_is_lost_says_so_and_takes_no_money_twice(unplayed: Stage) -> None:
    with pytest.raises(KilledError):
        play(unplayed.cast(event_hooks={"response": [_killed_after(25)]}), Screen(Console(file=io.StringIO())))
    before = _rows(unplayed)
    assert before["transfers"] > 0
    (unplayed.here.folder / "var" / "demonstration.json").unlink()

    with pytest.raises(ClickException, match="ключ терминала потерян"):
        unplayed.play_all()

    # The clock was set again for the stage that was under way; nothing else happened.
    assert {**_rows(unplayed), "clock_shifts": before["clock_shifts"]} == before


def test_the_secret_is_kept_for_its_owner_alone(played: Stage) -> None:
    assert (played.here.folder / "var" / "demonstration.json").stat().st_mode & 0o777 == 0o600


def test_no_demonstration_is_played_over_other_peoples_work(office: Office, tmp_path: Path) -> None:
    here = house_on(office.urls, tmp_path)
    with served(here) as url, pytest.raises(ClickException, match="занята другой работой"):
        show(here, url, Screen(Console(file=io.StringIO())))


def test_production_refuses_the_demonstration(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APP_ENV", "production")

    answer = office.app.test_cli_runner().invoke(args=["serve", "--demonstration"])

    assert answer.exit_code == 1
    assert "APP_ENV=production демонстрация не играется" in answer.output


def _tickets(cast: Cast) -> list[tuple[Any, dict[str, Any]]]:
    """Each bet with its ticket as it stands: the keys of the day tell the numbers."""
    return [(bet, cast.bettor(bet).get(f"/tickets/{ticket_of(cast, bet)['number']}")) for bet in BETS]


def _accounts(cast: Cast) -> dict[tuple[str, str], tuple[str, ...]]:
    """Debits, credits and balances of every account; a player's under the login."""
    logins = {f"player:{cast.player(p.login).get('/players/me')['id']}": p.login for p in PLAYERS}
    figures = ("debits", "credits", "debit_balance", "credit_balance")
    return {
        (line["kind"], logins.get(line["subject"], line["subject"])): tuple(line[name] for name in figures)
        for line in cast.accountant.get("/reports/trial-balance")["lines"]
    }


def _rows(stage: Stage) -> dict[str, int]:
    """How many rows the tables of facts hold, the clock's own among them."""
    tables = ("transfers", "tickets", "settlements", "payouts", "protocols", "shifts", "clock_shifts", "terminals")
    with stage.here.sessions() as session:
        return {table: session.scalars(text(f"SELECT count(*) FROM {table}")).one() for table in tables}
