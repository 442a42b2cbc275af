"""Stops of sales: who threw which switch, why, from which moment, and who let sales go on (INDUSTRY: stop of sales)."""
