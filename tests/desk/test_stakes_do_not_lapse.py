"""A stake that is given back outlives the term of the win beside it (D-21)."""

from __future__ import annotations

from tests.office import Office


def test_after_the_term_of_a_minus_pool_the_stake_is_paid_and_the_tenth_is_not(office: Office) -> None:
    """Every bet won: 10.00 is due 10.00 and 1.00. Determined 22 November: paid until 23 February 2023, 24:00 in Minsk.

    On 24 February the 1.00 has lapsed to the jackpot, though no sweep has come; the 10.00 is a debt and is paid.
    """
    pool = office.pool()
    first = office.bet(office.cashier, "1", "10.00").json["code"]
    second = office.bet(office.cashier, "1", "10.00").json["code"]
    assert office.decide(pool, "1").json["minus_pool"] is True

    office.clock("2023-02-23T23:59:00+03:00")
    assert office.pay(first).json["amount"] == "11.00"
    office.clock("2023-02-24T00:00:00+03:00")
    paid = office.pay(second)

    assert (paid.status_code, paid.json["amount"]) == (201, "10.00")
    assert office.balance("wins_payable", "pool:P1") == "0.00"
    assert office.balance("jackpot", "totolot") == "1.00"
    assert office.pay(second).json["code"] == "already_paid"


def test_a_win_lapses_after_its_last_day(office: Office) -> None:
    pool = office.pool()
    winner = office.bet(office.cashier, "1", "10.00").json["code"]
    office.bet(office.cashier, "2", "10.00")
    office.decide(pool, "1")
    office.clock("2023-02-24T00:00:00+03:00")

    refused = office.pay(winner)

    assert (refused.status_code, refused.json["code"]) == (409, "payment_term_over")
    assert refused.json["detail"] == "Последним днём выплаты было 23.02.2023."
