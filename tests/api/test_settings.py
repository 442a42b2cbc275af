"""Settings: who sets what from which instant; what was done before is never told anew (D-1, FIELD-FAULTS 007)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import text
from werkzeug.test import TestResponse

from api.application import create_app
from api.house import House
from db.errors import SetupError
from office.callers import Caller, Role
from office.operator import Operator, operator_from_environment
from office.settings.of_the_operator import OPERATOR_NAME, OPERATOR_TIME_ZONE
from office.settings.versions import value_of
from tests.office import KEYS, OPERATOR, Member, Office
from tote.orders import Order
from tote.sales import place

WHY = "Решение собственника"
NAME = "/settings/operator_name"
ZONE = "/settings/operator_time_zone"


def change(office: Office, path: str, value: Any, effective_from: str | None = None) -> TestResponse:
    """The administrator sets a value."""
    body = {"value": value, "reason": WHY, "effective_from": effective_from}
    told = {name: told for name, told in body.items() if told is not None}
    return office.administrator.post(path + "/versions", told)


def at(text_: str) -> datetime:
    return datetime.fromisoformat(text_)


def test_all_settings_are_shown_with_what_holds_until_they_are_set(office: Office) -> None:
    shown = {each["name"]: each for each in office.organizer.get("/settings").json["items"]}
    assert list(shown) == sorted(shown)
    assert (shown["operator_name"]["value"], shown["operator_name"]["unset"]) == ("ООО «Проба»", "ООО «Проба»")
    zone = shown["operator_time_zone"]
    assert (zone["kind"], zone["value"], zone["notice_seconds"]) == ("zone", "Europe/Minsk", 3600)
    assert (shown["operator_name"]["kind"], shown["operator_name"]["bounds"]) == ("line", {"longest": 200})


def test_a_change_is_a_version_with_who_when_why_old_and_new(office: Office) -> None:
    first, second = change(office, NAME, "ООО «Новая»"), change(office, NAME, "ООО «Другая»")
    assert (first.status_code, second.status_code) == (201, 201)
    versions = office.organizer.get(NAME + "/versions").json["items"]
    assert [(each["old"], each["value"], each["reason"]) for each in versions] == [
        ("ООО «Новая»", "ООО «Другая»", WHY),
        ("ООО «Проба»", "ООО «Новая»", WHY),
    ]
    assert office.organizer.get(NAME).json["value"] == "ООО «Другая»"
    assert office.organizer.get(NAME, at=first.json["effective_from"]).json["value"] == "ООО «Новая»"
    before = office.organizer.get(NAME, at="2022-11-22T07:59:59+03:00").json
    assert before["value"] == "ООО «Проба»"
    assert [each["value"] for each in before["planned"]] == ["ООО «Новая»", "ООО «Другая»"]
    with office.owner() as session:
        events = session.execute(
            text(
                "SELECT kind, severity, subject, facts->>'old', facts->>'new' FROM significant_events WHERE kind = "
                "'setting_changed' ORDER BY id"
            )
        ).all()
    assert [tuple(event) for event in events] == [
        ("setting_changed", "warning", "setting:operator_name", "ООО «Проба»", "ООО «Новая»"),
        ("setting_changed", "warning", "setting:operator_name", "ООО «Новая»", "ООО «Другая»"),
    ]


def test_a_planned_change_takes_effect_at_its_instant_whatever_is_changed_before(office: Office) -> None:
    """Planned for 12:00; changed at once; a later plan for the same instant replaces the first one."""
    noon = "2022-11-22T12:00:00+03:00"
    assert change(office, NAME, "С полудня", noon).json["old"] == "ООО «Проба»"
    assert change(office, NAME, "Сейчас").status_code == 201
    shown = office.organizer.get(NAME).json
    assert (shown["value"], [each["value"] for each in shown["planned"]]) == ("Сейчас", ["С полудня"])
    assert office.organizer.get(NAME, at=noon).json["value"] == "С полудня"
    assert change(office, NAME, "С полудня иначе", noon).json["old"] == "С полудня"
    assert change(office, NAME, "Сейчас", noon).status_code == 201, "the plan is withdrawn"
    office.clock(noon)
    assert office.organizer.get(NAME).json["value"] == "Сейчас"


def test_what_cannot_be_set_is_refused_and_leaves_no_version(office: Office) -> None:
    refused = [
        (NAME, "", None, 422, "setting_value_wrong"),
        (NAME, 7, None, 422, "setting_value_wrong"),
        (NAME, ["a"], None, 422, "setting_value_wrong"),
        (ZONE, "Europe/Nowhere", None, 422, "setting_value_wrong"),
        (NAME, "ООО «Проба»", None, 409, "setting_unchanged"),
        (NAME, "Раньше", "2022-11-22T07:59:00+03:00", 422, "effective_from_too_early"),
        (ZONE, "Asia/Yerevan", "2022-11-22T08:59:00+03:00", 422, "effective_from_too_early"),
        ("/settings/no_such_setting", "x", None, 404, "not_found"),
    ]
    for path, value, instant, status, code in refused:
        answer = change(office, path, value, instant)
        assert (answer.status_code, answer.json["code"]) == (status, code), (path, value)
    for path in (NAME, ZONE):
        assert office.organizer.get(path + "/versions").json["items"] == []
    early = change(office, ZONE, "Asia/Yerevan", "2022-11-22T08:59:00+03:00").json
    assert at("2022-11-22T09:00:00+03:00") <= at(early["earliest"]) < at("2022-11-22T09:01:00+03:00")


def test_a_version_without_an_instant_takes_effect_as_soon_as_its_notice_lets_it(office: Office) -> None:
    made = change(office, ZONE, "Asia/Yerevan").json
    assert at("2022-11-22T09:00:00+03:00") <= at(made["effective_from"]) < at("2022-11-22T09:01:00+03:00")


def test_versions_are_read_page_by_page(office: Office) -> None:
    for number in range(3):
        change(office, NAME, f"Имя {number}")
    first = office.organizer.get(NAME + "/versions", limit=2).json
    rest = office.organizer.get(NAME + "/versions", limit=2, cursor=first["next_cursor"]).json
    shown = [each["value"] for each in (*first["items"], *rest["items"])]
    assert (shown, rest["next_cursor"]) == (["Имя 2", "Имя 1", "Имя 0"], None)


def test_a_ticket_keeps_the_name_of_the_moment_it_was_sold_at(office: Office) -> None:
    office.pool()
    player = office.player("ivan", "10.00")
    old = office.bet(player, "1", "1.00", key="before-the-change").json
    change(office, NAME, "ООО «Новая»")
    new = office.bet(player, "1", "1.00").json
    assert (old["operator"], new["operator"]) == ("ООО «Проба»", "ООО «Новая»")
    assert office.bet(player, "1", "1.00", key="before-the-change").json == old, "a repeat gets the same answer"
    listed = {each["number"]: each["operator"] for each in player.get("/tickets").json["items"]}
    assert listed == {old["number"]: "ООО «Проба»", new["number"]: "ООО «Новая»"}


def test_a_running_pool_keeps_its_terms_and_made_decisions_their_days(office: Office) -> None:
    """Settled on the 22nd in Minsk: paid from 00:00 of the 23rd there, whatever the zone is afterwards.

    A bet at 22:30 in Minsk is booked on the 22nd before the change, one at the same hour of the day after, when the
    zone is that of Vladivostok (+10:00), on the 24th: there it is 05:30 of the next day.
    """
    pool = office.pool()
    office.bet(office.cashier, "1", "10.00")
    office.decide(pool, "1")
    terms = "SELECT payable_from, payable_until FROM settlements"
    booked = "SELECT array_agg(booked_on ORDER BY id) FROM transfers"
    with office.owner() as session:
        before, days = session.execute(text(terms)).one(), session.scalar(text(booked))
    assert before.payable_from == datetime(2022, 11, 22, 21, tzinfo=UTC)
    made = change(office, ZONE, "Asia/Vladivostok", "2022-11-22T18:00:00+03:00")
    assert made.status_code == 201
    office.clock("2022-11-23T22:30:00+03:00")
    office.move("own_money_in", "1.00")
    with office.owner() as session:
        assert session.execute(text(terms)).one() == before
        after = session.scalar(text(booked))
    assert after[:-1] == days
    assert {day.isoformat() for day in days} == {"2022-11-22"}
    assert after[-1].isoformat() == "2022-11-24"


def test_another_worker_goes_by_a_change_it_was_never_told_of(office: Office) -> None:
    """Its book is older than the change; the gates of the sale tell it so, and the bet is booked by the new zone.

    From 10:00 in Minsk the zone is Pago Pago's (-11:00), where it is 20:00 of the day before.
    """
    office.pool()
    player = office.player("ivan", "10.00")
    worker = House(OPERATOR, lambda: office.urls, lambda: KEYS)
    there = Member(create_app(worker).test_client(), player.token)
    assert office.bet(there, "1", "1.00").status_code == 201
    assert change(office, ZONE, "Pacific/Pago_Pago", "2022-11-22T10:00:00+03:00").status_code == 201
    assert office.bet(there, "1", "1.00").status_code == 201
    office.clock("2022-11-22T10:00:00+03:00")
    assert office.bet(there, "1", "1.00").status_code == 201
    worker.engine.dispose()
    with office.owner() as session:
        days = session.scalars(text("SELECT booked_on FROM transfers WHERE kind = 'stake' ORDER BY id")).all()
    assert [day.isoformat() for day in days] == ["2022-11-22", "2022-11-22", "2022-11-21"]


def test_a_change_gives_up_on_a_sale_that_hangs_and_the_house_goes_on(office: Office) -> None:
    office.pool()
    office.player("ivan", "10.00")
    with office.owner() as session:
        ivan = Caller(Role.PLAYER, player_id=session.scalars(text("SELECT id FROM players")).one())
    with office.house.sessions() as hanging:
        place(hanging, office.house.counter, Order("P1", "1", 1_00), ivan)
        given_up = change(office, NAME, "ООО «Новая»")
        assert (given_up.status_code, given_up.json["code"]) == (503, "too_busy")
        assert office.bet(office.cashier, "1", "1.00").status_code == 201
        hanging.commit()
    assert office.organizer.get(NAME + "/versions").json["items"] == []
    assert change(office, NAME, "ООО «Новая»").status_code == 201


def test_the_environment_holds_until_a_setting_is_made_and_is_read_as_strictly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert operator_from_environment() == Operator("Тотализатор", ZoneInfo("Europe/Minsk"))
    monkeypatch.setenv("OPERATOR_NAME", "ООО «Среда»")
    monkeypatch.setenv("OPERATOR_TIME_ZONE", "Asia/Yerevan")
    assert operator_from_environment() == Operator("ООО «Среда»", ZoneInfo("Asia/Yerevan"))
    monkeypatch.setenv("OPERATOR_TIME_ZONE", "Минск")
    with pytest.raises(SetupError, match=r"OPERATOR_TIME_ZONE: .*Europe/Minsk"):
        operator_from_environment()


def test_value_of_reads_what_the_book_reads(office: Office) -> None:
    change(office, NAME, "Сейчас")
    change(office, NAME, "С полудня", "2022-11-22T12:00:00+03:00")
    change(office, ZONE, "Asia/Yerevan", "2022-11-22T12:00:00+03:00")
    with office.house.sessions() as session:
        known = office.house.settings.read(session)
        for instant in ("2022-11-21T12:00:00+03:00", "2022-11-22T11:59:59.999999+03:00", "2022-11-22T12:00:00+03:00"):
            for setting in (OPERATOR_NAME, OPERATOR_TIME_ZONE):
                assert known.value(setting, at(instant)) == value_of(session, setting, at(instant))
        assert value_of(session, OPERATOR_NAME) == "Сейчас"
        assert value_of(session, OPERATOR_TIME_ZONE) == ZoneInfo("Europe/Minsk")
