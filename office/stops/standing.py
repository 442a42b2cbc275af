"""Which stop holds a sale, and what is said of it; the stops there are and were."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, select, text
from sqlalchemy.orm import Session

from ledger.refusals import Refusal
from office.stops.models import SalesResumption, SalesStop, Scope

MET = text("""
    SELECT pool, stop_met(pool, NULL, NULL, clock.now) AS stop_id
    FROM unnest(CAST(:pools AS bigint[])) AS pool, (SELECT trade_clock() AS now) AS clock
""")
HELD = {
    Scope.EVERYWHERE: "Продажи остановлены везде",
    Scope.GAME: "Продажи по этой игре остановлены",
    Scope.SPORT: "Продажи по этому виду спорта остановлены",
    Scope.EVENT: "Продажи по этому событию остановлены",
    Scope.POOL: "Продажи в этот пул остановлены",
    Scope.MARKET: "Продажи по этому рынку остановлены",
    Scope.OUTCOME: "Продажи на этот исход остановлены",
    Scope.DESK: "Продажи в этой кассе остановлены",
    Scope.TERMINAL: "Продажи на этом терминале остановлены",
}


@dataclass(frozen=True)
class ToldStop:
    """A stop and its end, as lists show them."""

    stop: SalesStop
    resumption: SalesResumption | None


def refuse_if_stopped(session: Session, stop_id: int | None) -> None:
    """Refuse a sale whose gates met a stop, and say which, since when and why.

    Raises:
        Refusal: ``sales_stopped``.
    """
    if stop_id is None:
        return
    stop = session.get_one(SalesStop, stop_id)
    raise Refusal(
        "sales_stopped",
        f"{HELD[Scope(stop.scope)]}: {stop.reason}",
        stop=stop.id,
        scope=stop.scope,
        subject=stop.subject,
        reason=stop.reason,
        since=stop.effective_from.isoformat(),
    )


def stops_of_pools(session: Session, pool_ids: Collection[int]) -> dict[int, SalesStop]:
    """The widest stop that holds all bets of a pool now, whatever their outcome and desk; of pools that have one."""
    met = {pool: stop for pool, stop in session.execute(MET, {"pools": list(pool_ids)}) if stop is not None}
    found = session.scalars(select(SalesStop).where(SalesStop.id.in_(set(met.values())))) if met else ()
    stops = {stop.id: stop for stop in found}
    return {pool: stops[stop] for pool, stop in met.items()}


def told(session: Session, stop_id: int) -> ToldStop:
    """A stop and its end.

    Raises:
        Refusal: ``not_found``.
    """
    found = session.execute(_told().where(SalesStop.id == stop_id)).first()
    if found is None:
        raise Refusal("not_found", "Такой остановки продаж нет.")
    return ToldStop(*found)


def stops(session: Session, before: int, limit: int, *, is_open: bool | None) -> Sequence[ToldStop]:
    """Stops, the latest made first, those made before the one with this id (0: from the latest).

    ``is_open`` picks those that have not been ended, planned ones among them, or those that have.
    """
    wanted = _told().order_by(SalesStop.id.desc()).limit(limit)
    if before:
        wanted = wanted.where(SalesStop.id < before)
    if is_open is not None:
        wanted = wanted.where(SalesResumption.id.is_(None) if is_open else SalesResumption.id.is_not(None))
    return [ToldStop(*row) for row in session.execute(wanted)]


def standing(stop: SalesStop, resumption: SalesResumption | None, at: datetime) -> str:
    """How a stop stands at an instant, in one word."""
    if resumption is not None and resumption.resumed_at <= at:
        return "ended"
    return "in_force" if stop.effective_from <= at else "planned"


def _told() -> Select[*tuple[Any, ...]]:
    return select(SalesStop, SalesResumption).outerjoin(SalesResumption, SalesResumption.stop_id == SalesStop.id)
