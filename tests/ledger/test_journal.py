"""Posting and reversing: a movement is one transfer, a mistake its opposite, no balance falls below zero."""

from __future__ import annotations

import pytest
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from ledger.accounts import Kind, open_account
from ledger.balances import balance_of_player
from ledger.checkpoints import balance_of
from ledger.journal import Movement, Transfer, post, reverse
from ledger.refusals import Refusal
from tests.ledger.bookings import DAY, NOON, cash, pool
from tests.ledger.conftest import House
from tests.office import Office


def moved(session: Session, *movements: Movement) -> list[int]:
    return post(session, movements, currency="BYN", occurred_at=NOON, booked_on=DAY)


def player(session: Session, number: int = 1) -> int:
    return open_account(session, Kind.PLAYER, f"player:{number}", "BYN")


def test_a_deposit_moves_the_players_balance_and_the_desks(shared_house: House) -> None:
    with shared_house.sessions() as session:
        moved(session, Movement(cash(session), player(session), 5000, "deposit"))

        assert balance_of_player(session, player(session)) == 5000
        assert balance_of(session, player(session)) == -5000  # owed to the player
        assert balance_of(session, cash(session)) == 5000


def test_a_balance_is_never_overdrawn_and_nothing_is_written(shared_house: House) -> None:
    with shared_house.sessions() as session:
        moved(session, Movement(cash(session), player(session), 5000, "deposit"))

        with pytest.raises(Refusal) as refused:
            moved(session, Movement(player(session), cash(session), 5001, "stake"))

        assert refused.value.code == "insufficient_funds"
        assert session.scalars(select(Transfer.kind)).all() == ["deposit"]


def test_one_posting_nets_a_players_movements(shared_house: House) -> None:
    """30.00 in and 30.00 out at once: the balance need not pass through the lower figure."""
    with shared_house.sessions() as session:
        here, there = cash(session), player(session)

        moved(session, Movement(there, here, 3000, "stake"), Movement(here, there, 3000, "deposit"))

        assert balance_of_player(session, there) == 0


def test_a_movement_of_nothing_is_no_transfer(shared_house: House) -> None:
    with shared_house.sessions() as session:
        assert moved(session, Movement(cash(session), player(session), 0, "wins")) == []


def test_a_reversal_is_the_opposite_and_names_what_it_undoes(shared_house: House) -> None:
    with shared_house.sessions() as session:
        (wrong,) = moved(session, Movement(cash(session), player(session), 5000, "deposit"))

        (opposite,) = reverse(session, [wrong], reason="опечатка", occurred_at=NOON, booked_on=DAY)

        undone = session.get_one(Transfer, opposite)
        assert (undone.debit_account_id, undone.credit_account_id) == (player(session), cash(session))
        assert (undone.amount, undone.reverses_id, undone.reason) == (5000, wrong, "опечатка")
        assert balance_of_player(session, player(session)) == 0
        assert balance_of(session, cash(session)) == 0


def test_a_reversal_belongs_to_the_ticket_and_the_settlement_of_what_it_undoes_and_to_no_shift(office: Office) -> None:
    """A payout of 12.00 to the second ticket is undone: its ticket's money stays explained, its shift's does not move.

    Of 10.00 on either outcome a fund of 12.00 is the winner's.
    """
    announced = office.pool()
    office.bet(office.cashier, "2", "10.00")
    winner = office.bet(office.cashier, "1", "10.00").json
    office.decide(announced, "1")
    office.clock("2022-11-23T10:00:00+03:00")
    assert office.pay(winner["code"]).status_code == 201
    with office.house.sessions() as session:
        paid = session.scalars(select(Transfer).where(Transfer.kind == "payout")).one()

        (opposite,) = reverse(session, [paid.id], reason="выплачено не тому", occurred_at=NOON, booked_on=DAY)

        undone = session.get_one(Transfer, opposite)
        assert (undone.kind, undone.amount, undone.ticket_id) == ("payout_reversed", 12_00, winner["number"])
        assert paid.settlement_id is not None and undone.settlement_id == paid.settlement_id
        assert paid.shift_id is not None and undone.shift_id is None
        session.rollback()


def test_a_transfer_is_reversed_once(shared_house: House) -> None:
    with shared_house.sessions() as session:
        moved(session, Movement(cash(session), player(session), 5000, "deposit"))
        (wrong,) = moved(session, Movement(cash(session), player(session), 5000, "deposit"))
        reverse(session, [wrong], reason="опечатка", occurred_at=NOON, booked_on=DAY)

        with pytest.raises(IntegrityError, match="reverses_id"):
            reverse(session, [wrong], reason="опечатка", occurred_at=NOON, booked_on=DAY)


def test_a_spent_deposit_cannot_be_reversed_out_of_nothing(shared_house: House) -> None:
    with shared_house.sessions() as session:
        (deposit,) = moved(session, Movement(cash(session), player(session), 5000, "deposit"))
        moved(session, Movement(player(session), cash(session), 1, "stake"))

        with pytest.raises(Refusal, match="insufficient_funds"):
            reverse(session, [deposit], reason="опечатка", occurred_at=NOON, booked_on=DAY)


@pytest.mark.parametrize("amount", [-1, -100])
def test_the_database_refuses_a_transfer_against_its_sign(shared_house: House, amount: int) -> None:
    """The second line of defence: a negative amount would be a transfer the other way round."""
    with shared_house.sessions() as session, pytest.raises(IntegrityError, match="amount_positive"):
        moved(session, Movement(cash(session), pool(session), amount, "stake"))


def test_no_transfer_crosses_two_currencies(shared_house: House) -> None:
    with shared_house.sessions() as session:
        dollars = open_account(session, Kind.PLAYER, "player:1", "USD")

        with pytest.raises(IntegrityError, match="currency"):
            moved(session, Movement(cash(session), dollars, 100, "deposit"))


def test_amounts_beyond_four_octets_are_exact(shared_house: House) -> None:
    """2,147,483,648 minor units is one more than a four-octet integer holds."""
    with shared_house.sessions() as session:
        moved(session, Movement(cash(session), player(session), 2_147_483_648, "deposit"))
        moved(session, Movement(cash(session), player(session), 2_147_483_648, "deposit"))

        assert balance_of_player(session, player(session)) == 4_294_967_296
        assert balance_of(session, cash(session)) == 4_294_967_296


def test_an_account_is_opened_once(shared_house: House) -> None:
    with shared_house.sessions() as session:
        assert player(session) == player(session)
        assert player(session) != player(session, 2)
