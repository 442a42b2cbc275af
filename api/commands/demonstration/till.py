"""The desk's cash: shifts opened and closed on counted money, wins paid against passports and put into the journal."""

from __future__ import annotations

from typing import Any

from api.commands.demonstration.bets import ON_THE_NEXT_DAY, PASSPORT_OF, Claim
from api.commands.demonstration.cast import Cast
from api.commands.demonstration.facts import COUNTED_AT_NIGHT, COUNTED_NEXT_EVENING, DESK
from api.commands.demonstration.sales import ticket_of
from api.commands.demonstration.screen import Screen

FIRST_RECEIPT, FIRST_REPORT = 1200, 510
"""What the desk's cash register had printed before: it counts receipts and daily reports of its own."""
JOURNAL = ("№", "билет", "<получатель", "<документ", "<кассир", "<ККМ", "сумма")
JOURNAL_FIELDS = ("number", "ticket", "person", "document", "cashier", "cash_register", "amount")


def start_shift(cast: Cast, screen: Screen, counted: str) -> None:
    """Open a shift on counted cash; the API refuses a count that the books do not know."""
    # The key is the stage's own: were it of the shifts opened so far, a stage played again would be refused under the
    # key of the next day's opening, and the refusal would stand for that one.
    cast.cashier.post("/shifts", {"counted": counted}, f"demonstration-opening-{counted}")
    screen.line(f"Смена на кассе {DESK['code']} открыта, пересчитано наличных: {counted}.")


def end_shift(cast: Cast, screen: Screen, counted: str) -> None:
    """Close the desk's latest shift on the cash in its drawer."""
    shift_id = cast.records.shift_ids(DESK["code"])[-1]
    path = f"/shifts/{shift_id}/closing"
    sheet = cast.cashier.post(path, {"counted": counted}, f"demonstration-closing-{shift_id}")
    screen.line(
        f"Смена закрыта: было {sheet['opening_cash']}, принято {sheet['received']}, выплачено {sheet['paid_out']}, "
        f"должно быть {sheet['expected_cash']}, пересчитано {sheet['counted_cash']}."
    )
    report = cast.cashier.post(f"/shifts/{shift_id}/fiscal-report", {"number": f"{FIRST_REPORT + shift_id:04d}"})
    screen.line(f"Фискальный отчёт № {report['number']} внесён: отчёт смены окончателен.")


def pay(cast: Cast, claim: Claim, occasion: str = "payout") -> dict[str, Any]:
    """Pay whoever presents a ticket, once for each occasion, and enter the receipt that the cash register printed.

    Returns:
        The journal's line; the same number entered once more changes nothing.
    """
    paid = cast.cashier.post("/payouts", _presented(cast, claim), f"{occasion}-{claim.bet.name}")
    receipt = {"number": f"{FIRST_RECEIPT + paid['number']:06d}"}
    return cast.cashier.post(f"/payouts/{paid['number']}/fiscal-receipt", receipt)


def come_too_early(cast: Cast, screen: Screen, claim: Claim) -> None:
    """A win is paid from the next day on: on the evening of the match the desk refuses (T-Rules 40)."""
    refused = cast.cashier.refusal_of("/payouts", _presented(cast, claim), f"too-early-{claim.bet.name}")
    screen.line(f"Билет ставки {claim.bet.stake} предъявлен в тот же вечер — отказ: {refused.detail} [{refused.code}]")


def pay_claims(cast: Cast, screen: Screen) -> None:
    """The next morning: a new shift on last night's cash, and the wins somebody comes for."""
    start_shift(cast, screen, COUNTED_AT_NIGHT)
    tell_journal(screen, [pay(cast, claim) for claim in ON_THE_NEXT_DAY])


def end_next_day(cast: Cast, screen: Screen) -> None:
    """The second shift is closed on what was counted after the payouts."""
    end_shift(cast, screen, COUNTED_NEXT_EVENING)


def tell_journal(screen: Screen, lines: list[dict[str, Any]]) -> None:
    """The journal of cash payouts, personal data masked."""
    screen.table("Журнал выплат наличными", JOURNAL, [[line[field] for field in JOURNAL_FIELDS] for line in lines])


def _presented(cast: Cast, claim: Claim) -> dict[str, Any]:
    document = {**PASSPORT_OF, "number": claim.passport}
    code = ticket_of(cast, claim.bet)["code"]
    return {"code": code, "code_entry": "scanned", "surname": claim.surname, "name": claim.name, "document": document}
