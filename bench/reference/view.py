"""The floor of `bench.placing`: a bare Flask + SQLAlchemy view that runs four statements and commits once. Frozen.

It checks nothing: no caller, no key's meaning, no pool, no gate, no limit. Its statements are its own, so that ours
can never lower the bar.
"""

import os

from flask import Flask, jsonify, request
from sqlalchemy import text

from db.engines import engine_for

STATEMENTS = (
    "INSERT INTO reference.tickets (pool, outcome, stake, account_id)"
    " VALUES (:pool, :outcome, :stake, :account) RETURNING id",
    "INSERT INTO reference.keys (scope, key, ticket_id) VALUES (:scope, :key, :ticket)",
    "INSERT INTO reference.transfers (debit_account_id, credit_account_id, amount, ticket_id)"
    " VALUES (:account, 1000, :stake, :ticket)",
    "UPDATE reference.balances SET balance = balance - :stake WHERE account_id = :account",
)
TICKET, *OTHERS = map(text, STATEMENTS)

app = Flask(__name__)
engine = None


@app.post("/bets")
def place():
    """Take a bet: ticket, key, transfer, balance; one commit."""
    global engine
    if engine is None:
        engine = engine_for(os.environ["DATABASE_URL"], pool_size=int(os.environ["THREADS"]))
    told = request.get_json()
    bet = {**told, "key": request.headers["Idempotency-Key"], "scope": f"account:{told['account']}"}
    with engine.begin() as connection:
        bet["ticket"] = connection.scalar(TICKET, bet)
        for statement in OTHERS:
            connection.execute(statement, bet)
    return jsonify(number=bet["ticket"], pool=told["pool"], outcome=told["outcome"], stake=told["stake"]), 201


@app.get("/")
def here():
    """Say that the server is up."""
    return "here"
