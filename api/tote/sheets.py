"""The sheet of a pool as it is shown: the division in force, and every one before it."""

from __future__ import annotations

from typing import Any

from api.house import session
from ledger.money import currency, display_fraction, format_fraction
from reports.divisions import Version, coefficient_of, win_per_bet_of
from reports.pool_sheet import pool_sheet
from tote.level_shares import LevelShare
from tote.models import Pool, PoolDivision

DIVIDED = (
    "minus_pool",
    "returned",
    "winning_bets",
    "winning_stake",
    "wins",
    "to_jackpot",
    "from_organizer",
    "jackpot_shortfall",
)
TERMS = ("payable_from", "payable_until", "claims_until", "disputes_until")
"""The ends that a settled pool's answers tell, where it has them."""


def sheet_shown(pool: Pool) -> dict[str, Any]:
    """The sheet of a pool at this moment."""
    sheet = pool_sheet(session(), pool)
    closing = sheet.closing
    return {
        "code": pool.code,
        "name": pool.name,
        "status": sheet.status.value,
        "outcomes": sheet.outcomes,
        "bets": sheet.bets,
        "rows": sheet.rows,
        "pool": sheet.stakes,
        "cancelled_bets": sheet.cancelled_bets,
        "cancelled_stakes": sheet.cancelled_stakes,
        "withdrawal": _of(sheet.left, "withdrawal"),
        "fund": _of(sheet.left, "fund"),
        "closed_at": _of(closing, "closed_at"),
        **_divided(sheet.division, pool),
        "levels": [level_shown(level, pool) for level in sheet.levels],
        "settled_at": sheet.settled_at,
        **{name: _of(sheet.terms, name) for name in TERMS},
        "versions": [_version(version, pool) for version in sheet.versions],
    }


def _version(version: Version, pool: Pool) -> dict[str, Any]:
    return {
        "version": version.version,
        "protocol": version.protocol,
        "standing": version.standing,
        "true_outcomes": version.division.true_outcomes,
        **_divided(version.division, pool),
        "levels": [level_shown(level, pool) for level in version.levels],
        "settled_at": version.settled_at,
        "reversed_at": version.reversed_at,
    }


def _divided(division: PoolDivision | None, pool: Pool) -> dict[str, Any]:
    shares = {"coefficient": coefficient_of(division, pool), "win_per_bet": win_per_bet_of(division, pool)}
    return {
        **{name: _of(division, name) for name in DIVIDED},
        **{name: None if share is None else format_fraction(share) for name, share in shares.items()},
        **{f"{name}_display": None if share is None else display_fraction(share) for name, share in shares.items()},
    }


def level_shown(share: LevelShare, pool: Pool) -> dict[str, Any]:
    """A level as the schema takes it."""
    exact = {
        "fund": share.fund / 10 ** currency(pool.currency).exponent,
        "coefficient": share.coefficient,
        "win_per_bet": share.win_per_bet,
    }
    return {
        "level": share.level,
        "winning_bets": share.winning_bets,
        "winning_stake": share.winning_stake,
        **{name: None if value is None else format_fraction(value) for name, value in exact.items()},
        **{f"{name}_display": None if value is None else display_fraction(value) for name, value in exact.items()},
    }


def _of(record: object | None, name: str) -> Any:
    return None if record is None else getattr(record, name)
