"""Stopping sales and letting them go on, at an instant that divides the bets of the whole house (DESIGN 3.4)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from ledger.refusals import Refusal
from office.callers import Caller
from office.gate import refuse_too_early, shut_house
from office.significant.kinds import ALL_SALES_STOPPED, SALES_RESUMED, SALES_STOPPED
from office.significant.log import note
from office.stops.models import OpenSalesStop, SalesResumption, SalesStop, Scope
from office.stops.rights import refuse_foreign_switch

ResumptionObjection = Callable[[Session, SalesStop], None]
"""Somebody's objection to letting sales go on: asked behind the house's gate, it raises a refusal where it has one."""


def stop_sales(
    session: Session,
    scope: Scope,
    subject: str,
    *,
    by: Caller,
    reason: str,
    effective_from: datetime | None = None,
    beside: bool = False,
) -> SalesStop:
    """Stop sales of a scope from an instant on, from now if none is named; the caller has seen that the subject exists.

    Under the house's gate: bets under way are waited for, however long, for meanwhile nothing new is sold; their
    instants are not after the stop's, and every bet behind the gate reads the stop. Money already taken, deposits and
    payouts are not touched. One stop of a switch is enough, unless this one is to stand ``beside`` others and outlive
    them; whoever throws it so holds the gate already, and names an instant from having it on.

    Raises:
        Refusal: ``forbidden``; ``sales_already_stopped`` with the stop that holds then anyway;
            ``effective_from_too_early``.
    """
    refuse_foreign_switch(by, scope)
    assert by.user_id is not None, "a role that may stop sales is a user's"
    now = shut_house(session, patience=None)
    instant = now if effective_from is None else effective_from
    switch = f"{scope.value}:{subject}"
    if not beside:
        refuse_too_early(instant, now)
        _refuse_second_stop(session, switch, instant)
    stop = SalesStop(scope=scope.value, subject=subject, effective_from=instant, reason=reason, stopped_by=by.user_id)
    session.add(stop)
    session.flush()
    session.execute(insert(OpenSalesStop).values(stop_id=stop.id, switch=switch))
    kind = ALL_SALES_STOPPED if scope is Scope.EVERYWHERE else SALES_STOPPED
    note(session, kind, f"sales_stop:{stop.id}", by, switch=switch, reason=reason, effective_from=instant.isoformat())
    return stop


def resume_sales(
    session: Session, stop_id: int, *, by: Caller, reason: str, objections: tuple[ResumptionObjection, ...] = ()
) -> SalesResumption:
    """End a stop now; one that is only planned is withdrawn by it.

    Raises:
        Refusal: ``not_found``; ``forbidden``; ``sales_already_resumed`` with the instant; those of the ``objections``.
        OperationalError: sales under way did not end in time.
    """
    stop = session.get(SalesStop, stop_id)
    if stop is None:
        raise Refusal("not_found", "Такой остановки продаж нет.")
    refuse_foreign_switch(by, stop.scope)
    assert by.user_id is not None, "a role that may resume sales is a user's"
    now = shut_house(session)
    ended = session.scalar(select(SalesResumption).where(SalesResumption.stop_id == stop_id))
    if ended is not None:
        at = ended.resumed_at.isoformat()
        raise Refusal("sales_already_resumed", "Эта остановка продаж уже снята.", resumed_at=at)
    for objection in objections:
        objection(session, stop)
    resumption = SalesResumption(stop_id=stop_id, resumed_at=now, reason=reason, resumed_by=by.user_id)
    session.add(resumption)
    session.execute(delete(OpenSalesStop).where(OpenSalesStop.stop_id == stop_id))
    switch = f"{stop.scope}:{stop.subject}"
    note(session, SALES_RESUMED, f"sales_stop:{stop_id}", by, switch=switch, reason=reason, resumed_at=now.isoformat())
    session.flush()
    return resumption


def _refuse_second_stop(session: Session, switch: str, instant: datetime) -> None:
    """One stop a switch is enough; one that is planned for later is no reason not to stop now."""
    holding = (
        select(SalesStop.id)
        .join(OpenSalesStop, OpenSalesStop.stop_id == SalesStop.id)
        .where(OpenSalesStop.switch == switch, SalesStop.effective_from <= instant)
        .limit(1)
    )
    found = session.scalar(holding)
    if found is not None:
        said = "Эти продажи уже остановлены с этого или более раннего момента."
        raise Refusal("sales_already_stopped", said, stop=found)
