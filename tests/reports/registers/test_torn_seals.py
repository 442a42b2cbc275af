"""A seal taken while somebody writes holds some rows of an act and not the others: the act is told whole or not."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import func, select, update

from ledger.accounts import Account, Kind
from ledger.journal import Transfer
from ledger.seals import finality
from ledger.settlements import Ending, SettlementRun, valid_settlement
from ledger.tickets import Ticket, TicketState
from tests.office import Office
from tests.reports.registers.conftest import NOON
from tests.reports.registers.facts import Books
from tests.reports.registers.reading import shown
from tests.reports.registers.test_small_day import minor
from tests.significant.hooked import seal_all
from tote.models import PoolBet

LATER = "2022-11-23T13:00:00+03:00"


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What is written and committed after a sealer has read the ids and before it looks whether writers have ended."""
    acts: list[Any] = []
    looked = finality._writers

    def after_acts(*told: Any) -> Any:
        found = looked(*told)
        while acts:
            acts.pop()()
        return found

    monkeypatch.setattr(finality, "_writers", after_acts)
    return acts


def sealed_stakes(office: Office, as_of: str) -> tuple[list[int], int, int]:
    """The register's tickets, its stakes, and the ledger's stakes under the same seal."""
    report = shown(office.auditor, "ticket-register", as_of=as_of, limit=200)
    movement = shown(office.auditor, "daily-movement", as_of=as_of, limit=200)
    ledger = sum(minor(row["debit"]) for row in movement["items"] if row["kind"] == "stake")
    return [row["number"] for row in report["items"]], minor(report["totals"]["whole"]["money"]["stake"]), ledger


def test_a_bet_whose_transfer_the_seal_lacks_is_not_there_yet(day: Office, meanwhile: list[Any]) -> None:
    """A ticket of 9.00 has its number when the sealer looks, and gets its bet and its transfer afterwards."""
    day.clock("2022-11-23T12:30:00+03:00")
    with day.house.sessions() as session:
        books = Books(session)
        pool = books.pool("P4")
        sold = {"shift_id": day.shift_id, "cashier_id": books.user("cashier")}
        ticket = books.add(
            Ticket(
                game=pool.game,
                stake=9_00,
                currency="BYN",
                code_digest=b"torn",
                code_sealed=b"",
                placed_at=books.at,
                **sold,
            )
        )
        books.add(TicketState(ticket_id=ticket.id, status="accepted"))

        def write_the_rest() -> None:
            books.add(PoolBet(ticket_id=ticket.id, pool_id=pool.id, outcome="1", stake=9_00))
            till = session.scalars(select(Account.id).where(Account.kind == "cash")).one()
            told = {"currency": "BYN", "occurred_at": books.at, "booked_on": "2022-11-23"}
            parties = {"debit_account_id": till, "credit_account_id": pool.stakes_account_id, "shift_id": day.shift_id}
            books.add(Transfer(amount=9_00, kind="stake", ticket_id=ticket.id, **parties, **told))
            session.commit()

        meanwhile.append(write_the_rest)
        seal_all(day)
    day.clock(LATER)
    assert sealed_stakes(day, LATER) == (list(range(1, 11)), 86_00, 86_00)
    seal_all(day)
    day.clock("2022-11-23T14:00:00+03:00")
    assert sealed_stakes(day, "2022-11-23T14:00:00+03:00") == ([*range(1, 11), ticket.id], 95_00, 95_00)
    assert sealed_stakes(day, NOON) == (list(range(1, 11)), 86_00, 86_00)


def test_an_ending_whose_transfer_the_seal_lacks_has_not_ended_yet(day: Office, meanwhile: list[Any]) -> None:
    """Ticket 4's 12.00 expire: the ending is written when the sealer looks, its transfer afterwards."""
    day.clock("2022-11-23T12:30:00+03:00")
    with day.house.sessions() as session:
        books = Books(session)
        decided = valid_settlement(session, 4)
        assert decided is not None
        run = session.get_one(SettlementRun, decided.run_id)
        books.end(decided, "expired", 12_00)

        def write_the_rest() -> None:
            jackpot = books.account(Kind.JACKPOT, "totolot")
            books.move(run.payable_account_id, jackpot, 12_00, "win_expired", decided)
            session.execute(update(TicketState).where(TicketState.ticket_id == 4).values(status="expired"))
            session.commit()

        meanwhile.append(write_the_rest)
        seal_all(day)
    day.clock(LATER)
    cut = shown(day.auditor, "liability", as_of=LATER)
    assert cut["totals"]["whole"]["money"]["due"] == "40.00"
    with day.house.sessions() as session:
        assert session.scalar(select(func.count()).select_from(Ending).where(Ending.end == "expired")) == 1
    assert shown(day.auditor, "expired-tickets", as_of=LATER)["items"] == []
    owed = shown(day.auditor, "fund-cover-statement", as_of=LATER)["items"]
    assert [row["owed"] for row in owed if row["account"] == "76.4"] == ["40.00"]
    seal_all(day)
    day.clock("2022-11-23T14:00:00+03:00")
    later = shown(day.auditor, "liability", as_of="2022-11-23T14:00:00+03:00")
    assert later["totals"]["whole"]["money"]["due"] == "28.00"
