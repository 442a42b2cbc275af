"""The books of the demonstration by hand, from the divisions in `test_pools` and the decisions in `test_tickets`."""

from __future__ import annotations

BALANCES = {
    # 100.00 - 30.00 - 15.00 - 20.05 - 15.00 - 15.00 = 4.95; wins 80.00 + 25.71 + 22.06 = 127.77; 15.00 returned;
    # 18.00 credited wrongly and taken back: 4.95 + 127.77 + 15.00 = 147.72
    "ivan": "147.72",
    # 70.00 - 35.00 - 12.50 - 10.00 - 10.00 = 2.50; + 17.14 + 12.00 + 18.00 = 49.64
    "anna": "49.64",
}
SHIFTS = [
    # Cash stakes: 40 + 60 + 20 + 15 = 135.00, 50.00, 45 + 10 + 20.01 = 75.01, 30.00, 20 + 30 + 57 + 75 = 182.00,
    # 25 + 10 = 35.00; together 507.01. Received: 507.01 and 100 + 70 of deposits = 677.01.
    # Paid: the cancelled 57.00 and the returned 25.00 = 82.00; 200.00 + 677.01 - 82.00 = 795.01
    ("200.00", "677.01", "82.00", "795.01", "795.01"),
    # Paid: 40.00 + 24.00 + 36.00 = 100.00
    ("795.01", "0.00", "100.00", "695.01", "695.01"),
    # Paid: 60.00 - 24.00 = 36.00
    ("695.01", "0.00", "36.00", "659.01", "659.01"),
]
JOURNAL = [(1, "57.00"), (2, "25.00"), (3, "40.00"), (4, "24.00"), (5, "36.00"), (6, "36.00")]
ACCOUNTS = {
    # Desk: float 200.00 + 677.01 received; 82 + 100 + 36 = 218.00 paid.
    ("cash", "desk:K-1"): ("877.01", "218.00", "659.01", "0.00"),
    # Bank: 2000.00 of own money; 1000.00 to the special account and 200.00 sent to the desk, where they were received.
    ("bank", "operator"): ("2000.00", "1200.00", "800.00", "0.00"),
    ("cash_in_transit", "operator"): ("200.00", "200.00", "0.00", "0.00"),
    ("special_fund", "operator"): ("1000.00", "0.00", "1000.00", "0.00"),
    # Ivan: stakes 95.05 and 18.00 taken back; deposit 100.00, wins 127.77, returned 15.00, wrongly 18.00.
    ("player", "ivan"): ("113.05", "260.77", "0.00", "147.72"),
    # Anna: stakes 67.50; deposit 70.00 and wins 17.14 + 12.00 + 18.00.
    ("player", "anna"): ("67.50", "117.14", "0.00", "49.64"),
    # Every stake has left its pool for fund and withdrawal, the cancelled one of BVE-SVI for its bettor.
    ("pool", "pool:ARG-KSA"): ("200.00", "200.00", "0.00", "0.00"),
    ("pool", "pool:DEN-TUN"): ("62.50", "62.50", "0.00", "0.00"),
    ("pool", "pool:MEX-POL"): ("100.01", "100.01", "0.00", "0.00"),
    ("pool", "pool:FRA-AUS"): ("50.05", "50.05", "0.00", "0.00"),
    ("pool", "pool:BVE-SVI"): ("207.00", "207.00", "0.00", "0.00"),
    ("pool", "pool:PZV-NAR"): ("50.00", "50.00", "0.00", "0.00"),
    # Every fund is divided. The minus pool's got 20.02 of withdrawal back and 5.01: 30.03 + 20.02 + 5.01 = 55.06; the
    # broken off match's 20.00 back: 30 + 20 = 50.00. BVE-SVI's 90.00 came, went, came back, and went again.
    ("prize_fund", "pool:ARG-KSA"): ("120.00", "120.00", "0.00", "0.00"),
    ("prize_fund", "pool:DEN-TUN"): ("37.50", "37.50", "0.00", "0.00"),
    ("prize_fund", "pool:MEX-POL"): ("60.01", "60.01", "0.00", "0.00"),
    ("prize_fund", "pool:FRA-AUS"): ("55.06", "55.06", "0.00", "0.00"),
    ("prize_fund", "pool:BVE-SVI"): ("180.00", "180.00", "0.00", "0.00"),
    ("prize_fund", "pool:PZV-NAR"): ("50.00", "50.00", "0.00", "0.00"),
    # Wins: 80.00 credited and 40.00 paid; 25.71 + 17.14 credited and 17.14 lapsed; 22.06 credited, 3.00 lapsed, and
    # 30.00 of stake owed; 15.00 credited, 25.00 paid and 10.00 owed.
    ("wins_payable", "pool:ARG-KSA"): ("120.00", "120.00", "0.00", "0.00"),
    ("wins_payable", "pool:MEX-POL"): ("59.99", "59.99", "0.00", "0.00"),
    ("wins_payable", "pool:FRA-AUS"): ("25.06", "55.06", "0.00", "30.00"),
    ("wins_payable", "pool:PZV-NAR"): ("40.00", "50.00", "0.00", "10.00"),
    # Due: the cancelled 57.00, 90.00, once more 90.00, 18.00 taken back and 36.00 the organizer bears = 291.00.
    # Gone: 57.00; credited 12 + 18 and paid 24 + 36 = 90.00; undone 90.00; credited 18.00 and paid 36.00 = 291.00.
    ("wins_payable", "pool:BVE-SVI"): ("291.00", "291.00", "0.00", "0.00"),
    # 37.50 of the pool nobody won, 0.02 of residue, 17.14 + 3.00 lapsed.
    ("jackpot", "totolot"): ("0.00", "57.66", "0.00", "57.66"),
    # 80 + 25 + 40 + 20.02 + 60 + 20 = 245.02 taken, 20.02 + 20.00 of it given back.
    ("withdrawal_revenue", "operator"): ("40.02", "245.02", "0.00", "205.00"),
    # 5.01 for the minus pool and 36.00 of cash paid by the wrong protocol.
    ("organizer", "operator"): ("41.01", "2000.00", "0.00", "1958.99"),
}
# Balances: 659.01 + 800 + 1000 = 2459.01 in debit;
# 147.72 + 49.64 + 30.00 + 10.00 + 57.66 + 205.00 + 1958.99 = 2459.01 in credit.
# Turnover: treasury 2000 + 1000, change sent and received 400: 3400.00; deposits 170.00,
# stakes 412.56 + 57 + 150 + 50 = 669.56, the same at closing less the cancelled 57.00 = 612.56; these went back, 57.00;
# withdrawal given back 20.02 + 20.00 = 40.02, organizer's 5.01; wins 120 + 59.99 + 55.06 + 90 + 50 + 90 = 465.05,
# undone 90.00; jackpot 37.52; credited 80 + 42.85 + 22.06 + 12 + 18 + 15 + 18 = 207.91, paid 218.00, taken back 18.00,
# borne 36.00, lapsed 20.14.
# 3400.00 + 170.00 + 669.56 + 612.56 + 57.00 = 4909.12; + 40.02 + 5.01 + 465.05 + 90.00 + 37.52 = 5546.72;
# + 207.91 + 218.00 + 18.00 + 36.00 + 20.14 = 6046.77.
TURNOVER = "6046.77"
COVER = {
    # 30.00 + 10.00 of stakes nobody has fetched.
    "owed": {"pool": "0.00", "prize_fund": "0.00", "wins_payable": "40.00", "jackpot": "57.66"},
    # 40.00 + 57.66
    "total_owed": "97.66",
    # 147.72 + 49.64
    "players": "197.36",
    "special_account": "1000.00",
    "desks": "659.01",
    "bank": "800.00",
    "safe": "0.00",
    "in_transit": "0.00",
    "fund_is_covered": True,
    "all_is_covered": True,
}
