"""Sweeps under watch: one that fails is an alarm when it begins to fail, and a notice when it works again."""

from __future__ import annotations

from collections.abc import Callable

import structlog
from sqlalchemy.exc import SQLAlchemyError

from api.house import House
from db.session import transaction
from office.significant.kinds import SEAL_FAILED, SEAL_RECOVERED, SWEEP_FAILED, SWEEP_RECOVERED
from office.significant.watch import Watch, note_turn

log = structlog.get_logger()
Sweep = Callable[[House], object]

SWEEP = Watch(bad=SWEEP_FAILED, well=SWEEP_RECOVERED)
OWN_WATCH = {"seal": Watch(bad=SEAL_FAILED, well=SEAL_RECOVERED)}
"""Sweeps whose failing is a kind of event of its own (INDUSTRY: failed seals)."""


def watched(here: House, name: str, sweep: Sweep) -> None:
    """Do a sweep; whatever it raises is written down and raised on, so that the queue knows of it as well."""
    try:
        sweep(here)
    except Exception as error:
        _note(here, name, bad=True, error=type(error).__name__)
        raise
    _note(here, name, bad=False)


def _note(here: House, name: str, bad: bool, **facts: object) -> None:
    try:
        with transaction(here.sessions) as session:
            note_turn(session, OWN_WATCH.get(name, SWEEP), f"sweep:{name}", bad, **facts)
    except SQLAlchemyError as error:
        # Without a database there is nothing to write to; then the log is all there is.
        log.error("sweep_not_noted", sweep=name, bad=bad, database=type(error).__name__, **facts)
