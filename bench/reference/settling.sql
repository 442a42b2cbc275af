-- The floor of bench/settling.py: the least that keeps what became of a pool's tickets. Frozen: our own tables may
-- grow, this may not.
CREATE SCHEMA IF NOT EXISTS reference;
CREATE TABLE reference.bets (
    ticket_id bigint PRIMARY KEY, outcome text NOT NULL, stake bigint NOT NULL, account_id bigint NOT NULL
);
CREATE TABLE reference.settlements (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ticket_id bigint NOT NULL, version integer NOT NULL,
    decision text NOT NULL, win bigint NOT NULL, payable_from timestamptz,
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(), UNIQUE (ticket_id, version)
);
CREATE TABLE reference.wins (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, debit_account_id bigint NOT NULL,
    credit_account_id bigint NOT NULL, amount bigint NOT NULL, ticket_id bigint NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
