"""Persons who keep themselves from betting: players online, anybody at a desk."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

from api.answers import refuses
from api.auth import allowed
from api.fields import PageQuery
from api.house import caller, house, session
from api.pages import page_of
from api.persons.telling import details_of
from api.players.blueprint import own_id, players
from api.players.schemas import ExclusionPage, ExclusionShown, NewExclusion, NewExclusionShown
from office.callers import Role
from office.persons.details import NaturalPerson
from players.exclusion import exclude_player, exclude_shown, exclusions
from players.models import SelfExclusion

EXCLUSION_REFUSALS = ("exclusion_too_short", "exclusion_stands")


@players.post("/players/me/self-exclusions")
@players.doc(operationId="exclude_oneself")
@players.arguments(NewExclusion)
@players.response(201, ExclusionShown)
@allowed(Role.PLAYER)
@refuses("not_found", *EXCLUSION_REFUSALS)
def exclude_myself(told: dict[str, Any]) -> SelfExclusion:
    """Keep oneself from betting and paying in, for so many days; nobody shortens or lifts it."""
    made = exclude_player(session(), house().operator, own_id(), told["days"], caller())
    session().commit()
    return made


@players.post("/self-exclusions")
@players.doc(operationId="exclude_person")
@players.arguments(NewExclusionShown)
@players.response(201, ExclusionShown)
@allowed(Role.CASHIER, Role.SUPERVISOR)
@refuses(*EXCLUSION_REFUSALS)
def exclude_at_desk(told: dict[str, Any]) -> SelfExclusion:
    """Exclude whoever asks for it at a desk and shows a document, registered or not."""
    shown = details_of(told)
    assert isinstance(shown, NaturalPerson), "a document at a desk is a human being's"
    made = exclude_shown(session(), house().operator, house().persons, shown, told["days"], caller())
    session().commit()
    return made


@players.get("/self-exclusions")
@players.arguments(PageQuery, location="query")
@players.response(200, ExclusionPage)
@allowed(Role.SUPERVISOR, Role.AUDITOR)
def list_self_exclusions(page: dict[str, Any]) -> dict[str, Any]:
    """The exclusions on record, the latest first; persons by their numbers alone (D-16)."""
    found, following = page_of(page, partial(exclusions, session()), attrgetter("id"))
    return {"items": found, "next_cursor": following}
