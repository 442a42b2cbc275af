"""What every request finds in the house: sessions, operator, keys in use, known pools; and its own session."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from threading import BoundedSemaphore

import structlog
from flask import current_app, g, has_app_context
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from api.idempotency import Stored
from api.proxies import Networks, trusted_proxies
from api.watch.figures import count_connections
from api.watch.readiness import Readiness
from db.addresses import database_urls
from db.engines import engine_beside, engine_for, engine_through_pooler, probe_for, probe_through_pooler
from db.environment import whole_number
from db.key_ring import KeyRing
from db.keys import Keys, keys
from db.master_keys import MasterKeys
from db.session import Sessions, sessions_on
from db.urls import DatabaseUrls
from ledger.codes import TICKET_CODES, Codes
from office.alarms.channels import Channels, channels_from_environment
from office.callers import Caller
from office.operator import Operator, operator_from_environment
from office.persons.register import Persons
from office.settings.book import SettingsBook
from tote.pools import Catalogue
from tote.sales import Counter

log = structlog.get_logger()


class House:
    """The parts an application is made of; one for each process.

    Addresses and keys are asked for when they are first needed: a command that needs no database starts none, and a
    forked worker never shares its parent's connections.
    """

    def __init__(
        self,
        operator: Operator,
        addresses: Callable[[], DatabaseUrls],
        keys: Callable[[], Keys],
        folder: Path = Path(),
    ) -> None:
        self.settings = SettingsBook()
        self.unset_operator = operator
        self.folder = folder
        self.catalogue = Catalogue()
        # A quarter of the threads at the most make documents: the others sell and pay.
        self.papers = BoundedSemaphore(max(1, whole_number("THREADS", 8) // 4))
        self._addresses = addresses
        self._make_keys = keys

    @cached_property
    def urls(self) -> DatabaseUrls:
        """The addresses of the operator's database."""
        return self._addresses()

    @cached_property
    def keys(self) -> Keys:
        """The keys of this installation."""
        return self._make_keys()

    @cached_property
    def engine(self) -> Engine:
        """This process's connections as the application's role."""
        size = whole_number("THREADS", 8)
        if self.urls.pooled is not None:
            return count_connections(engine_through_pooler(self.urls.pooled, pool_size=size))
        return count_connections(engine_for(self.urls.app, pool_size=size))

    @cached_property
    def probe(self) -> Engine:
        """Looks at the database past the pool, for those who watch the house."""
        return probe_for(self.urls.app)

    @cached_property
    def readiness(self) -> Readiness:
        """Whether this process can serve."""
        if self.urls.pooled is not None:
            return Readiness(self.probe, probe_through_pooler(self.urls.pooled))
        return Readiness(self.probe)

    @cached_property
    def sessions(self) -> Sessions:
        """Sessions of the application's role."""
        return sessions_on(self.engine, self.urls.app)

    @cached_property
    def masters(self) -> MasterKeys:
        """The keys that wrap data keys."""
        return MasterKeys(self.keys.data_keys)

    @cached_property
    def codes(self) -> Codes:
        """Maker and finder of ticket codes."""
        beside = sessions_on(engine_beside(self.urls.app))
        return Codes(self.keys.code_hmac, KeyRing(beside, self.masters, TICKET_CODES))

    @cached_property
    def persons(self) -> Persons:
        """Writer and reader of personal data."""
        return Persons(self.masters, self.keys.code_hmac)

    @cached_property
    def alarm_channels(self) -> Channels:
        """The channels alarms go out through."""
        return channels_from_environment()

    @cached_property
    def trusted_proxies(self) -> Networks:
        """The proxies whose word about a client's address is believed."""
        return trusted_proxies()

    @property
    def operator(self) -> Operator:
        """The operator by the settings of this moment: a request asks on its own session, for it holds one connection.

        Work that takes long asks when it begins; what is changed meanwhile is for work that begins later.
        """
        with nullcontext(g.session) if has_app_context() and "session" in g else self.sessions() as asking:
            return replace(self.unset_operator, settings=self.settings.read(asking))

    @property
    def counter(self) -> Counter:
        """What selling pool bets needs; each sale is told by its gates which settings hold for it."""
        return Counter(self.unset_operator, self.settings, self.codes, self.catalogue)


def house_at(root: Path) -> House:
    """The house of an installation: addresses and keys from the environment or its folder ``var``."""
    return House(operator_from_environment(), lambda: database_urls(root), lambda: keys(root), root)


def house() -> House:
    """The house of the running application."""
    found: House = current_app.extensions["house"]
    return found


def session() -> Session:
    """The request's one session; whoever writes commits, and what is not committed is rolled back at the end."""
    if "session" not in g:
        g.session = house().sessions()
    opened: Session = g.session
    return opened


def let_go() -> None:
    """Give the request's connection back before work that takes long; what was read stays readable."""
    session().close()


def end_session(_error: BaseException | None = None) -> None:
    """Give the request's connection back; an uncommitted transaction is rolled back.

    The answer is made by now and stands: a database that goes away in this moment has what was committed, and drops
    the rest by itself.
    """
    opened: Session | None = g.pop("session", None)
    if opened is None:
        return
    try:
        opened.close()
    except DBAPIError as error:
        log.warning("connection_lost_behind_the_answer", error=type(error).__name__)


def known_key() -> Stored | None:
    """What is on record under this request's key; the gate in front of every route has looked when it let it in."""
    found: Stored | None = g.known_key
    return found


def caller() -> Caller:
    """Who makes this request; the gate in front of every route has put it here."""
    found: Caller = g.caller
    return found
