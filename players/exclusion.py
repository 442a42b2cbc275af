"""Persons who keep themselves from betting: by a player online, or at a desk by whoever shows a document.

It is the person who is excluded, whatever registrations there are. Until the end no registration of theirs bets or
takes money in, and none is opened anew. Bets that stand are settled, and money is taken out as ever. A bet for cash at
a desk is anonymous, so that nobody can refuse it for this.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from db.clock import trade_time
from db.pages import newest_first
from ledger.refusals import Refusal
from office.callers import Caller
from office.operator import Operator
from office.persons.details import NaturalPerson
from office.persons.models import PersonVersion
from office.persons.recognition import hold
from office.persons.register import Persons
from office.persons.settings import SELF_EXCLUSION_DAYS
from office.settings.versions import value_of
from office.significant.kinds import SELF_EXCLUDED
from office.significant.log import note
from players.models import Player, SelfExclusion


def exclude_player(session: Session, operator: Operator, player_id: int, days: int, by: Caller) -> SelfExclusion:
    """Exclude the person of a registration for so many days, at the player's own word.

    Raises:
        Refusal: ``not_found``; every reason of :func:`exclude`.
    """
    player = session.get(Player, player_id)
    if player is None or player.person_id is None:
        raise Refusal("not_found", "Такого игрока нет.")
    hold(session, player.person_id)
    return exclude(session, operator, (player.person_id, player.person_version_id), days, by)


def exclude_shown(
    session: Session, operator: Operator, persons: Persons, shown: NaturalPerson, days: int, by: Caller
) -> SelfExclusion:
    """Exclude whoever shows a document at a desk, registered or not.

    Raises:
        Refusal: every reason of :func:`exclude`.
    """
    version = persons.record(session, shown)
    return exclude(session, operator, (session.get_one(PersonVersion, version).person_id, version), days, by)


def exclude(session: Session, operator: Operator, whom: tuple[int, int], days: int, by: Caller) -> SelfExclusion:
    """Exclude a person, named with the version they are known by: from now to the end of the last day (D-1).

    The last day is so many days after today by the operator's calendar.

    Raises:
        Refusal: ``exclusion_too_short`` with the least number of days; ``exclusion_stands`` with its end, a standing
            one is never shortened.
    """
    person_id, version = whom
    at = trade_time(session)
    least = value_of(session, SELF_EXCLUSION_DAYS, at)
    if days < least:
        raise Refusal("exclusion_too_short", f"Наименьший срок самоограничения, дней: {least}.", minimum=least)
    ends_at = last_instant(operator, operator.day_of(at), days)
    standing = excluded_until(session, person_id)
    if standing is not None and ends_at < standing:
        said = f"Самоограничение уже действует до {operator.day_of(standing):%d.%m.%Y}: сократить его нельзя."
        raise Refusal("exclusion_stands", said, until=standing.isoformat())
    made = SelfExclusion(
        person_id=person_id,
        person_version_id=version,
        player_id=by.player_id,
        taken_by=by.user_id,
        terminal_id=by.terminal_id,
        begins_at=at,
        ends_at=ends_at,
    )
    _put(session, made)
    note(session, SELF_EXCLUDED, f"person:{person_id}", by, exclusion=made.id, until=ends_at.isoformat())
    return made


def last_instant(operator: Operator, today: date, days: int) -> datetime:
    """When an exclusion of so many days ends: as the day after the last one begins in the operator's zone."""
    following = today + timedelta(days=days + 1)
    return datetime.combine(following, time.min, operator.zone_on(following)).astimezone(UTC)


def excluded_until(session: Session, person_id: int) -> datetime | None:
    """Until when a person is excluded, or was; nothing for who never asked for it."""
    mine = select(SelfExclusion.ends_at).where(SelfExclusion.person_id == person_id)
    return session.scalar(mine.order_by(SelfExclusion.ends_at.desc()).limit(1))


def carry_over(session: Session, former: int, person_id: int, version: int, by: Caller) -> None:
    """Let a person who turns out to be one that was excluded as another be excluded as long."""
    until, own, at = excluded_until(session, former), excluded_until(session, person_id), trade_time(session)
    if until is not None and until > at and (own is None or own < until):
        _put(
            session,
            SelfExclusion(
                person_id=person_id,
                person_version_id=version,
                taken_by=by.user_id,
                terminal_id=by.terminal_id,
                begins_at=at,
                ends_at=until,
            ),
        )


def exclusions(session: Session, before: int, limit: int) -> Sequence[SelfExclusion]:
    """The exclusions on record, the latest first."""
    return session.scalars(newest_first(select(SelfExclusion), SelfExclusion.id, before, limit)).all()


def _put(session: Session, made: SelfExclusion) -> None:
    """Write the fact, and where the placing statement reads it."""
    session.add(made)
    session.flush()
    registrations = update(Player).where(Player.person_id == made.person_id)
    # Of two asked for at once the longer one counts.
    session.execute(registrations.values(excluded_until=func.greatest(Player.excluded_until, made.ends_at)))
