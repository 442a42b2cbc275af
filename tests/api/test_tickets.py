"""Tickets: the code is payable, so it stands in the answer that issued it and nowhere else; strangers see nothing."""

from __future__ import annotations

import base64

from ledger.codes import CODE_BYTES
from tests.office import Office


def test_the_code_stands_only_in_the_answer_that_issued_it(office: Office) -> None:
    """FIELD-FAULTS 010: no ticket, list or sheet shows it again."""
    office.pool()
    player = office.player("ivan", "20.00")
    online, at_desk = office.bet(player, "1", "10.00").json, office.bet(office.cashier, "1", "10.00").json
    shown = [
        player.get(f"/tickets/{online['number']}"),
        player.get("/tickets"),
        office.cashier.get(f"/tickets/{at_desk['number']}"),
        office.organizer.get(f"/tickets/{at_desk['number']}"),
        office.organizer.get("/pools/P1/sheet"),
    ]
    for answer in shown:
        assert answer.status_code == 200
        assert online["code"] not in answer.text and at_desk["code"] not in answer.text
    assert shown[0].json["code_masked"] == "…" + online["code"][-4:]
    assert "code" not in shown[0].json and "code" not in shown[1].json["items"][0]


def test_a_code_is_eighty_random_bits_and_says_nothing_of_the_number(office: Office) -> None:
    """FIELD-FAULTS 114: at least 64 bits, independent of the running number."""
    office.pool()
    codes = [office.bet(office.cashier, "1", "1.00").json["code"] for _ in range(20)]
    bits = [base64.b32decode(code) for code in codes]
    assert {len(code) for code in bits} == {CODE_BYTES} and CODE_BYTES * 8 >= 64
    # Of twenty random codes no two share their first four bytes (one chance in twenty million), nor do they rise.
    assert len({code[:4] for code in bits}) == 20
    assert codes != sorted(codes)


def test_a_code_typed_in_lower_case_with_dashes_and_spaces_is_found(office: Office) -> None:
    pool = office.pool()
    code = office.bet(office.cashier, "1", "10.00").json["code"]
    office.bet(office.cashier, "2", "10.00")
    office.decide(pool, "1")
    office.clock("2022-11-23T10:00:00+03:00")
    typed = " ".join("-".join(code[at : at + 2] for at in range(half, half + 8, 2)) for half in (0, 8)).lower()
    assert office.pay(typed).json["amount"] == "12.00"


def test_neither_a_number_nor_a_masked_code_is_payable(office: Office) -> None:
    office.pool()
    ticket = office.bet(office.cashier, "1", "10.00").json
    for told in (f"{ticket['number']:08}", ticket["code_masked"] + "    ", ticket["code"][:-1] + "\x00"):
        answer = office.pay(told)
        assert (answer.status_code, answer.json["code"]) == (404, "ticket_not_found")


def test_a_ticket_carries_what_the_rules_want(office: Office) -> None:
    """T-Rules 25, T-Prov 8: operator, pool and outcome with their codes, stake, place of the desk, date and time."""
    office.pool()
    ticket = office.bet(office.cashier, "X", "12.50").json
    assert {name: ticket[name] for name in ("operator", "pool", "pool_name", "outcome", "outcome_name", "stake")} == {
        "operator": "ООО «Проба»",
        "pool": "P1",
        "pool_name": "Исход матча",
        "outcome": "X",
        "outcome_name": "Ничья",
        "stake": "12.50",
    }
    assert (ticket["desk"], ticket["place"]) == ("K-1", "Минск, пр. Победителей, 1")
    assert ticket["placed_at"].startswith("2022-11-22T05:00:")
    assert (ticket["status"], ticket["win"], ticket["payable_until"]) == ("accepted", None, None)


def test_a_player_sees_their_own_tickets_and_no_others(office: Office) -> None:
    """FIELD-FAULTS 115: another's ticket is not there, not forbidden: its number tells nothing."""
    office.pool()
    ivan, olga = office.player("ivan", "10.00"), office.player("olga", "10.00")
    his, hers = office.bet(ivan, "1", "10.00").json["number"], office.bet(olga, "1", "10.00").json["number"]
    at_desk = office.bet(office.cashier, "1", "10.00").json["number"]
    for number in (hers, at_desk, 999):
        answer = ivan.get(f"/tickets/{number}")
        assert (answer.status_code, answer.json["detail"]) == (404, "Билета с таким номером нет.")
    assert [ticket["number"] for ticket in ivan.get("/tickets").json["items"]] == [his]


def test_a_cashier_sees_tickets_and_shifts_of_their_own_desk_only(office: Office) -> None:
    office.pool()
    online = office.bet(office.player("ivan", "10.00"), "1", "10.00").json["number"]
    here = office.bet(office.cashier, "1", "10.00").json["number"]
    second = office.cashier_at(office.register_desk("K-2"), "T-2", "second")
    there = office.bet(second, "1", "10.00").json["number"]
    beside = office.cashier_at(office.desk, "T-3", "beside", cash=None)

    assert {member.get(f"/tickets/{here}").status_code for member in (office.cashier, beside)} == {200}
    assert [office.cashier.get(f"/tickets/{number}").status_code for number in (there, online)] == [404, 404]
    assert second.get(f"/tickets/{here}").status_code == 404
    assert second.get(f"/shifts/{office.shift_id}").status_code == 404
    assert second.post(f"/shifts/{office.shift_id}/closing", {"counted": "0.00"}).status_code == 404
    assert beside.get(f"/shifts/{office.shift_id}").status_code == 200
    assert office.supervisor.get(f"/shifts/{office.shift_id}").status_code == 200


def test_pages_of_tickets_hold_each_once_the_newest_first(office: Office) -> None:
    office.pool()
    player = office.player("ivan", "7.00")
    numbers = [office.bet(player, "1", "1.00").json["number"] for _ in range(7)]
    read, cursor, sizes = [], 0, []
    while cursor is not None:
        page = player.get("/tickets", cursor=cursor, limit=3).json
        read += [ticket["number"] for ticket in page["items"]]
        sizes.append(len(page["items"]))
        cursor = page["next_cursor"]
    assert (read, sizes) == (numbers[::-1], [3, 3, 1])
