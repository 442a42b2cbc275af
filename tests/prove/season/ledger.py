"""What the house's own ledger holds of a season, read as its owner: the terms of the identity, and the jackpots."""

from __future__ import annotations

from sqlalchemy import text

from db.session import transaction
from tests.office import Office

MOVED = text("""
    SELECT coalesce(sum(amount) FILTER (WHERE kind = 'stake'), 0) AS taken,
        coalesce(sum(CASE WHEN kind IN ('payout', 'win_credited') THEN amount WHEN kind = 'win_taken_back'
            THEN -amount ELSE 0 END), 0) AS paid,
        coalesce(sum(amount) FILTER (WHERE kind = 'own_money_in'), 0) AS own
    FROM transfers
""")
HELD = text("""
    SELECT account.kind, account.subject, coalesce(sum(CASE WHEN account.id = moved.credit_account_id THEN moved.amount
        ELSE -moved.amount END), 0)
    FROM accounts AS account
    JOIN transfers AS moved ON account.id IN (moved.debit_account_id, moved.credit_account_id)
    GROUP BY account.kind, account.subject
""")
FROM = ("taken", "organizer", "claims")
TO = ("pool", "prize_fund", "withdrawal_revenue", "jackpot", "wins_payable", "paid")
"""The identity: stakes that were taken, what the organizer put into wins and what is claimed back from players make up
the stakes of pools that still sell, the funds owed (closed, not settled), the revenue, the jackpots, what is payable,
and what was paid in cash or credited and not taken back. Every stake that was ever sold counts, of cancelled tickets as
well: it goes back through what is payable.
"""


def terms(office: Office) -> dict[str, int]:
    """The terms of the identity, each from the accounts or the transfers of its kind, in minor units."""
    with transaction(office.owner) as session:
        moved = session.execute(MOVED).one()
        held: dict[str, int] = {}
        for kind, _, units in session.execute(HELD):
            held[kind] = held.get(kind, 0) + int(units)
    return {
        "taken": int(moved.taken),
        "paid": int(moved.paid),
        "organizer": int(moved.own) - held["organizer"],
        "claims": -held.get("claims", 0),
        **{kind: held.get(kind, 0) for kind in TO if kind != "paid"},
    }


def jackpots(office: Office) -> dict[str, int]:
    """What each family's jackpot holds."""
    with transaction(office.owner) as session:
        return {subject: int(units) for kind, subject, units in session.execute(HELD) if kind == "jackpot" and units}
