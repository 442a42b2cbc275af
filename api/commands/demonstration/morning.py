"""The morning: people are hired, the desk opened on counted cash, matches and pools announced."""

from __future__ import annotations

from api.commands.demonstration.cast import Cast
from api.commands.demonstration.facts import (
    CASH_LIMIT,
    CERTIFICATE,
    CHANGE,
    COUNTED_AT_OPENING,
    DESK,
    PASSWORD,
    PLAYERS,
    SALES_BEGIN,
    STAFF,
    TREASURY,
    PlayerFacts,
)
from api.commands.demonstration.matches import MATCHES, MAXIMUM_STAKE, MINIMUM_STAKE, Match
from api.commands.demonstration.screen import Screen
from api.commands.demonstration.till import start_shift


def hire(cast: Cast, screen: Screen) -> None:
    """The morning: people, the desk and its terminal, the operator's money, the shift, two players."""
    name, _ = STAFF["administrator"]
    cast.records.first_login("administrator", name, PASSWORD)
    for login, (name, role) in STAFF.items():
        body = {"login": login, "name": name, "role": role.value, "password": PASSWORD}
        cast.administrator.post_unless("login_taken", "/users", body)
    screen.table("Сотрудники", ("<логин", "<имя", "<роль"), [(login, *who) for login, who in STAFF.items()])
    cast.administrator.post_unless("certificate_known", "/desk-certificates", CERTIFICATE)
    cast.administrator.post_unless("code_taken", "/desks", DESK)
    cast.install_terminal()
    for act, amount in TREASURY:
        cast.accountant.post("/treasury-movements", {"act": act, "amount": amount}, f"treasury-{act}")
    _bring_change(cast)
    own, special = (amount for _, amount in TREASURY)
    screen.line(f"Свои деньги организатора на расчётном счёте: {own}, из них на специальный счёт фонда: {special},")
    screen.line(f"в кассу {DESK['code']} ({DESK['place']}) бухгалтер передал, а кассир принял: {CHANGE}.")
    screen.line(
        f"Свидетельство № {CERTIFICATE['number']} на {CERTIFICATE['desks']} кассы; лимит: {CASH_LIMIT['limit']}."
    )
    start_shift(cast, screen, COUNTED_AT_OPENING)
    for player in PLAYERS:
        _register(cast, player)
    screen.table(
        "Игроки", ("<логин", "<имя", "внесено"), [(p.login, f"{p.name} {p.surname}", p.deposit) for p in PLAYERS]
    )


def announce(cast: Cast, screen: Screen) -> None:
    """Each match, and a pool on it."""
    for match in MATCHES:
        _announce(cast, match)
    screen.table(
        f"Пулы «Тотолот-Вариант», ставка от {MINIMUM_STAKE} до {MAXIMUM_STAKE}",
        ("<пул", "<матч", "<на что", "<исходы", "<начало", "<ставки до"),
        [
            (m.code, m.name, m.pool_name, ", ".join(m.outcomes), f"{m.starts_at:%H:%M}", f"{m.bets_until:%H:%M}")
            for m in MATCHES
        ],
    )


def _bring_change(cast: Cast) -> None:
    """The bank's limit for the desk, and its change: sent by one person, received by another."""
    desk_id = cast.records.desk_id(DESK["code"])
    if cast.accountant.get(f"/desks/{desk_id}/cash")["limit"] is None:
        cast.accountant.post(f"/desks/{desk_id}/cash-limits", CASH_LIMIT)
    sent = cast.accountant.post("/desk-floats", {"amount": CHANGE, "desk_id": desk_id}, "change-sent")
    path = f"/desk-floats/{sent['number']}/reception"
    cast.cashier.post(path, {"counted": CHANGE}, "change-received")


def _register(cast: Cast, player: PlayerFacts) -> None:
    body = {
        "login": player.login,
        "password": PASSWORD,
        "surname": player.surname,
        "name": player.name,
        "birth_date": player.birth_date,
    }
    cast.cashier.post_unless("login_taken", "/players", body)
    cast.cashier.post("/deposits", {"player": player.login, "amount": player.deposit}, f"deposit-{player.login}")


def _announce(cast: Cast, match: Match) -> None:
    event = {
        "code": match.code,
        "name": match.name,
        "sport": "football",
        "home": match.home,
        "away": match.away,
        "venue_zone": match.venue_zone,
        "starts_at": match.starts_at.isoformat(),
    }
    cast.organizer.post_unless("code_taken", "/events", event)
    pool = {
        "code": match.code,
        "name": match.pool_name,
        "game": "totolot_variant",
        "event_id": cast.records.event_id(match.code),
        "opens_at": SALES_BEGIN.isoformat(),
        "closes_at": match.bets_until.isoformat(),
        "minimum_stake": MINIMUM_STAKE,
        "maximum_stake": MAXIMUM_STAKE,
        "outcomes": [{"code": code, "name": name} for code, name in match.outcomes.items()],
    }
    cast.organizer.post_unless("code_taken", "/pools", pool)
