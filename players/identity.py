"""Whether whoever shows a document at a desk is the person of a registration (T-Prov 22, T-Rules 35.3)."""

from __future__ import annotations

from sqlalchemy.orm import Session

from ledger.refusals import Refusal
from office.persons.details import Details, LegalEntity, NaturalPerson
from office.persons.identities import strong_mark, weak_mark
from office.persons.register import Persons
from office.persons.words import names_in
from players.models import Player
from players.registration import player_with_login


def proven_player(session: Session, persons: Persons, login: str, shown: NaturalPerson) -> Player:
    """The registration with this login, if its person, or who acts for its legal entity, stands at the desk.

    The player's row stays locked. What was written till a refusal is to be rolled back.

    Raises:
        Refusal: ``identity_not_proven``, the same for an unknown login, somebody else's document, one that is not on
            record, and an entity whose representative's document nobody recorded.
    """
    player = player_with_login(session, login)
    if player is None or not is_shown(session, persons, player, shown):
        raise not_proven()
    return player


def not_proven() -> Refusal:
    """One refusal for every way in which somebody is not the person of a registration."""
    said = "Логин и документ не относятся к одной регистрации: проверьте их. Новый документ игрока сначала вносит"
    return Refusal("identity_not_proven", f"{said} старший кассир.")


def is_shown(session: Session, persons: Persons, player: Player, shown: NaturalPerson) -> bool:
    """Whether a shown document is that of the player, whose row is locked, or of who acts for the entity it is of.

    Name and birth date are compared, and the document where any is on record of the person; where none is, the shown
    one becomes theirs unless it is somebody else's. For a legal entity the representative's name and document are
    compared, and have to be on record.
    """
    registered = persons.read(session, player.person_version_id)
    if isinstance(registered, LegalEntity):
        session.refresh(player, with_for_update={"key_share": True})
        return player.person_id is not None and _acts_for(persons.read(session, player.person_version_id), shown)
    return _is_the_person(session, persons, player, shown)


def _is_the_person(session: Session, persons: Persons, player: Player, shown: NaturalPerson) -> bool:
    person_id = player.person_id
    # The person before the registration: the order of office/persons/recognition.py. What differs is rolled back.
    if person_id is None or persons.take_marks(session, person_id, shown) != person_id:
        return False
    documents = persons.documents_of(session, person_id)
    session.refresh(player, with_for_update={"key_share": True})
    if player.person_id is None or not _is_same(persons.read(session, player.person_version_id), shown):
        return False
    return not documents or strong_mark(shown) in documents


def _is_same(known: Details | None, shown: NaturalPerson) -> bool:
    """Whether registration and document name one person; a patronymic that either lacks is not compared."""
    if not isinstance(known, NaturalPerson) or weak_mark(known) is None:
        return False
    return weak_mark(known) == weak_mark(shown) and _same_patronymic(known, shown)


def _acts_for(entity: Details | None, shown: NaturalPerson) -> bool:
    """Whether the document is that of the entity's representative; of a representative the birth date is not asked."""
    if not isinstance(entity, LegalEntity):
        return False
    known = entity.representative
    same_document = known.document is not None and strong_mark(known) == strong_mark(shown)
    same_name = names_in(f"{known.surname} {known.name}") == names_in(f"{shown.surname} {shown.name}")
    return same_document and same_name and _same_patronymic(known, shown)


def _same_patronymic(known: NaturalPerson, shown: NaturalPerson) -> bool:
    both = bool(known.patronymic and shown.patronymic)
    return not both or names_in(known.patronymic) == names_in(shown.patronymic)
