"""The figures of the day, read from the API: pool sheets, game accounts, shifts, journal, cover, trial balance."""

from __future__ import annotations

from typing import Any

from api.commands.demonstration.cast import Cast
from api.commands.demonstration.decided import tell_decisions
from api.commands.demonstration.facts import DESK, PASSWORD, PLAYERS, STAFF
from api.commands.demonstration.matches import MATCHES
from api.commands.demonstration.members import API, RefusedError
from api.commands.demonstration.screen import Screen
from api.commands.demonstration.till import tell_journal

SHEET = {
    "ставок": "bets",
    "сумма ставок": "pool",
    "отменено ставок": "cancelled_stakes",
    "изъятие": "withdrawal",
    "выигрышный фонд": "fund",
    "выигравшие ставки": "winning_stake",
    "коэффициент": "coefficient_display",
    "к выплате": "wins",
    "в джек-пот": "to_jackpot",
    "от организатора": "from_organizer",
}
STATUSES = {
    "settled": "рассчитан",
    "payable": "выплата",
    "expired": "срок истёк",
    "archived": "в архиве",
    "returned": "возврат",
}
SHIFT = {
    "смена": "id",
    "было": "opening_cash",
    "принято": "received",
    "выплачено": "paid_out",
    "по учёту": "expected_cash",
    "пересчитано": "counted_cash",
}
ACCOUNT = {"дебет": "debits", "кредит": "credits", "сальдо Дт": "debit_balance", "сальдо Кт": "credit_balance"}
OWED = {
    "pool": "ставки открытых пулов",
    "prize_fund": "выигрышные фонды",
    "wins_payable": "невыплаченные выигрыши",
    "jackpot": "джек-пот",
}


def tell_figures(cast: Cast, screen: Screen) -> None:
    """Everything the accountant sees of the day; no login but the accountant's is needed.

    In a pool that everybody won, or whose match broke off, the withdrawal has been given back. Where the accountant is
    not let in any more, or may not read something, it is said, and the house stays open.
    """
    screen.heading("Что показывает учёт")
    closed = cast.turned_away("accountant")
    if closed:
        screen.line(f"Учёт не показан, бухгалтеру (accountant) {_no_entry(closed)}.")
        return
    try:
        _tell_books(cast, screen)
    except RefusedError as refused:
        screen.line(f"Учёт показан не весь: {refused.detail} [{refused.code}]")


def _tell_books(cast: Cast, screen: Screen) -> None:
    _tell_pools(cast, screen)
    tell_decisions(cast, screen)
    _tell_players(cast, screen)
    _tell_shifts(cast, screen)
    tell_journal(screen, cast.accountant.get("/payouts")["items"])
    _tell_cover(screen, cast.accountant.get("/reports/fund-cover"))
    _tell_balance(screen, cast.accountant.get("/reports/trial-balance"))


def tell_logins(cast: Cast, screen: Screen, page: str) -> None:
    """Where the API's page is and how to sign in."""
    screen.heading("Работа с API")
    terminal = cast.records.terminal() or {"code": "—", "secret": "—"}
    screen.table(
        f"Пароль у всех: {PASSWORD}",
        ("<логин", "<роль", "<вход"),
        [
            *((login, role.value, _door(cast, login, "/sessions")) for login, (_, role) in STAFF.items()),
            *((player.login, "player", _door(cast, player.login, "/player-sessions")) for player in PLAYERS),
        ],
    )
    screen.line(f"Кассир входит с терминала {terminal['code']}, его ключ: {terminal['secret']}")
    screen.line(f"Страница API: {page}")


def _door(cast: Cast, login: str, path: str) -> str:
    """Where somebody signs in, or why that login does not open any more."""
    closed = cast.turned_away(login)
    return _no_entry(closed) if closed else f"POST {API}{path}"


def _no_entry(why: str) -> str:
    return f"войти нельзя: {why}"


def _tell_pools(cast: Cast, screen: Screen) -> None:
    sheets = [cast.accountant.get(f"/pools/{match.code}/sheet") for match in MATCHES]
    screen.table(
        "Ведомость пулов",
        ("<", *(match.code for match in MATCHES)),
        [
            ("счёт матча", *(match.in_force.score for match in MATCHES)),
            ("что с ним", *("состоялся" if match.in_force.outcomes else "прерван" for match in MATCHES)),
            ("состояние пула", *(STATUSES[sheet["status"]] for sheet in sheets)),
            ("расчётов", *(len(sheet["versions"]) for sheet in sheets)),
            *((name, *(sheet[field] for sheet in sheets)) for name, field in SHEET.items()),
        ],
    )
    screen.table(
        "Ставки по исходам",
        ("<пул", "<исход", "ставок", "сумма", "<итог"),
        [
            (sheet["code"], line["code"], line["bets"], line["stakes"], "выиграл" if line["true"] else "")
            for sheet in sheets
            for line in sheet["outcomes"]
        ],
    )


def _tell_players(cast: Cast, screen: Screen) -> None:
    shown = [cast.accountant.get(f"/players/{cast.records.player_id(player.login)}") for player in PLAYERS]
    rows = [(card["login"], card["balance"]) for card in shown]
    screen.table("Игровые счета", ("<игрок", "остаток"), rows)


def _tell_shifts(cast: Cast, screen: Screen) -> None:
    sheets = [cast.accountant.get(f"/shifts/{number}") for number in cast.records.shift_ids(DESK["code"])]
    screen.table(f"Смены кассы {DESK['code']}", tuple(SHIFT), [[sheet[f] for f in SHIFT.values()] for sheet in sheets])


def _tell_cover(screen: Screen, cover: dict[str, Any]) -> None:
    rows = [(f"должны: {OWED[kind]}", amount) for kind, amount in cover["owed"].items()]
    rows += [
        ("должны по фондам, всего", cover["total_owed"]),
        ("специальный счёт", cover["special_account"]),
        ("кассы", cover["desks"]),
        ("наличные в пути", cover["in_transit"]),
        ("должны игрокам на счетах", cover["players"]),
        ("расчётный счёт", cover["bank"]),
    ]
    screen.table("Покрытие фонда", ("<что", "сумма"), rows)
    covered = cover["fund_is_covered"] and cover["all_is_covered"]
    screen.line("Фонд покрыт, деньги игроков покрыты." if covered else "ФОНД НЕ ПОКРЫТ.")


def _tell_balance(screen: Screen, balance: dict[str, Any]) -> None:
    screen.table(
        "Оборотная ведомость",
        ("<счёт", "<название", "<чей", *ACCOUNT),
        [
            (line["code"], line["title"], line["subject"], *(line[field] for field in ACCOUNT.values()))
            for line in balance["lines"]
        ],
    )
    screen.line(
        f"Обороты: дебет {balance['debits']}, кредит {balance['credits']}. Разница сальдо: {balance['difference']}."
    )
