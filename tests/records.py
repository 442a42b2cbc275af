"""What a house has on record, and what its owner set."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select, text

from db.session import transaction
from office.settings.kinds import Setting
from office.settings.versions import SettingVersion
from office.significant.kinds import Kind
from office.significant.log import SignificantEvent
from tests.office import Office

AGO = datetime(2000, 1, 1, tzinfo=UTC)


def set_to(office: Office, setting: Setting[Any], value: Any) -> None:
    """Let a setting have had this value for long."""
    told = setting.kind.write(value)
    with transaction(office.owner) as session:
        changed = {"old": None, "effective_from": AGO, "reason": "проба", "changed_by": 1}
        session.add(SettingVersion(name=setting.name, value=told, **changed))


def noted(office: Office, kind: Kind) -> list[SignificantEvent]:
    """The significant events of a kind, in order."""
    with office.owner() as session:
        query = select(SignificantEvent).where(SignificantEvent.kind == kind.code).order_by(SignificantEvent.id)
        return list(session.scalars(query))


def facts_of(office: Office, kind: Kind) -> list[tuple[str, dict[str, Any]]]:
    """The subject and the facts of every significant event of a kind, in order."""
    return [(event.subject, event.facts) for event in noted(office, kind)]


def let_pass(office: Office, seconds: float) -> None:
    """So much time goes by for all counts of attempts."""
    with transaction(office.owner) as session:
        session.execute(
            text("""
                UPDATE attempt_counts SET
                    attempts = ARRAY(SELECT made - make_interval(secs => :gone) FROM unnest(attempts) AS made),
                    last_at = last_at - make_interval(secs => :gone),
                    noted_at = noted_at - make_interval(secs => :gone)
            """),
            {"gone": seconds},
        )


def let_stand(office: Office, instant: str) -> None:
    """Let the trade's clock show this instant and stand still, to the microsecond: in a test's own database only."""
    with transaction(office.owner) as session:
        session.connection().exec_driver_sql(
            "CREATE OR REPLACE FUNCTION trade_clock() RETURNS timestamptz LANGUAGE sql VOLATILE AS "
            f"$$ SELECT timestamptz '{datetime.fromisoformat(instant).isoformat()}' $$"
        )
