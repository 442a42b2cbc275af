"""The acts of a day in which persons, passwords, tokens, secrets and codes are told, done and gone wrong."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from sqlalchemy import text

from db.session import transaction
from tests.office import PASSWORD
from tests.prove.overheard import Day
from tests.prove.served import NEXT_DAY
from tests.prove.workers import METRICS_TOKEN, Line

NAMES = [
    *("Звездочётова", "Аполлинария", "Вольфганговна", "Переплётчиков", "Добрыня", "Крыжановский", "Модест"),
    *("Недоглядова", "Пелагея"),
]
DOCUMENTS = ["MP7391846", "HB5028173", "KB6640925", "KH4817263"]
CONTACTS = ["+375297418365", "375297418365", "apollinaria@zvezda.example", "1987-03-29", "29.03.1987"]
ISSUED_BY = ["Кобринский РОВД"]
PLAYER_PASSWORD = "лунная соната 14 до-диез"
WRONG_PASSWORD = "неверный, но чужой пароль"
OWN_PASSWORDS = ("гроза над Неманом в июле", "тихая Свислочь под мостом")
ENTITY = ["Мыловаренный завод", "190847362"]
PERSONAL = [*NAMES, *DOCUMENTS, *CONTACTS, *ISSUED_BY, *ENTITY]

ANNA = {"surname": NAMES[0], "name": NAMES[1], "patronymic": NAMES[2], "birth_date": "1987-03-29"}
REACHED = {"phone": "+375 29 741-83-65", "email": "Apollinaria@zvezda.example"}


def document(number: str) -> dict[str, str]:
    """An identity document."""
    return {"kind": "паспорт", "number": number, "issued_on": "2015-03-01", "issued_by": ISSUED_BY[0]}


def live(day: Day) -> None:
    """Everything in which a person, a secret or a code is told."""
    day.known += PERSONAL
    cashier = day.served.cashier
    with day.task_worker():
        player = _register(day, cashier)
        scanned, typed = _sell_and_settle(day, cashier, player)
        _pay(day, cashier, scanned)
        _pay_by_two(day, cashier, typed)
        _look(day)
        _go_wrong(day, cashier)
        _change_passwords(day, cashier, player)
        _renew_the_terminal(day)
        assert day.commands("rotate-keys", "retention", "audit", "seal") == [0] * 4
        _take_out(day)


def _register(day: Day, cashier: Line) -> Line:
    player = {"login": "anna", "password": PLAYER_PASSWORD, **ANNA, **REACHED, "document": document(DOCUMENTS[0])}
    day.keep(cashier.post("/players", player), 201)
    representative = {"surname": NAMES[3], "name": NAMES[4], "document": document(DOCUMENTS[1])}
    entity = {"title": ENTITY[0], "registration_number": ENTITY[1], "representative": representative}
    day.keep(cashier.post("/players", {"login": "zavod", "password": PLAYER_PASSWORD, "legal_entity": entity}), 201)
    day.keep(cashier.post("/deposits", {"player": "anna", "amount": "20.00"}), 201)
    token = day.keep(cashier.post("/player-sessions", {"login": "anna", "password": PLAYER_PASSWORD}), 201)["token"]
    return day.served.bearer(token)


def _sell_and_settle(day: Day, cashier: Line, player: Line) -> tuple[str, str]:
    """Single bets, a batch, a replay; a pool settled, another after its protocol was corrected; two winning codes."""
    served = day.served
    pool, mended = served.pool(), served.pool()
    for one in (pool, mended):
        day.keep(player.bet("1", "5.00", one["code"]), 201)
        day.keep(cashier.bet("2", "5.00", one["code"]), 201)
    won = day.keep(cashier.bet("1", "5.00", pool["code"], key="the-same-key"), 201)["code"]
    assert day.keep(cashier.bet("1", "5.00", pool["code"], key="the-same-key"), 201)["code"] == won
    batch = [
        {"key": f"a-line-{stake}-of-a-batch", "pool": pool["code"], "outcome": "1", "stake": stake}
        for stake in ("6.00", "7.00", "0.01")
    ]
    lines = day.keep(cashier.post("/pool-bet-batches", {"lines": batch}), 200)["lines"]
    for one in (pool, mended):
        day.keep(served.organizer.post(f"/pools/{one['code']}/closing"), 201)
        served.protocol(one, "1")
    _correct(day, mended)
    for one in (pool, mended):
        day.keep(served.organizer.post(f"/pools/{one['code']}/settlement"), 201)
    return won, lines[0]["ticket"]["code"]


def _correct(day: Day, pool: dict[str, Any]) -> None:
    """A correction is an alarm, and so is a hold of payouts."""
    served, path = day.served, f"/events/{pool['event_id']}"
    second = served.line(served.office.second_organizer)
    (wrong,) = day.keep(second.get(path + "/protocols"), 200)["items"]
    right = {"outcomes": ["2"], "source": "протокол матча", "corrects": wrong["number"], "reason": "clerical_error"}
    entered = day.keep(served.organizer.post(path + "/results", {**right, "explanation": "описка"}), 201)
    drawn = {"result_id": entered["id"], "signatories": ["Первый член", "Второй член"]}
    day.keep(second.post(path + "/protocols", drawn), 201)
    held = day.keep(served.organizer.post(f"/pools/{pool['code']}/payout-holds", {"reason": "сверка"}), 201)
    day.keep(served.organizer.post(f"/payout-holds/{held['id']}/release", {"reason": "сверено"}), 201)


def _pay(day: Day, cashier: Line, code: str) -> None:
    paid = {"surname": NAMES[5], "name": NAMES[6], "document": document(DOCUMENTS[2])}
    told = {"code": code, "code_entry": "scanned", **paid}
    day.keep(cashier.post("/payouts", told, key="too-early-a-payout"), 409)
    day.served.office.clock(NEXT_DAY)
    day.keep(cashier.post("/payouts", told), 201)
    day.keep(cashier.post("/payouts", told), 409)


def _pay_by_two(day: Day, cashier: Line, code: str) -> None:
    """A typed code is proposed with the person's document, approved, and presented again."""
    paid = {"surname": NAMES[7], "name": NAMES[8], "document": document(DOCUMENTS[3])}
    told = {"code": code, "code_entry": "typed", **paid}
    supervisor = day.served.line(day.served.office.supervisor)
    proposal = day.keep(cashier.post("/payout-proposals", {**told, "reason": "QR-код не читается"}), 201)["id"]
    day.keep(supervisor.get("/approvals"), 200)
    day.keep(supervisor.get(f"/approvals/{proposal}"), 200)
    day.keep(supervisor.post(f"/approvals/{proposal}/decision", {"decision": "approved"}), 201)
    day.keep(cashier.post("/payouts", {**told, "approval": proposal}), 201)


def _look(day: Day) -> None:
    line, office = day.served.line, day.served.office
    supervisor = line(office.supervisor)
    hits = day.keep(supervisor.post("/persons/searches", {"words": f"{NAMES[1]} {NAMES[0]}"}), 200)["items"]
    seen = day.keep(supervisor.post(f"/persons/{hits[0]['person_id']}/views", {"reason": "заявление"}), 201)
    assert seen["details"]["surname"] == NAMES[0]
    printed = day.keep(line(office.accountant).post("/payouts/views", {"reason": "журнал"}), 201)["items"]
    assert {one["person"] for one in printed} == {f"{NAMES[5]} {NAMES[6]}", f"{NAMES[7]} {NAMES[8]}"}
    day.keep(supervisor.get("/payouts"), 200)


def _go_wrong(day: Day, cashier: Line) -> None:
    """FIELD-FAULTS 117: a failed validation, a query in an address, a wrong password, a fault of the program."""
    wrong = {"code": "x", "surname": NAMES[5], "name": "", "document": document(DOCUMENTS[2])}
    for path in ("/payouts", "/payout-proposals"):
        day.keep(cashier.post(path, wrong), 422)
    day.keep(cashier.get("/tickets/2", document=DOCUMENTS[0], surname=NAMES[0]), 422)
    day.keep(cashier.get(f"/{quote('persons')}", document=DOCUMENTS[0]), 404)
    day.keep(cashier.post("/sessions", {"login": "cashier", "password": WRONG_PASSWORD}), 401)
    changed = {"old_password": WRONG_PASSWORD, "password": OWN_PASSWORDS[0]}
    day.keep(cashier.put("/own-password", changed), 403)
    supervisor, owner = day.served.line(day.served.office.supervisor), day.served.office.owner
    cut = text("UPDATE person_versions SET ciphertext = set_byte(ciphertext, 20, get_byte(ciphertext, 20) # 1)")
    for status in (500, 200):
        with transaction(owner) as session:
            session.execute(cut)
        day.keep(supervisor.get("/persons/1"), status)


def _change_passwords(day: Day, cashier: Line, player: Line) -> None:
    """One-time passwords of a user and of a player, each changed for one of their own."""
    office, bearer = day.served.office, day.served.bearer
    assert office.auditor
    administrator = day.served.line(office.administrator)
    (auditor,) = [one for one in day.keep(administrator.get("/users"), 200)["items"] if one["login"] == "auditor"]
    once = day.keep(administrator.post(f"/users/{auditor['id']}/password-reset"), 201)["password"]
    came = day.keep(cashier.post("/sessions", {"login": "auditor", "password": once}), 201)
    change = {"old_password": once, "password": OWN_PASSWORDS[0]}
    day.keep(bearer(came["token"]).put("/own-password", change), 200)

    change = {"old_password": PLAYER_PASSWORD, "password": OWN_PASSWORDS[1]}
    day.keep(player.put("/own-password", change), 200)
    shown = {"login": "anna", **ANNA, "document": document(DOCUMENTS[0])}
    once = day.keep(cashier.post("/players/password-resets", shown), 201)["password"]
    came = day.keep(cashier.post("/player-sessions", {"login": "anna", "password": once}), 201)
    change = {"old_password": once, "password": PLAYER_PASSWORD}
    day.keep(bearer(came["token"]).put("/own-password", change), 200)


def _renew_the_terminal(day: Day) -> None:
    administrator = day.served.line(day.served.office.administrator)
    renewed = day.keep(administrator.post("/terminals/1/credentials", {"reason": "ключ утерян"}), 201)["secret"]
    proof = {"terminal": {"code": "T-1", "secret": renewed}}
    day.keep(administrator.post("/sessions", {"login": "cashier", "password": PASSWORD, **proof}), 201)


def _take_out(day: Day) -> None:
    """What leaves the house: the significant events as a file, and the figures for the holder of their token."""
    exported = day.served.line(day.served.office.administrator).get("/significant-events/export")
    assert exported.status_code == 200, exported.text
    for token, status in ((METRICS_TOKEN, 200), (METRICS_TOKEN[:-1], 401)):
        figures = day.clients.get("/metrics", headers={"Authorization": f"Bearer {token}"})
        assert figures.status_code == status
        day.exported += figures.content
    day.exported += exported.content
