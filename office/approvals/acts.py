"""The register of acts that take two persons: who may propose each, who may approve it, how long it waits."""

from __future__ import annotations

from dataclasses import dataclass

from office.approvals.limits import CANCELLATION_LIFE, CORRECTION_LIFE, PAYOUT_LIFE, RESULT_LIFE
from office.callers import Role
from office.settings.kinds import Setting


@dataclass(frozen=True)
class Act:
    """An act for two: its stable code, what people read, the roles of either person, its life in minutes.

    ``by_protocol``: its approval is more than a yes, a protocol with its signatories (T-Rules 10), and is given where
    protocols are drawn up.
    """

    code: str
    title: str
    proposers: frozenset[Role]
    approvers: frozenset[Role]
    life: Setting[int]
    by_protocol: bool = False


ACTS: dict[str, Act] = {}
"""Every act by its code."""


def _act(act: Act) -> Act:
    if act.code in ACTS:
        raise ValueError(f"two acts are called {act.code}")
    ACTS[act.code] = act
    return act


_CASHIER, _SUPERVISOR, _ORGANIZER = frozenset({Role.CASHIER}), frozenset({Role.SUPERVISOR}), frozenset({Role.ORGANIZER})

PAYOUT = _act(Act("payout", "Выплата по билету", _CASHIER, _SUPERVISOR, PAYOUT_LIFE))
ACCOUNT_PAYOUT = _act(Act("account_payout", "Выплата с игрового счёта", _CASHIER, _SUPERVISOR, PAYOUT_LIFE))
RESULT = _act(Act("result", "Результат события", _ORGANIZER, _ORGANIZER, RESULT_LIFE, by_protocol=True))
CORRECTION = _act(Act("correction", "Исправление протокола", _ORGANIZER, _ORGANIZER, CORRECTION_LIFE, by_protocol=True))
CANCELLATION = _act(Act("cancellation", "Отмена выплаченной ставки", _ORGANIZER, _ORGANIZER, CANCELLATION_LIFE))

CASH_PAYOUTS = frozenset({PAYOUT.code, ACCOUNT_PAYOUT.code})
"""The acts that pay somebody in cash: their proposals name the version of the person in ``person_version``."""
