"""Rows of a ticket that were uploaded one by one: what was sold comes back, to whom it belongs (T-Rules 9.11, 25)."""

from __future__ import annotations

from hashlib import sha256
from itertools import islice, product

from tests.office import Office
from tests.reports.positions import FIRST, SECOND, THREE, TOTOLOT, announced, bet
from tote.pools import pool_by_code
from tote.rows_told import check_word, text_by_parts, text_of_rows
from tote.uploads import PART

WRITTEN = b"1,X,2\n1,X,2\n2,2,X\n"


def test_the_rows_come_back_as_they_were_made(office: Office) -> None:
    """However they were written down: together or apart, with whatever ends of lines."""
    announced(office, TOTOLOT)
    apart = {"uploaded": "1,X,2\r\n1,X,2\r\n2,2,X\r\n"}
    for on in (SECOND, apart):
        number = bet(office.cashier, on, "3.00")["number"]
        answer = office.cashier.get(f"/tickets/{number}/rows")
        assert (answer.status_code, answer.data) == (200, WRITTEN)
        assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
        assert answer.headers["Cache-Control"] == "no-store"
        assert f"ticket-{number}-rows.csv" in answer.headers["Content-Disposition"]


def test_rows_are_the_own_desks_and_the_own_players(office: Office) -> None:
    """FIELD-FAULTS 115: another's are refused in the words of what is not there."""
    announced(office, TOTOLOT)
    ivan, olga = office.player("ivan", "5.00"), office.player("olga")
    at_desk, online = bet(office.cashier, SECOND, "3.00")["number"], bet(ivan, SECOND, "3.00")["number"]
    elsewhere = office.another_cashier(2)
    for member, own, theirs in ((office.cashier, at_desk, online), (ivan, online, at_desk)):
        assert member.get(f"/tickets/{own}/rows").data == WRITTEN
        assert member.get(f"/tickets/{theirs}/rows").json == member.get("/tickets/999/rows").json
    for stranger, number in ((elsewhere, at_desk), (olga, online)):
        answer = stranger.get(f"/tickets/{number}/rows")
        assert (answer.status_code, answer.json["code"]) == (404, "not_found")
    for reader in (office.organizer, office.auditor, office.supervisor):
        assert reader.get(f"/tickets/{online}/rows").data == WRITTEN


def test_a_ticket_that_tells_its_bets_otherwise_has_no_rows_to_send(office: Office) -> None:
    announced(office, TOTOLOT)
    office.pool("P2")
    for ticket in (bet(office.cashier, FIRST, "6.00"), office.bet(office.cashier, "1", "1.00", "P2").json):
        answer = office.cashier.get(f"/tickets/{ticket['number']}/rows")
        assert (answer.status_code, answer.json["code"]) == (409, "rows_not_uploaded")


def test_a_long_list_is_sent_part_by_part_and_no_connection_is_held_between(office: Office) -> None:
    """Twenty-five thousand rows are three parts; the word of the text is that of the file (FIELD-FAULTS 071)."""
    positions = [{"code": str(n), "name": f"Матч {n}", "outcomes": THREE} for n in range(10)]
    announced(office, TOTOLOT, positions=positions, levels=[{"from": "100", "to": "100", "share": "100"}])
    lines = [",".join(row) for row in islice(product("1X2", repeat=10), 25_000)]
    text = "".join(f"{line}\n" for line in lines)
    number = bet(office.cashier, {"uploaded": text}, "25000.00")["number"]
    answer = office.client.get(f"/api/v1/tickets/{number}/rows", headers=office.cashier.headers, buffered=False)
    pieces = []
    for piece in answer.response:
        assert office.house.engine.pool.checkedout() == 0
        pieces.append(piece)
    assert [piece.count(b"\n") for piece in pieces] == [PART, PART, 5_000]
    assert b"".join(pieces).decode() == text
    with office.house.sessions() as session:
        pool = pool_by_code(session, "P1")
        word = check_word(text_of_rows(session, number, pool))
    assert word == check_word(text_by_parts(office.house.sessions, number, pool)) == sha256(text.encode()).hexdigest()
