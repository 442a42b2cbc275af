"""The journal of cash payouts as a file, in the form of the annex to T-Prov: masked, or in full and on record."""

from __future__ import annotations

from datetime import date
from typing import Any

from marshmallow import fields, validate
from werkzeug.wrappers import Response

from api.answers import refuses
from api.auth import allowed
from api.documents.blueprint import documents
from api.documents.files import CSV, FORMATS, PDF, XLSX, gives, table_file
from api.fields import Day, Number, Schema
from api.house import caller, house, session
from api.ownership import own_desk
from api.reasons import reason
from db.clock import trade_time
from desk.gates import desk_by_id, no_such_desk
from office.callers import Role
from office.persons.views import ask_to_export
from reports.papers.payout_journal import TITLE, JournalWanted, journal_table
from reports.papers.words import heading
from reports.payouts import Wanted, last_number, persons_up_to
from tote.rules.payment_term import DAY, start_of_day

EVER = date(1900, 1, 1), date(2999, 12, 31)
"""The days there are for us: where a period has no beginning, or no end."""


class JournalFileQuery(Schema):
    """Which lines, as what: of a desk, paid from a day to another, both included. Without days: the whole journal."""

    format = fields.String(required=True, validate=validate.OneOf(list(FORMATS)))
    since = Day(load_default=None, data_key="from")
    until = Day(load_default=None, data_key="to")
    desk_id = Number(load_default=None)


class NewJournalFile(JournalFileQuery):
    """The lines with persons in full, and why."""

    reason = reason()


@documents.get("/payout-journal")
@documents.arguments(JournalFileQuery, location="query")
@gives(200, PDF, XLSX, CSV)
@allowed(Role.CASHIER, Role.SUPERVISOR, Role.ACCOUNTANT, Role.AUDITOR)
@refuses("not_found", "too_many_rows", "papers_busy")
def download_payout_journal(asked: dict[str, Any]) -> Response:
    """The journal of cash payouts, persons masked; cashiers get the lines of their own desk."""
    asked["desk_id"] = own_desk(asked["desk_id"], no_such_desk())
    return _file(asked, last_number(session()), 200)


@documents.post("/payout-journal/views")
@documents.arguments(NewJournalFile)
@gives(201, PDF, XLSX, CSV)
@allowed(Role.SUPERVISOR, Role.ACCOUNTANT, Role.AUDITOR)
@refuses("not_found", "unmasked_view_not_granted", "too_many_rows", "papers_busy")
def view_payout_journal(told: dict[str, Any]) -> Response:
    """The journal in full, to be printed and bound; a view of every person in it is on record beforehand."""
    last = last_number(session())
    seen = persons_up_to(session(), _wanted(told), last)
    ask_to_export(session(), seen, "journal:payouts", told["reason"], caller())
    session().commit()
    return _file(told, last, 201)


def _file(asked: dict[str, Any], last: int, status: int) -> Response:
    made_at = trade_time(session())
    covers = heading(house().operator, TITLE, made_at, _period(asked), _filters(asked))
    wanted = JournalWanted(_wanted(asked), last, in_full=status == 201)
    table = journal_table(house().sessions, house().persons, house().operator, covers, wanted)
    return table_file(table, asked["format"], f"payout-journal-{last}", status)


def _wanted(asked: dict[str, Any]) -> Wanted:
    """The lines of whole days of the operator's calendar (D-1)."""
    if (asked["since"], asked["until"]) == (None, None):
        return Wanted(asked["desk_id"])
    first, behind = asked["since"] or EVER[0], (asked["until"] or EVER[1]) + DAY
    first_instant, end = (start_of_day(day, house().operator.zone_on(day)) for day in (first, behind))
    return Wanted(asked["desk_id"], paid=(first_instant, end))


def _period(asked: dict[str, Any]) -> str:
    since, until = (day and f"{day:%d.%m.%Y}" for day in (asked["since"], asked["until"]))
    return " ".join(said for said in (since and f"с {since}", until and f"по {until}") if said)


def _filters(asked: dict[str, Any]) -> list[str]:
    return [] if asked["desk_id"] is None else [f"касса {desk_by_id(session(), asked['desk_id']).code}"]
