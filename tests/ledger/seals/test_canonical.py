"""The canonical form, worked by hand: the text of a row is written out here and hashed by Python."""

import hashlib
from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, text

from ledger.seals.canonical import UnsealableError, row_digests
from tests.ledger.conftest import House

ROW = """
    (SELECT 7::bigint AS id, 'Ставка'::text AS word, ''::text AS empty, NULL::text AS nothing, true AS yes,
        12.50::numeric AS share, '\\x00ff'::bytea AS octets, '2022-11-20 19:00:00.25+03'::timestamptz AS at,
        '1970-01-03'::date AS day, '{"b": 1, "a": null}'::jsonb AS answer, ARRAY['a,b', NULL, 'NULL'] AS words,
        '1 month 2 days 0.000003 seconds'::interval AS term) AS row
"""
TYPES = {
    "id": "bigint",
    "word": "text",
    "empty": "text",
    "nothing": "text",
    "yes": "boolean",
    "share": "numeric",
    "octets": "bytea",
    "at": "timestamp with time zone",
    "day": "date",
    "answer": "jsonb",
    "words": "text[]",
    "term": "interval",
}
# 2022-11-20T16:00:00.25Z is 1668960000.25 seconds after 1970; the interval is microseconds, days, months.
BY_HAND = (
    "4 bets "
    '6 answer 19 {"a": null, "b": 1} '
    "2 at 17 1668960000.250000 "
    "3 day 6 172800 "
    "5 empty 0  "
    "2 id 1 7 "
    "7 nothing - "
    "6 octets 4 00ff "
    "5 share 5 12.50 "
    "4 term 32 00000000000000030000000200000001 "
    "4 word 12 Ставка "
    '5 words 19 {"a,b",NULL,"NULL"} '
    "3 yes 4 true "
)


@pytest.fixture
def connection(shared_house: House) -> Iterator[Connection]:
    with shared_house.app.connect() as connection:
        yield connection


def digest(connection: Connection, types: dict[str, str], row: str) -> bytes:
    found = connection.execute(text(row_digests("bets", types, row.replace(":", "\\:")))).one()
    return bytes(found.digest)


def test_a_row_is_hashed_as_it_is_written_by_hand(connection: Connection) -> None:
    assert digest(connection, TYPES, ROW) == hashlib.sha256(BY_HAND.encode("utf-8")).digest()


@pytest.mark.parametrize(
    "setting",
    [
        "TimeZone = 'Asia/Tokyo'",
        "DateStyle = 'German, DMY'",
        "IntervalStyle = 'iso_8601'",
        "bytea_output = 'escape'",
        "extra_float_digits = -15",
        "search_path = pg_temp",
    ],
)
def test_what_a_session_sets_changes_nothing(connection: Connection, setting: str) -> None:
    connection.execute(text(f"SET LOCAL {setting}"))
    assert digest(connection, TYPES, ROW) == hashlib.sha256(BY_HAND.encode("utf-8")).digest()


def test_rows_that_read_alike_are_told_apart(connection: Connection) -> None:
    types = {"id": "bigint", "a": "text", "b": "text"}
    pairs = ["'ab', 'c'", "'a', 'bc'", "'', 'abc'", "NULL, 'abc'", "'-', 'abc'", "'a 1', 'b'", "'a', '1 b'"]
    rows = [f"(VALUES (1::bigint, {pair})) AS row (id, a, b)" for pair in pairs]
    assert len({digest(connection, types, row) for row in rows}) == len(pairs)


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        ("timestamp with time zone", "'infinity'", "'-infinity'"),
        ("timestamp with time zone", "'infinity'", "NULL"),
        ("timestamp with time zone", "'2022-11-20 00:00+00'", "'2022-11-20 00:00+00 BC'"),
        ("timestamp with time zone", "'2022-11-20 00:00+00'", "'2022-11-20 00:00:00.000001+00'"),
        ("numeric", "1.0", "1.00"),
        ("interval", "'1 month'", "'30 days'"),
        ("interval", "'24 hours'", "'1 day'"),
        ("text[]", "'{a,b}'", "'{\"a,b\"}'"),
        ("text[]", "'{NULL}'", "'{\"NULL\"}'"),
        ("text[]", "'{}'", "NULL"),
        ("bytea", "'\\x00'", "'\\x0000'"),
        ("jsonb", "'{\"a\": 1}'", '\'{"a": "1"}\''),
        ("date", "'2022-11-20'", "'2022-11-20 BC'"),
    ],
)
def test_near_values_of_a_type_are_told_apart(connection: Connection, kind: str, one: str, other: str) -> None:
    types = {"id": "bigint", "v": kind}
    rows = [f"(SELECT 1::bigint AS id, CAST({value} AS {kind}) AS v) AS row" for value in (one, other)]
    assert digest(connection, types, rows[0]) != digest(connection, types, rows[1])


def test_a_type_without_a_form_is_refused() -> None:
    with pytest.raises(UnsealableError, match=r"bets: odds is double precision"):
        row_digests("bets", {"id": "bigint", "odds": "double precision"}, "bets")
