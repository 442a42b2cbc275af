"""Money, accounts, transfers, tickets, settlements, seals and the audit. Knows no game."""
