"""The journal of transfers and the accounts they move money between."""
