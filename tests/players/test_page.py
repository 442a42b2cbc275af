"""A player's page: balance, statement, running bets, six months of history, the archive (T-Rules 35.3, D-1)."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from office.operator import Operator
from players.history import first_day_shown, last_day_shown, shown_since
from reports.players_bets import BetsAsked, players_bets
from reports.statements import title_of
from tests.office import BANK_ACCOUNT, Member, Office
from tests.reports.positions import CAME, FIRST, TOTOLOT, announced, determine
from tests.reports.positions import bet as marked


def statement(member: Member, path: str = "/players/me/statement", **page: Any) -> list[tuple[str, str, str]]:
    """What each line says, how much it moved and what was left."""
    items = member.get(path, **page).json["items"]
    return [(line["title"], line["amount"], line["balance_after"]) for line in items]


@pytest.fixture
def settled(office: Office) -> Member:
    """50.00 paid in, 10.00 and 5.00 staked; 10.00 of 20.00 win the fund of 12.00; 7.00 out, 3.00 to the bank."""
    pool = office.pool()
    player = office.player("ivan", "50.00")
    assert office.bet(player, "1", "10.00").status_code == 201
    assert office.bet(office.cashier, "2", "10.00").status_code == 201
    office.decide(pool, "1")
    office.clock("2022-11-22T08:30:00+03:00")
    office.pool("P2")
    assert office.bet(player, "X", "5.00", "P2").status_code == 201
    assert office.withdraw("ivan", "7.00").status_code == 201
    player.put("/players/me/bank-account", BANK_ACCOUNT)
    number = player.post("/players/me/withdrawals", {"amount": "3.00"}).json["id"]
    told = {"reason": "счёт закрыт"}
    assert office.accountant.post(f"/account-withdrawals/{number}/ending", told).status_code == 201
    return player


LINES = [
    ("Перевод не отправлен, деньги возвращены", "3.00", "40.00"),
    ("Списано для перевода на банковский счёт", "-3.00", "37.00"),
    ("Выдано наличными", "-7.00", "40.00"),
    ("Ставка", "-5.00", "47.00"),
    ("Выигрыш или возврат ставки зачислен", "12.00", "52.00"),
    ("Ставка", "-10.00", "40.00"),
    ("Пополнение наличными", "50.00", "50.00"),
]


def test_t_rules_35_3_the_statement_tells_every_movement_and_what_was_left(office: Office, settled: Member) -> None:
    assert statement(settled) == LINES
    assert settled.get("/players/me").json["balance"] == "40.00"
    assert statement(office.auditor, "/players/1/statement") == LINES


def test_t_rules_35_3_pages_of_a_statement_hang_together(office: Office, settled: Member) -> None:
    """Two lines a page; a movement that comes between two pages changes none of them."""
    first = settled.get("/players/me/statement", limit=2).json
    assert office.cashier.post("/deposits", {"player": "ivan", "amount": "1.00"}).status_code == 201
    seen, cursor = first["items"], first["next_cursor"]
    while cursor:
        page = settled.get("/players/me/statement", limit=2, cursor=cursor).json
        seen, cursor = [*seen, *page["items"]], page["next_cursor"]
    assert [(line["title"], line["amount"], line["balance_after"]) for line in seen] == LINES
    assert statement(settled, limit=1) == [("Пополнение наличными", "1.00", "41.00")]


def test_every_line_reads_in_russian() -> None:
    assert title_of("win_credited_reversed") == "Исправлено: Выигрыш или возврат ставки зачислен"
    assert title_of("a_kind_of_tomorrow") == "Прочее движение"


def test_t_rules_35_3_running_bets_and_the_history_with_results(office: Office, settled: Member) -> None:
    running, ended = (settled.get("/players/me/bets", active=active).json["items"] for active in ("true", "false"))
    assert [(bet["pool"], bet["stake"], bet["status"], bet["result"]) for bet in running] == [
        ("P2", "5.00", "accepted", None)
    ]
    (bet,) = ended
    assert (bet["event"], bet["outcome"], bet["outcome_name"]) == ("Аргентина — Саудовская Аравия", "1", "П1")
    assert (bet["stake"], bet["status"], bet["win"]) == ("10.00", "credited", "12.00")
    assert (bet["standing"], bet["result"], bet["active"]) == ("held", ["1"], False)
    assert [bet["number"] for bet in settled.get("/players/me/bets").json["items"]] == [3, 1]
    assert office.supervisor.get("/players/1/bets").json == settled.get("/players/me/bets").json


@pytest.mark.parametrize(
    ("placed", "last"),
    [
        (date(2022, 11, 22), date(2023, 5, 22)),
        (date(2022, 8, 31), date(2023, 2, 28)),
        (date(2023, 8, 31), date(2024, 2, 29)),
        (date(2022, 12, 31), date(2023, 6, 30)),
        (date(2024, 2, 29), date(2024, 8, 29)),
    ],
)
def test_d_1_six_months_from_the_day_of_the_bet(placed: date, last: date) -> None:
    """By the calendar at once, to the month's last day where it is shorter; the next day shows it no more."""
    assert last_day_shown(placed) == last
    assert first_day_shown(last) <= placed < first_day_shown(date.fromordinal(last.toordinal() + 1))


@pytest.mark.parametrize(
    ("today", "first"),
    [
        (date(2023, 2, 28), date(2022, 8, 28)),
        (date(2023, 3, 1), date(2022, 9, 1)),
        (date(2023, 8, 29), date(2023, 3, 1)),
        (date(2023, 8, 28), date(2023, 2, 28)),
        (date(2024, 8, 30), date(2024, 3, 1)),
    ],
)
def test_d_1_the_first_day_a_page_shows(today: date, first: date) -> None:
    """Bets of 28.02.2023 are shown to 28.08.2023, so that on the 29th the first ones shown are those of 1 March."""
    assert first_day_shown(today) == first


def numbers(member: Member, path: str = "/players/me/bets", **asked: Any) -> list[int]:
    """The numbers of the bets a page shows."""
    return [bet["number"] for bet in member.get(path, **asked).json["items"]]


def renewed(office: Office) -> Member:
    """The player signed in anew: a session does not last for half a year."""
    told = {"login": "ivan", "password": "correct horse battery"}
    return Member(office.client, office.client.post("/api/v1/player-sessions", json=told).json["token"])


def test_t_rules_29_a_cancelled_bet_is_told_as_cancelled_when_its_stake_is_back(office: Office) -> None:
    """Credited like a win, it would look like one: the page tells when and why, and of the other bet nothing."""
    office.pool()
    player = office.player("ivan", "10.00")
    gone, kept = (office.bet(player, "2", "5.00").json["number"] for _ in range(2))
    breach = {"reason": "influence", "explanation": "Судья матча"}
    cancelled = office.organizer.post(f"/tickets/{gone}/cancellation", breach)
    assert cancelled.status_code == 201, cancelled.json
    told = ("number", "status", "stake_back", "cancelled_at", "cancellation_reason")
    for reader, path in ((player, "/players/me/bets"), (office.supervisor, "/players/1/bets")):
        assert [tuple(bet[name] for name in told) for bet in reader.get(path).json["items"]] == [
            (kept, "accepted", None, None, None),
            (gone, "credited", "5.00", cancelled.json["cancelled_at"], "influence"),
        ]


def test_t_rules_35_3_a_bet_leaves_the_page_after_six_months_and_stays_in_the_archive(office: Office) -> None:
    """Placed on 22.11.2022 and lost: on the page up to 22.05.2023 24:00 in Minsk, in the archive for ever."""
    pool = office.pool()
    player = office.player("ivan", "10.00")
    office.bet(player, "2", "10.00")
    office.decide(pool, "1")
    assert office.supervisor
    office.clock("2023-05-22T23:59:50+03:00")
    assert numbers(renewed(office)) == [1]
    office.clock("2023-05-23T00:00:00+03:00")
    assert numbers(renewed(office)) == []
    assert numbers(renewed(office), active="false") == []
    assert numbers(office.sign_in("supervisor"), "/players/1/bets") == [1]


def test_t_rules_35_3_a_bet_that_still_runs_is_shown_however_old(office: Office) -> None:
    office.pool()
    player = office.player("ivan", "10.00")
    office.bet(player, "2", "10.00")
    office.clock("2024-01-01T00:00:00+03:00")
    assert numbers(renewed(office)) == numbers(renewed(office), active="true") == [1]


@pytest.mark.parametrize(
    ("zone", "now", "since"),
    [
        ("Europe/Minsk", "2023-05-22T23:59:59.999999+03:00", "2022-11-22T00:00:00+03:00"),
        ("Europe/Minsk", "2023-05-23T00:00:00+03:00", "2022-11-23T00:00:00+03:00"),
        ("Europe/Minsk", "2023-05-23T00:00:00.000001+03:00", "2022-11-23T00:00:00+03:00"),
        ("Europe/Berlin", "2023-05-22T23:59:59.999999+02:00", "2022-11-22T00:00:00+01:00"),
        ("Europe/Berlin", "2023-05-23T00:00:00+02:00", "2022-11-23T00:00:00+01:00"),
    ],
)
def test_d_1_the_page_turns_at_midnight_to_the_microsecond(zone: str, now: str, since: str) -> None:
    """Of the operator's zone, with summer time or without."""
    operator = Operator("ООО «Проба»", ZoneInfo(zone))
    assert shown_since(operator, datetime.fromisoformat(now)) == datetime.fromisoformat(since)


@pytest.mark.parametrize(("later", "found"), [(-1, 1), (0, 1), (1, 0)])
def test_a_bet_is_on_the_page_from_its_instant_on(office: Office, later: int, found: int) -> None:
    """One microsecond before, at, and after the instant the page begins at."""
    pool = office.pool()
    player = office.player("ivan", "10.00")
    office.bet(player, "2", "10.00")
    office.decide(pool, "1")
    with office.house.sessions() as session:
        (bet,) = players_bets(session, BetsAsked(1), 0, 10)
        since = bet.placed_at + timedelta(microseconds=later)
        assert len(players_bets(session, BetsAsked(1, since=since), 0, 10)) == found


def test_t_rules_35_3_what_a_player_told_is_confidential(office: Office, settled: Member) -> None:
    """Nobody sees a name, a birth date or an account in clear on the card; another player sees nothing."""
    secret = ("Игрок-ivan", "Пробный", "1990-05-17", BANK_ACCOUNT["account"], "MP-ivan-1")
    for reader in (settled, office.supervisor, office.accountant, office.auditor):
        shown = reader.get("/players/1")
        assert (shown.status_code, shown.json["person"]) == (200, "И*** П.")
        assert not [word for word in secret if word in shown.text]
    other = office.player("olga")
    assert other.get("/players/1").status_code == 404
    assert {other.get(path).status_code for path in ("/players/1/statement", "/players/1/bets")} == {403}
    for role in (office.cashier, office.organizer, office.trader):
        assert role.get("/players/1").status_code == 403


def test_a_bet_on_positions_tells_its_marks_and_what_came_of_each(office: Office) -> None:
    """T-Rules 35.3: 6.00 on two rows; position B was not held and is not counted (D-22)."""
    player = office.player("ivan", "10.00")
    pool = announced(office, TOTOLOT, not_held="drop")
    marked(player, FIRST, "6.00")
    (running,) = player.get("/players/me/bets").json["items"]
    assert (running["outcome_name"], running["rows"], running["marks"]) == (
        "3 позиции, 2 ставки",
        2,
        [["1"], ["1", "X"], ["2"]],
    )
    assert running["result"] is None
    determine(office, pool, {**CAME, "B": None})
    (known,) = player.get("/players/me/bets").json["items"]
    assert (known["standing"], known["result"]) == ("held", ["1", None, "2"])
