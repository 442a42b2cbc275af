"""From what a request tells to who somebody is, and from that to what an answer shows."""

from __future__ import annotations

from typing import Any

from office.persons.details import Details, Document, LegalEntity, NaturalPerson
from office.persons.masking import born, contacts, masked_document, masked_name
from players.models import Player


def details_of(told: dict[str, Any]) -> Details:
    """Who the fields of `NewDetails` tell of."""
    reached = {name: told[name] for name in ("phone", "email") if name in told}
    entity = told.get("legal_entity")
    if entity is None:
        return NaturalPerson(**_human(told), **reached)
    return LegalEntity(**{**entity, "representative": NaturalPerson(**_human(entity["representative"]))}, **reached)


def masked(person_id: int, version: int, details: Details | None, player: Player | None) -> dict[str, Any]:
    """A person as lists show one, with the registration there is of them."""
    return {
        "person_id": person_id,
        "player_id": None if player is None else player.id,
        "login": None if player is None else player.login,
        "version": version,
        "person": masked_name(details),
        "document": masked_document(details),
        "birth_year": born(details),
        "contacts": contacts(details),
    }


def _human(told: dict[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = {
        name: told[name] for name in ("surname", "name", "patronymic", "birth_date") if name in told
    }
    return {**plain, "document": Document(**told["document"])} if "document" in told else plain
