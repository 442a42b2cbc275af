"""Stops of sales: each switch stops the bets it names and no others, from its instant until it is ended (INDUSTRY)."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text
from werkzeug.test import TestResponse

from office.callers import Role
from office.stops.models import Scope
from tests.office import EVENT, POOL, Member, Office

REASON = "Сообщение о договорном матче"
STOPS_ALL = {"p1-1", "p1-2", "p2-1", "p2-2", "hockey", "there", "beside", "online"}
# Bets by name: on outcome 1 or 2 of P1, a pool on another event of the same sport, another sport, at another desk, at
# a second terminal of the first desk, and from a game account.
STOPPED: dict[tuple[str, str | None], set[str]] = {
    ("everywhere", None): STOPS_ALL,
    ("game", "totolot_variant"): STOPS_ALL,
    ("sport", "football"): STOPS_ALL - {"hockey"},
    ("event", "E-P1"): {"p1-1", "p1-2", "there", "beside", "online"},
    ("pool", "P1"): {"p1-1", "p1-2", "there", "beside", "online"},
    ("outcome", "pool:P1/1"): {"p1-1", "there", "beside", "online"},
    ("desk", "K-1"): {"p1-1", "p1-2", "p2-1", "p2-2", "hockey", "beside"},
    ("terminal", "T-1"): {"p1-1", "p1-2", "p2-1", "p2-2", "hockey"},
}


class Hall:
    """Three pools of two sports, two desks, a second terminal, a player."""

    def __init__(self, office: Office) -> None:
        self.office = office
        office.pool("P1")
        office.pool("P2")
        hockey = office.organizer.post("/events", {**EVENT, "code": "E-H", "sport": "hockey"}).json
        assert office.organizer.post("/pools", {**POOL, "code": "H", "event_id": hockey["id"]}).status_code == 201
        here, there = office.cashier, office.another_cashier(2)
        beside = office.cashier_at(office.desk, "T-9", "cashier-9", cash=None)
        self.bets: dict[str, tuple[Member, str, str]] = {
            "p1-1": (here, "1", "P1"),
            "p1-2": (here, "2", "P1"),
            "p2-1": (here, "1", "P2"),
            "p2-2": (here, "2", "P2"),
            "hockey": (here, "1", "H"),
            "there": (there, "1", "P1"),
            "beside": (beside, "1", "P1"),
            "online": (office.player("ivan", "100.00"), "1", "P1"),
        }

    def bet(self, name: str) -> TestResponse:
        """One of the bets, a new ticket every time."""
        member, outcome, pool = self.bets[name]
        return self.office.bet(member, outcome, "1.00", pool)

    def refused(self) -> dict[str, str]:
        """The bets that are refused, with the refusal's code."""
        answers = {name: self.bet(name) for name in self.bets}
        return {name: answer.json["code"] for name, answer in answers.items() if answer.status_code != 201}


def stop(by: Member, scope: str, subject: str | None = None, **more: Any) -> TestResponse:
    """Throw a switch."""
    named = {} if subject is None else {"subject": subject}
    return by.post("/sales-stops", {"scope": scope, "reason": REASON, **named, **more})


def resume(by: Member, stop_id: int) -> TestResponse:
    """End a stop."""
    return by.post(f"/sales-stops/{stop_id}/resumption", {"reason": "Проверено"})


def test_each_switch_stops_what_it_names_until_it_is_ended(office: Office) -> None:
    hall = Hall(office)
    assert hall.refused() == {}
    for (scope, subject), stopped in STOPPED.items():
        made = stop(office.organizer, scope, subject)
        assert made.status_code == 201, made.json
        assert hall.refused() == dict.fromkeys(stopped, "sales_stopped"), scope
        ended = resume(office.organizer, made.json["id"])
        assert (ended.status_code, ended.json["standing"]) == (201, "ended")
        assert hall.refused() == {}, scope


def test_every_scope_but_the_bookmakers_is_in_the_table_above() -> None:
    assert {scope for scope, _ in STOPPED} == {scope.value for scope in Scope} - {"market"}


def test_the_refusal_tells_the_switch_the_reason_and_since_when_and_the_widest_of_several(office: Office) -> None:
    hall = Hall(office)
    pool = stop(office.organizer, "pool", "P1").json
    told = hall.bet("p1-1")
    assert told.status_code == 409
    assert {name: told.json[name] for name in ("code", "stop", "scope", "subject", "reason", "since")} == {
        "code": "sales_stopped",
        "stop": pool["id"],
        "scope": "pool",
        "subject": "P1",
        "reason": REASON,
        "since": pool["effective_from"],
    }
    assert told.json["detail"] == f"Продажи в этот пул остановлены: {REASON}"
    everywhere = stop(office.organizer, "everywhere").json
    assert hall.bet("p1-1").json["stop"] == everywhere["id"]
    resume(office.organizer, everywhere["id"])
    assert hall.bet("p1-1").json["stop"] == pool["id"], "the narrower stop still stands"


def test_a_refused_bet_leaves_its_refusal_and_nothing_else(office: Office) -> None:
    hall = Hall(office)
    made = stop(office.organizer, "pool", "P1").json
    cashier = office.cashier
    refused = office.bet(cashier, "1", "1.00", key="a-stopped-bet")
    resume(office.organizer, made["id"])
    assert office.bet(cashier, "1", "1.00", key="a-stopped-bet").json == refused.json, "the key keeps its refusal"
    with office.owner() as session:
        for table in ("tickets", "pool_bets", "ticket_states"):
            assert session.scalar(text(f"SELECT count(*) FROM {table}")) == 0
    assert hall.bet("p1-1").status_code == 201


def test_a_planned_stop_refuses_from_its_instant_and_may_be_withdrawn_before(office: Office) -> None:
    hall = Hall(office)
    noon = "2022-11-22T12:00:00+03:00"
    planned = stop(office.organizer, "pool", "P1", effective_from=noon)
    assert (planned.status_code, planned.json["standing"]) == (201, "planned")
    office.clock("2022-11-22T11:59:50+03:00")
    assert hall.bet("p1-1").status_code == 201
    assert office.organizer.get("/pools/P1").json["stop"] is None
    office.clock(noon)
    assert hall.bet("p1-1").json["code"] == "sales_stopped"
    assert hall.bet("p2-1").status_code == 201
    assert office.organizer.get(f"/sales-stops/{planned.json['id']}").json["standing"] == "in_force"
    later = stop(office.organizer, "pool", "P2", effective_from="2022-11-22T12:30:00+03:00").json
    assert resume(office.organizer, later["id"]).status_code == 201
    office.clock("2022-11-22T12:31:00+03:00")
    assert hall.bet("p2-1").status_code == 201


def test_what_cannot_be_stopped_is_told_and_nothing_is_written(office: Office) -> None:
    office.pool()
    organizer = office.organizer
    missing = [("pool", "P9"), ("event", "P1"), ("sport", "chess"), ("game", "lotto"), ("desk", "K-9"), ("market", "M")]
    missing += [("terminal", "T-9"), ("outcome", "pool:P1/9"), ("outcome", "P1/1"), ("outcome", "pool:P9/1")]
    for scope, subject in missing:
        answer = stop(organizer, scope, subject)
        assert (answer.status_code, answer.json["code"]) == (404, "not_found"), scope
    assert stop(organizer, "pool").json["code"] == "bad_request"
    assert stop(organizer, "everywhere", "P1").json["code"] == "bad_request"
    assert stop(organizer, "nowhere").json["code"] == "validation_failed"
    assert organizer.post("/sales-stops", {"scope": "everywhere"}).json["code"] == "validation_failed"
    early = stop(organizer, "pool", "P1", effective_from="2022-11-22T07:00:00+03:00")
    assert (early.status_code, early.json["code"]) == (422, "effective_from_too_early")
    assert organizer.get("/sales-stops").json == {"items": [], "next_cursor": None}


def test_a_second_stop_of_a_switch_is_refused_unless_the_first_comes_later(office: Office) -> None:
    office.pool()
    planned = stop(office.organizer, "pool", "P1", effective_from="2022-11-22T12:00:00+03:00").json
    now = stop(office.organizer, "pool", "P1")
    assert now.status_code == 201
    again = stop(office.organizer, "pool", "P1")
    assert (again.status_code, again.json["code"], again.json["stop"]) == (409, "sales_already_stopped", now.json["id"])
    assert resume(office.organizer, now.json["id"]).status_code == 201
    twice = resume(office.organizer, now.json["id"])
    assert (twice.status_code, twice.json["code"]) == (409, "sales_already_resumed")
    office.clock("2022-11-22T12:00:00+03:00")
    assert office.bet(office.cashier, "1", "1.00").json["stop"] == planned["id"]
    assert resume(office.organizer, 99).status_code == 404


MAY = {
    Role.ORGANIZER: {scope.value for scope in Scope},
    Role.ADMINISTRATOR: {"everywhere", "desk", "terminal"},
    Role.TRADER: {"event", "pool", "market", "outcome"},
    Role.SUPERVISOR: {"desk", "terminal"},
}


@pytest.mark.parametrize("role", list(MAY))
def test_who_may_throw_which_switch_and_put_it_back(office: Office, role: Role) -> None:
    Hall(office)
    office.hire(f"a-{role}", role)
    member = office.sign_in(f"a-{role}")
    for scope, subject in STOPPED:
        made = stop(member, scope, subject)
        assert made.status_code == (201 if scope in MAY[role] else 403), scope
        held = made if made.status_code == 201 else stop(office.organizer, scope, subject)
        assert resume(member, held.json["id"]).status_code == (201 if scope in MAY[role] else 403), scope


def test_stops_are_listed_page_by_page_and_kept_for_ever(office: Office) -> None:
    office.pool()
    made = [stop(office.organizer, "outcome", f"pool:P1/{outcome}").json["id"] for outcome in ("1", "X", "2")]
    resume(office.organizer, made[1])
    first = office.organizer.get("/sales-stops", limit=2).json
    assert [each["id"] for each in first["items"]] == [made[2], made[1]]
    second = office.organizer.get("/sales-stops", limit=2, cursor=first["next_cursor"]).json
    assert ([each["id"] for each in second["items"]], second["next_cursor"]) == ([made[0]], None)
    for is_open, found in (("true", [made[2], made[0]]), ("false", [made[1]])):
        assert [each["id"] for each in office.organizer.get("/sales-stops", open=is_open).json["items"]] == found
    ended = first["items"][1]
    assert (ended["standing"], ended["resumption_reason"]) == ("ended", "Проверено")
    assert ended["effective_from"] < ended["resumed_at"]


def test_a_pool_tells_what_holds_it_and_the_log_who_threw_the_switch(office: Office) -> None:
    office.pool()
    assert office.cashier.get("/pools/P1").json["stop"] is None
    event = stop(office.organizer, "event", "E-P1").json
    assert office.cashier.get("/pools/P1").json["stop"] == {
        "scope": "event",
        "subject": "E-P1",
        "reason": REASON,
        "since": event["effective_from"],
    }
    everywhere = stop(office.administrator, "everywhere").json
    resume(office.organizer, everywhere["id"])
    with office.owner() as session:
        rows = session.execute(
            text(
                "SELECT kind, severity, subject, login, facts->>'switch' FROM significant_events AS happened"
                " JOIN users ON users.id = user_id WHERE kind LIKE '%sales%' ORDER BY happened.id"
            )
        ).all()
    assert [tuple(row) for row in rows] == [
        ("sales_stopped", "warning", f"sales_stop:{event['id']}", "organizer", "event:E-P1"),
        ("all_sales_stopped", "alarm", f"sales_stop:{everywhere['id']}", "administrator", "everywhere:"),
        ("sales_resumed", "warning", f"sales_stop:{everywhere['id']}", "organizer", "everywhere:"),
    ]


def test_money_that_is_no_bet_moves_while_sales_are_stopped(office: Office) -> None:
    """A stop is one of sales: won tickets are paid, deposits taken, pools closed and settled."""
    pool = office.pool()
    ticket = office.bet(office.cashier, "1", "10.00").json["code"]
    office.bet(office.cashier, "2", "10.00")
    assert stop(office.organizer, "everywhere").status_code == 201
    office.player("ivan", "50.00")
    assert office.decide(pool, "1").status_code == 201
    office.clock("2022-11-23T10:00:00+03:00")
    assert office.pay(ticket).status_code == 201


def test_sales_are_stopped_and_resumed_by_command(office: Office) -> None:
    office.pool()
    runner = office.app.test_cli_runner()
    cashier = office.cashier
    done = runner.invoke(args=["stop-sales", "--by", "Administrator", "--reason", REASON])
    assert done.exit_code == 0, done.output
    assert "Продажи остановлены везде с 2022-" in done.output and "everywhere" not in done.output
    refused = office.bet(cashier, "1", "1.00").json
    assert (refused["code"], refused["scope"]) == ("sales_stopped", "everywhere")
    ended = runner.invoke(args=["resume-sales", str(refused["stop"]), "--by", "administrator", "--reason", "Проверено"])
    assert ended.exit_code == 0, ended.output
    assert office.bet(cashier, "1", "1.00").status_code == 201


def test_a_command_knows_a_login_however_it_is_written(office: Office) -> None:
    """Stray spaces, capitals, full-width letters, й in two signs: at the command as at the door (FIELD-FAULTS 125)."""
    office.hire("сергей й", Role.ORGANIZER)
    told = ["stop-sales", "--by", "  СЕРГЕ\u0418\u0306  И\u0306 ", "--reason", REASON]
    done = office.app.test_cli_runner().invoke(args=told)
    assert done.exit_code == 0, done.output
    assert office.auditor.get("/sales-stops").json["items"][0]["reason"] == REASON


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (["everywhere", "--by", "nobody", "--reason", "x"], "логином nobody нет"),
        (["pool", "P9", "--by", "administrator", "--reason", "x"], "проверьте код"),
        (["pool", "P1", "--by", "administrator", "--reason", "x"], "роль не может"),
        (["everywhere", "--by", "administrator", "--reason", " "], "Причина"),
    ],
)
def test_a_command_that_cannot_be_done_says_why_and_stops_nothing(office: Office, told: list[str], said: str) -> None:
    office.pool()
    done = office.app.test_cli_runner().invoke(args=["stop-sales", *told])
    assert done.exit_code == 1 and said in done.output
    assert office.organizer.get("/sales-stops").json["items"] == []
