"""Who watches and decides: accountant, auditor, organizer beside the days' own, readers, and displays on walls."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from http.client import HTTPException, HTTPResponse
from random import Random
from socket import create_connection
from threading import Thread
from urllib.parse import urlsplit

from tests.prove.served import FULL
from tests.prove.soak.person import API, Person, Town
from tests.prove.soak.wire import request

OF_A_CANCELLATION = frozenset({"already_cancelled", "second_person_needed", "settlement_under_way", "held_by_claim"})
OF_A_DRY_BANK = frozenset({"not_enough_money"})
OWN_MONEY = {"act": "own_money_in", "amount": "50000.00"}
WRONG_DETAILS = {"reason": "wrong_details", "explanation": "Кассир ошибся в исходе"}
STOPPED_FOR = 0.3
EXPORTS = ("ticket-register", "liability", "pool-sheets", "intake", "daily-movement")
PRINTED = ("pool-sheets", "intake") if FULL else ()
"""A PDF of a day's tickets or transfers takes minutes of a processor; any takes seconds, which small runs have not."""


class Office(Person):
    """Somebody of the office, who reads more than he does: five of them are a small part of all who call."""

    reads_for = 0.5 if FULL else 0.0

    def page_on(self, kind: str, path: str) -> None:
        """Two pages of a list, the second one after the first."""
        first = self.get(kind, path).json()
        if first.get("next_cursor") is not None:
            self.get(kind, f"{path}&cursor={first['next_cursor']}")

    def export(self) -> None:
        """A report of the newest pool's, or of this day, as a file."""
        if self.town.pool is None:
            return
        report, form = self.chance.choice(EXPORTS), self.chance.choice(("csv",) * 8 + ("xlsx", "pdf"))
        if form == "pdf" and report not in PRINTED:
            form = "csv"
        narrowed = self._this_day() if report in ("intake", "daily-movement") else f"&pool={self.town.pool}"
        refusals = frozenset({"too_many_rows"})
        self.get(f"export: {report} {form}", f"/reports/{report}/export?format={form}{narrowed}", refusals)

    def _this_day(self) -> str:
        """The day of the trade's clock, by the ticket sold last, as reports are asked for it."""
        if not self.town.recent:
            return ""
        day = self.town.recent[-1]["placed_at"][:10]
        return f"&from={day}&to={day}"


class Accountant(Office):
    """Reads balances and reports, exports them, and sends what players asked for."""

    def acts(self) -> Sequence[tuple[float, Callable[[], object]]]:
        """Reports above all."""
        return (
            (3, partial(self.get, "accountant: trial balance", "/reports/trial-balance")),
            (3, partial(self.get, "accountant: fund cover", "/reports/fund-cover")),
            (3, partial(self.page_on, "accountant: liability", "/reports/liability?limit=50")),
            (2, partial(self.of_the_day, "daily-movement")),
            (2, partial(self.of_the_day, "intake")),
            (2, partial(self.of_the_day, "ticket-register")),
            (4, partial(self.page_on, "accountant: transfers", "/transfers?limit=50")),
            (2, partial(self.get, "accountant: accounts", "/accounts?limit=50")),
            (2, partial(self.get, "accountant: deposits", "/deposits?limit=50")),
            (1, self.export),
            (4, self.send_transfers),
        )

    def of_the_day(self, report: str) -> None:
        """A report of this day; of twenty one is of all days there were."""
        days = "" if self.chance.random() < 0.05 else self._this_day()
        kind = f"accountant: {report}{'' if days else ', all days'}"
        self.page_on(kind, f"/reports/{report}?limit=50{days}")

    def send_transfers(self) -> None:
        """What waits is sent, or goes back."""
        waiting = self.get("accountant: withdrawals", "/account-withdrawals?stage=under_way&limit=5").json()["items"]
        for one in waiting:
            ending = {"payment_order": f"ПП-{one['id']}"} if self.chance.random() < 0.8 else {"reason": "Счёт закрыт"}
            sent = self.post("accountant: transfer", f"/account-withdrawals/{one['id']}/ending", ending, OF_A_DRY_BANK)
            if sent.code in OF_A_DRY_BANK:
                # Players pay in at desks and are paid from the bank: after half an hour nothing is left there.
                self.post("accountant: own money", "/treasury-movements", OWN_MONEY)


class Auditor(Office):
    """Reads the ledger and what was noted, page by page."""

    def acts(self) -> Sequence[tuple[float, Callable[[], object]]]:
        """The ledger above all."""
        return (
            (4, partial(self.page_on, "auditor: transfers", "/transfers?limit=200")),
            (3, partial(self.page_on, "auditor: tickets", "/tickets?limit=100")),
            (3, partial(self.page_on, "auditor: significant events", "/significant-events?limit=50")),
            (2, partial(self.get, "auditor: trial balance", "/reports/trial-balance")),
            (2, partial(self.get, "auditor: alarms", "/alarms?limit=50")),
            (2, partial(self.page_on, "auditor: payouts", "/payouts?limit=100")),
            (2, partial(self.get, "auditor: approvals", "/approvals?limit=50")),
            (2, self.decisions),
            (1, self.export),
        )

    def decisions(self) -> None:
        """What was decided on a ticket."""
        if self.town.recent:
            number = self.chance.choice(self.town.recent)["number"]
            self.get("auditor: decisions", f"/tickets/{number}/decisions")


class Organizer(Office):
    """Stops sales for a moment and cancels a bet now and then; pools are announced and settled by the days."""

    def acts(self) -> Sequence[tuple[float, Callable[[], object]]]:
        """Mostly looks."""
        return (
            (10, partial(self.get, "organizer: pools", "/pools?limit=20")),
            (4, partial(self.get, "organizer: fund cover", "/reports/fund-cover")),
            (4, partial(self.get, "organizer: tickets", "/tickets?limit=50&status=accepted")),
            (2, self.cancel),
            (0.3, self.stop_for_a_moment),
        )

    def cancel(self) -> None:
        """A bet that was sold by mistake."""
        if self.town.sold:
            number = self.chance.choice(list(self.town.sold)[-50:])["number"]
            self.post("organizer: cancellation", f"/tickets/{number}/cancellation", WRONG_DETAILS, OF_A_CANCELLATION)

    def stop_for_a_moment(self) -> None:
        """Nobody may bet on the pool until every stop there is has been lifted."""
        if self.town.pool is None:
            return
        stop = {"scope": "pool", "subject": self.town.pool, "reason": "Сообщение о травме"}
        self.ask("organizer: stop", "POST", "/sales-stops", stop, None, frozenset({"sales_already_stopped"}))
        time.sleep(STOPPED_FOR)
        reason, lifted = {"reason": "Сообщение не подтвердилось"}, frozenset({"sales_already_resumed"})
        for one in self.get("organizer: stops", "/sales-stops?open=true").json()["items"]:
            self.ask("organizer: resumption", "POST", f"/sales-stops/{one['id']}/resumption", reason, None, lifted)


class Reader(Office):
    """Looks at boards, matches and results."""

    def acts(self) -> Sequence[tuple[float, Callable[[], object]]]:
        """All alike."""
        return (
            (3, self.totals),
            (2, partial(self.page_on, "reader: pools", "/pools?limit=50")),
            (2, partial(self.page_on, "reader: events", "/events?limit=50")),
            (2, partial(self.page_on, "reader: results", "/results?limit=50")),
        )

    def totals(self) -> None:
        """What is staked at this moment."""
        if self.town.pool is not None:
            self.get("reader: totals", f"/pools/{self.town.pool}/totals")


class Display:
    """A board that follows what is sold by a stream, pool after pool; each time it is told something counts once."""

    def __init__(self, town: Town, streams: str, token: str, chance: Random) -> None:
        self.told = 0
        self._town, self._token, self._chance = town, token, chance
        address = urlsplit(streams)
        self._address = (address.hostname, address.port)
        self._thread = Thread(target=self._follow_on, daemon=True)

    def start(self) -> None:
        """Begin to follow."""
        self._thread.start()

    def _follow_on(self) -> None:
        tally = self._town.tally
        while not tally.over.is_set():
            pool, began = self._town.pool, time.monotonic()
            if pool is not None:
                try:
                    self._follow(pool, began)
                except (OSError, HTTPException) as broken:
                    if not tally.over.is_set():
                        tally.lose(time.monotonic(), "stream broken", repr(broken))
            tally.over.wait(self._chance.uniform(0.1, 0.5))

    def _follow(self, pool: str, began: float) -> None:
        """Read what is told until the stream ends, or another pool is sold."""
        headers = [("Authorization", f"Bearer {self._token}")]
        with create_connection(self._address, timeout=60) as line:
            line.sendall(request("GET", f"{API}/streams/pools?pools={pool}", headers))
            answer = HTTPResponse(line)
            answer.begin()
            self._town.tally.answered("display: stream", answer.status, "", time.monotonic() - began)
            if answer.status != 200:
                told = f"{answer.status} {answer.read()[:300]!r}"
                self._town.tally.lose(began, f"stream {answer.status}", told)
            with suppress(ValueError):
                while self._town.pool in (pool, None) and not self._town.tally.over.is_set():
                    said = answer.readline()
                    if not said:
                        break
                    self.told += said.startswith(b"event:")
