"""Finding persons, seeing them with a reason, amending and erasing them; the journal of payouts in full."""

from __future__ import annotations

from typing import Any

from api.answers import refuses
from api.auth import allowed
from api.guessing import attempt, registry_for
from api.house import caller, house, session
from api.pages import page_of
from api.persons.schemas import (
    ErasureShown,
    JournalInFull,
    NewDetails,
    NewJournalView,
    NewSearch,
    NewView,
    PersonCard,
    PersonsFound,
    PersonUnmasked,
    VersionMade,
)
from api.persons.telling import details_of, masked
from api.reasons import Reason
from api.requests import Blueprint
from desk.retention import Erased, erase_on_request
from office.callers import Role
from office.persons.details import written
from office.persons.models import PersonVersion
from office.persons.search import MOST, Wanted
from office.persons.search import search as search_persons
from office.persons.views import ask_to_export, ask_to_view, version_of, versions_of
from players.amending import amend
from players.registration import registrations_of
from reports.payouts import JournalLine, journal_in_full

persons = Blueprint("persons", __name__, url_prefix="/api/v1", description="Персональные данные")


@persons.post("/persons/searches")
@persons.doc(operationId="search_persons")
@persons.arguments(NewSearch)
@persons.response(200, PersonsFound)
@allowed(Role.SUPERVISOR, Role.ACCOUNTANT, Role.AUDITOR)
@refuses("too_many_attempts", "nothing_to_search_by")
def find(told: dict[str, Any]) -> dict[str, Any]:
    """Find persons by whole words, documents, birth date or contacts; masked, and the search is on record."""
    attempt(registry_for(caller()))
    hits = search_persons(session(), house().persons, Wanted(**told), caller())
    session().commit()
    players = registrations_of(session(), [hit.person_id for hit in hits])
    items = [masked(hit.person_id, hit.version_id, hit.details, players.get(hit.person_id)) for hit in hits[:MOST]]
    return {"items": items, "more": len(hits) > MOST}


@persons.get("/persons/<int:person_id>")
@persons.doc(operationId="show_person")
@persons.response(200, PersonCard)
@allowed(Role.SUPERVISOR, Role.ACCOUNTANT, Role.AUDITOR)
def show(person_id: int) -> dict[str, Any]:
    """A person by the latest version, masked, and which versions there are."""
    version = version_of(session(), person_id)
    player = registrations_of(session(), [person_id]).get(person_id)
    latest = masked(person_id, version, house().persons.read(session(), version), player)
    return {**latest, "versions": versions_of(session(), person_id)}


@persons.post("/persons/<int:person_id>/versions")
@persons.doc(operationId="amend_person")
@persons.arguments(NewDetails)
@persons.response(201, VersionMade)
@allowed(Role.SUPERVISOR)
@refuses("person_kind_differs", "person_already_registered")
def record_version(told: dict[str, Any], person_id: int) -> dict[str, Any]:
    """Record new details of a known person, whole: a document shown later, another name, another telephone."""
    version = amend(session(), house().persons, person_id, details_of(told), caller())
    session().commit()
    return {"person_id": person_id, "version": version}


@persons.post("/persons/<int:person_id>/views")
@persons.doc(operationId="view_person")
@persons.arguments(NewView)
@persons.response(201, PersonUnmasked)
@allowed(Role.SUPERVISOR, Role.ACCOUNTANT, Role.AUDITOR)
@refuses("unmasked_view_not_granted")
def view(told: dict[str, Any], person_id: int) -> dict[str, Any]:
    """See a person unmasked: who, when and why is on record before anything is shown."""
    version_id = ask_to_view(session(), person_id, told.get("version"), told["reason"], caller())
    session().commit()
    details = house().persons.read(session(), version_id)
    return {
        "person_id": person_id,
        "version": version_id,
        "recorded_at": session().get_one(PersonVersion, version_id).recorded_at,
        "erased": details is None,
        "details": {} if details is None else written(details),
    }


@persons.post("/persons/<int:person_id>/erasures")
@persons.doc(operationId="erase_person")
@persons.arguments(Reason)
@persons.response(201, ErasureShown)
@allowed(Role.ADMINISTRATOR)
@refuses("registration_stands", "nothing_to_erase")
def erase(told: dict[str, Any], person_id: int) -> Erased:
    """Erase what is known of a person, but for what the journal or a standing registration must keep."""
    erased = erase_on_request(session(), house().operator, house().persons, person_id, told["reason"], caller())
    session().commit()
    return erased


@persons.post("/payouts/views")
@persons.doc(operationId="view_payouts")
@persons.arguments(NewJournalView)
@persons.response(201, JournalInFull)
@allowed(Role.SUPERVISOR, Role.ACCOUNTANT, Role.AUDITOR)
@refuses("unmasked_view_not_granted")
def view_journal(told: dict[str, Any]) -> dict[str, Any]:
    """The journal of cash payouts in full, to be printed; a view of every person in it is on record beforehand."""
    lines, following = page_of(told, _in_full, lambda line: line.number)
    ask_to_export(session(), [line.person_version for line in lines], "journal:payouts", told["reason"], caller())
    session().commit()
    return {"items": lines, "next_cursor": following}


def _in_full(after: int, limit: int) -> list[JournalLine]:
    return journal_in_full(session(), house().persons, after, limit)
