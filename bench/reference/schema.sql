-- The floor of bench/placing.py: the least that registers a paid bet. Frozen: our own tables may grow, this may not.
CREATE SCHEMA reference;
CREATE TABLE reference.keys (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, scope text NOT NULL, key text NOT NULL, ticket_id bigint,
    UNIQUE (scope, key)
);
CREATE TABLE reference.tickets (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, pool text NOT NULL, outcome text NOT NULL, stake bigint NOT NULL,
    account_id bigint NOT NULL, placed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TABLE reference.transfers (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, debit_account_id bigint NOT NULL,
    credit_account_id bigint NOT NULL, amount bigint NOT NULL, ticket_id bigint NOT NULL
);
CREATE TABLE reference.balances (account_id bigint PRIMARY KEY, balance bigint NOT NULL CHECK (balance >= 0));
INSERT INTO reference.balances SELECT account_id, 1000000000000 FROM generate_series(1, 64) AS account_id;
GRANT USAGE ON SCHEMA reference TO totalizator_application;
GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA reference TO totalizator_application;
