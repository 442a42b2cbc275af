-- The floor of bench/batch.py: the rows of paid bets, copied. Frozen: our own tables may grow, this may not.
CREATE SCHEMA IF NOT EXISTS reference;
CREATE TABLE reference.copied_tickets (
    id bigint PRIMARY KEY, game text NOT NULL, stake bigint NOT NULL, currency text NOT NULL,
    code_digest bytea NOT NULL UNIQUE, code_sealed bytea NOT NULL, shift_id bigint, terminal_id bigint,
    cashier_id bigint, placed_at timestamptz NOT NULL
);
CREATE TABLE reference.copied_states (ticket_id bigint PRIMARY KEY, status text NOT NULL);
CREATE TABLE reference.copied_bets (
    ticket_id bigint PRIMARY KEY, pool_id bigint NOT NULL, outcome text NOT NULL, stake bigint NOT NULL
);
CREATE TABLE reference.copied_transfers (
    id bigint PRIMARY KEY, debit_account_id bigint NOT NULL, credit_account_id bigint NOT NULL, amount bigint NOT NULL,
    currency text NOT NULL, kind text NOT NULL, ticket_id bigint NOT NULL, shift_id bigint,
    occurred_at timestamptz NOT NULL, booked_on date NOT NULL
);
CREATE TABLE reference.copied_keys (
    scope text NOT NULL, key text NOT NULL, route text NOT NULL, fingerprint bytea NOT NULL, reference bigint,
    PRIMARY KEY (scope, key)
);
