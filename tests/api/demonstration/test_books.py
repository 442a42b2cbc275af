"""The money of the demonstration, account by account, as `books` has it by hand."""

from __future__ import annotations

from api.commands.demonstration.facts import PLAYERS
from tests.api.demonstration.books import ACCOUNTS, BALANCES, COVER, JOURNAL, SHIFTS, TURNOVER
from tests.api.demonstration.staged import Stage, accounts, journal


def test_the_players_money(played: Stage) -> None:
    cast = played.cast()

    assert {p.login: cast.player(p.login).get("/players/me")["balance"] for p in PLAYERS} == BALANCES


def test_the_desks_cash(played: Stage) -> None:
    cast = played.cast()
    fields = ("opening_cash", "received", "paid_out", "expected_cash", "counted_cash")

    sheets = [cast.accountant.get(f"/shifts/{number}") for number in cast.records.shift_ids("K-1")]

    assert [tuple(sheet[field] for field in fields) for sheet in sheets] == SHIFTS


def test_the_journal_of_payouts_is_numbered_and_masked(played: Stage) -> None:
    cast = played.cast()

    assert journal(cast) == JOURNAL
    assert [(line["person"], line["document"]) for line in cast.accountant.get("/payouts")["items"]] == [
        ("З*** И.", "паспорт ***0005"),
        ("Б*** Ю.", "паспорт ***0004"),
        ("С*** О.", "паспорт ***0001"),
        ("М*** Е.", "паспорт ***0002"),
        ("Г*** П.", "паспорт ***0003"),
        ("М*** Е.", "паспорт ***0002"),
    ]


def test_every_account_of_the_trial_balance(played: Stage) -> None:
    assert accounts(played.cast()) == ACCOUNTS


def test_the_trial_balance_comes_to_nothing(played: Stage) -> None:
    balance = played.cast().accountant.get("/reports/trial-balance")

    assert (balance["debits"], balance["credits"], balance["difference"]) == (TURNOVER, TURNOVER, "0.00")


def test_the_fund_is_covered(played: Stage) -> None:
    assert played.cast().accountant.get("/reports/fund-cover") == COVER


def test_every_payout_has_its_fiscal_receipt_and_every_shift_its_report(played: Stage) -> None:
    """The register had printed 1200 receipts and 510 reports before; six payouts and three shifts follow."""
    cast = played.cast()

    lines = cast.accountant.get("/payouts")["items"]
    receipts = [[receipt["number"] for receipt in line["fiscal_receipts"]] for line in lines]
    reports = [cast.accountant.get(f"/shifts/{number}/report") for number in cast.records.shift_ids("K-1")]

    assert receipts == [["001201"], ["001202"], ["001203"], ["001204"], ["001205"], ["001206"]]
    assert [report["fiscal_report"] for report in reports] == ["0511", "0512", "0513"]
