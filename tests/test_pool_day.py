"""One pool's day through the API, every figure worked by hand (RULES 2; T-Rules 23, 36.1, 40)."""

from tests.office import Office


def test_a_pool_is_divided_and_paid(office: Office) -> None:
    """40.00 on 1, 30.00 on 2; 2 is true: fund 42.00, coefficient 42/30 = 1.4, wins 14.00 and 28.00."""
    pool = office.pool()
    player = office.player("ivan", "50.00")
    office.bet(office.cashier, "1", "40.00")
    winner = office.bet(office.cashier, "2", "10.00").json
    office.bet(player, "2", "20.00")

    sheet = office.decide(pool, "2").json

    assert (sheet["pool"], sheet["withdrawal"], sheet["fund"]) == ("70.00", "28.00", "42.00")
    assert (sheet["coefficient"], sheet["wins"], sheet["to_jackpot"]) == ("7/5", "42.00", "0.00")
    assert player.get("/players/me").json["balance"] == "58.00"
    assert office.cashier.get(f"/tickets/{winner['number']}").json["win"] == "14.00"
