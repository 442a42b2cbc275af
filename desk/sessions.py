"""Ending the sessions of a terminal, or of a cashier at the desks the cashier no longer works at."""

from __future__ import annotations

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.orm import Session

from office.users import AccessToken


def end_sessions(session: Session, *which: ColumnElement[bool]) -> int:
    """End the sessions these conditions name; how many there were.

    They are locked by number first: two who end the same sessions at once do not wait for one another in a circle.
    """
    going_on = select(AccessToken.id).where(
        AccessToken.ended_at.is_(None), AccessToken.expires_at > func.clock_timestamp(), *which
    )
    ended = session.scalars(going_on.order_by(AccessToken.id).with_for_update()).all()
    ending = update(AccessToken).where(AccessToken.id.in_(ended)).values(ended_at=func.clock_timestamp())
    session.execute(ending.execution_options(synchronize_session=False))
    return len(ended)
