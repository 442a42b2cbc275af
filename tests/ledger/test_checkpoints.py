"""Balances from checkpoints are what the sum of all transfers is."""

import random

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from ledger.accounts import Account
from ledger.checkpoints import BalanceCheckpoint, balance_of, balances
from ledger.journal import Transfer
from ledger.seals.sealing import seal
from tests.ledger.bookings import book, cash, pool, sell
from tests.ledger.conftest import House


def summed(session: Session, account_id: int) -> int:
    """The independent method: all debits less all credits, from the first transfer on."""
    debits = select(func.sum(Transfer.amount)).where(Transfer.debit_account_id == account_id)
    credited = select(func.sum(Transfer.amount)).where(Transfer.credit_account_id == account_id)
    return int(session.scalar(debits) or 0) - int(session.scalar(credited) or 0)


def test_a_day_of_one_desk_worked_by_hand(house: House) -> None:
    with house.sessions.begin() as session:
        desk, stakes = cash(session), pool(session)
        book(session, desk, stakes, 10_000, 2_500)  # stakes of 100.00 and 25.00
    seal(house.sessions)
    with house.sessions.begin() as session:
        assert balances(session) == {desk: 12_500, stakes: -12_500}
        book(session, stakes, desk, 4_000)  # 40.00 paid out, not yet sealed
        assert (balance_of(session, desk), balance_of(session, stakes)) == (8_500, -8_500)
    seal(house.sessions)
    with house.sessions() as session:
        kept = select(BalanceCheckpoint.account_id, BalanceCheckpoint.balance).order_by(BalanceCheckpoint.id)
        assert session.execute(kept).all() == [(desk, 12_500), (stakes, -12_500), (desk, 8_500), (stakes, -8_500)]
        assert balances(session, [desk]) == {desk: 8_500}


def test_an_account_nothing_moved_is_empty(house: House) -> None:
    with house.sessions.begin() as session:
        idle = pool(session, 9)
        sell(session, 100)
    seal(house.sessions)
    with house.sessions() as session:
        assert balance_of(session, idle) == 0
        assert idle not in balances(session)


def test_a_seal_keeps_balances_only_of_accounts_it_moved(house: House) -> None:
    with house.sessions.begin() as session:
        sell(session, 100)
    seal(house.sessions)
    with house.sessions.begin() as session:
        other = pool(session, 2)
        book(session, other, pool(session, 3), 700)
    seal(house.sessions)
    with house.sessions() as session:
        assert session.scalar(select(func.count()).where(BalanceCheckpoint.seal_id == 2)) == 2


@pytest.mark.parametrize("seed", range(3))
def test_however_it_is_sealed_the_balance_is_the_full_sum(house: House, seed: int) -> None:
    chance = random.Random(seed)
    with house.sessions.begin() as session:
        accounts = [pool(session, number) for number in range(5)]
    for _ in range(8):
        with house.sessions() as session:
            for _ in range(chance.randint(0, 9)):
                book(session, *chance.sample(accounts, 2), chance.randint(1, 10**12))
            session.rollback() if chance.random() < 0.3 else session.commit()
        if chance.random() < 0.6:
            seal(house.sessions, block_rows=chance.randint(1, 6))
        with house.sessions() as session:
            for account_id in session.scalars(select(Account.id)):
                assert balance_of(session, account_id) == summed(session, account_id)
            assert sum(balances(session).values()) == 0
