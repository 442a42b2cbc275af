"""A season as it is played: rounds are announced, sold, closed, settled and paid in the order of their calendar.

Every act goes through the API; the sweeps are those of a worker. What comes of it is foretold by the books.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import cycle
from random import Random
from typing import Any

from api.tasks import SWEEPS
from db.clock import trade_time
from tests.office import EVENT, Office
from tests.prove.season.books import RoundBook, SeasonBooks, Ticket
from tests.prove.season.calendar import Round
from tests.prove.season.kinds import Kind
from tests.prove.season.punters import CODES, Wish, wishes
from tests.tote.life.home import money

SOLD_BEFORE = timedelta(days=2)
CLOSED_BEFORE = timedelta(minutes=5)
SETTLED_AFTER = timedelta(hours=3)
CORRECTED_AFTER = timedelta(days=4, hours=1)
NEXT_DAY, LATE, TOO_LATE = timedelta(days=1, hours=1), timedelta(days=60), timedelta(days=130)
FETCHED_AFTER = (NEXT_DAY, NEXT_DAY, TOO_LATE, NEXT_DAY, None, NEXT_DAY, LATE)
"""When those who are owed cash come, one after the other: most as soon as it is paid, some late, too late or never."""
PLAYERS = ("ivan", "anna", "olga", "pavel")
BOOKS = {"own_money_in": "400000.00", "special_account_in": "150000.00"}
NOT_OF_THE_DIVISION = ("game", "minimum_stake", "maximum_stake")
SWEPT = ("close_due_pools", "resume_settlements", "expire_wins", "keep_pool_totals")
OUTCOMES = [{"code": code, "name": name} for code, name in zip(CODES, ("П1", "Ничья", "П2"), strict=True)]
POSITIONS = [{"code": str(place), "name": f"Матч {place}", "outcomes": OUTCOMES} for place in range(1, 11)]


@dataclass(order=True)
class Step:
    """Something that is done at an instant; where it settles a pool, which."""

    at: datetime
    order: int
    act: Callable[[], None] = field(compare=False)
    settles: RoundBook | None = field(compare=False, default=None)


class Season:
    """The house, its books, and whoever plays."""

    def __init__(self, office: Office, chance: Random, tickets: int) -> None:
        self.office, self.chance, self.tickets = office, chance, tickets
        office.clock("2024-08-01T09:00:00+03:00")
        self.cashier = office.cashier
        for act, amount in BOOKS.items():
            office.move(act, amount)
        office.move("desk_float", "100000.00", desk_id=office.desk["id"])
        # 1000.00 of own money, 500.00 of it on the special account and 100.00 in the till, were there before.
        self.books = SeasonBooks(own=40_100_000, special=15_050_000, float_=10_010_000)
        self.players = {login: office.player(login) for login in PLAYERS}
        self.habits = cycle(FETCHED_AFTER)
        self.visits: list[tuple[datetime, RoundBook, Ticket]] = []
        self.refused: list[str] = []

    def steps(self, played: Round, kind: Kind) -> list[Step]:
        """What becomes of a round, and when."""
        pool = self._book(played, kind)
        found = [
            Step(played.begins - SOLD_BEFORE, played.number, lambda: self.sell(pool)),
            Step(played.begins - CLOSED_BEFORE, played.number, lambda: self.close(pool)),
            Step(played.ends + SETTLED_AFTER, played.number, lambda: self.settle(pool), pool),
        ]
        if kind.corrected:
            found.append(Step(played.ends + CORRECTED_AFTER, played.number, lambda: self.correct(pool), pool))
        return found

    @property
    def now(self) -> datetime:
        """What the trade's clock shows."""
        with self.office.house.sessions() as session:
            return trade_time(session)

    def advance(self, at: datetime) -> None:
        """Let time pass until an instant, if it has not yet: a worker makes its round, people come for their money."""
        if at > self.now:
            self.office.clock(at.isoformat())
        for name in SWEPT:
            SWEEPS[name](self.office.house)
        now = self.now
        self.books.expire(now)
        due = [visit for visit in self.visits if visit[0] <= now]
        self.visits = [visit for visit in self.visits if visit[0] > now]
        for _, pool, ticket in due:
            self.present(pool, ticket)

    def sell(self, pool: RoundBook) -> None:
        """Announce the pool, sell its tickets, and cancel one while it sells."""
        assert pool.round is not None
        name, starts_at = f"Тур {pool.round.number}", pool.round.begins.isoformat()
        event = {**EVENT, "code": f"E-{pool.code}", "name": name, "venue_zone": "Europe/London", "starts_at": starts_at}
        pool.event_id = self._done(self.office.organizer.post("/events", event))["id"]
        window = {"opens_at": pool.opens_at.isoformat(), "closes_at": pool.closes_at.isoformat()}
        told = {"code": pool.code, "name": name, "event_id": pool.event_id, **window, "positions": POSITIONS}
        self._done(self.office.organizer.post("/pools", {**told, **pool.kind.terms}))
        self.books.pools.append(pool)
        for wish in wishes(self.chance, pool.round, pool.kind, self.tickets):
            self.buy(pool, wish)
        self.cancel(pool)

    def buy(self, pool: RoundBook, wish: Wish) -> None:
        """One ticket, at the desk or from a game account, which is filled as far as it must be."""
        player = self.chance.choice((None, None, *PLAYERS))
        if player is not None and self.books.balances[player] < wish.stake:
            lacking = wish.stake - self.books.balances[player] + self.chance.randint(0, 500)
            self._done(self.cashier.post("/deposits", {"player": player, "amount": money(lacking)}))
            self.books.balances[player] += lacking
            self.books.cash += lacking
        on = {"uploaded": "\n".join(wish.lines)} if wish.lines else {"marks": wish.marks}
        body = {"pool": pool.code, "stake": money(wish.stake), **on}
        told = self._done(self.players.get(player, self.cashier).post("/pool-bets", body))
        sold = Ticket(told["number"], told["code"], (), wish.stake, player, marks=wish.marks or (), lines=wish.lines)
        assert told["rows"] == sold.bets
        pool.bets.append(sold)
        if player is None:
            self.books.cash += wish.stake
        else:
            self.books.balances[player] -= wish.stake

    def close(self, pool: RoundBook) -> None:
        """The worker has closed the pool; then two of its tickets turn out to be in breach of the rules."""
        sheet = self.sheet(pool)
        pool.closed = True
        withdrawal = pool.stakes - pool.fund
        assert (sheet["status"], sheet["pool"], sheet["fund"], sheet["withdrawal"]) == (
            "withdrawal_taken", money(pool.stakes), money(pool.fund), money(withdrawal)
        )  # fmt: skip
        self.cancel(pool)
        self.cancel(pool)

    def settle(self, pool: RoundBook) -> None:
        """Fix the result by two persons, or at first a wrong one; settle, cancel a ticket of what is settled."""
        true = self._true(pool, wrongly=pool.kind.corrected)
        self._fix(pool, true)
        self._settle(pool, true)
        if not pool.gives_back:
            self.cancel(pool)

    def correct(self, pool: RoundBook) -> None:
        """Correct the protocol by a second one, and settle again."""
        true = self._true(pool, wrongly=False)
        self._fix(pool, true, corrects=pool.protocol, reason="clerical_error")
        self._settle(pool, true)

    def cancel(self, pool: RoundBook) -> None:
        """Cancel some ticket that got nothing yet (T-Rules 29)."""
        free = [bet for bet in pool.bets if not bet.cancelled and not bet.had and not bet.lapsed]
        ticket = self.chance.choice(free)
        why = {"reason": "other_breach", "explanation": "проба"}
        self._done(self.office.organizer.post(f"/tickets/{ticket.number}/cancellation", why))
        self.books.cancel(pool, ticket, self.now)
        self._expect_visit(pool, ticket)

    def present(self, pool: RoundBook, ticket: Ticket) -> None:
        """Somebody comes to the desk with a ticket: it pays what the books say, or is refused as they foretell."""
        if not ticket.left and not ticket.lapsed:
            return
        expected = self.books.pay(pool, ticket, self.now)
        answer = self.office.pay(ticket.code)
        if not expected:
            assert answer.json["code"] == "payment_term_over", answer.json
            self.refused.append(answer.json["code"])
            return
        if answer.status_code == 403:
            assert answer.json["code"] == "second_person_needed" and expected >= 500_000, answer.json
            proposed = self._done(self.office.propose_payout(ticket.code, code_entry="scanned"))["id"]
            self._done(self.office.supervisor.post(f"/approvals/{proposed}/decision", {"decision": "approved"}))
            answer = self.office.pay(ticket.code, approval=proposed)
        assert self._done(answer)["amount"] == money(expected)

    def sheet(self, pool: RoundBook) -> dict[str, Any]:
        """The pool's sheet as the API shows it."""
        answer = self.office.organizer.get(f"/pools/{pool.code}/sheet")
        assert answer.status_code == 200, answer.json
        return dict(answer.json)

    def _book(self, played: Round, kind: Kind) -> RoundBook:
        named = {
            name: told for name, told in kind.terms.items() if name not in ("game", "minimum_stake", "maximum_stake")
        }
        window = played.begins - SOLD_BEFORE, played.begins - CLOSED_BEFORE
        return RoundBook(f"R{played.number}", 0, *window, named, round=played, kind=kind)

    def _true(self, pool: RoundBook, *, wrongly: bool) -> tuple[str | None, ...]:
        """What came true, position by position; wrongly told, the last match ended otherwise."""
        assert pool.round is not None
        true: list[str | None] = list(pool.round.outcomes)
        if pool.kind.missed is not None:
            true[pool.kind.missed] = None
        if wrongly:
            true[-1] = next(code for code in CODES if code != true[-1])
        return tuple(true)

    def _fix(self, pool: RoundBook, true: tuple[str | None, ...], **correction: Any) -> None:
        path, positions = f"/events/{pool.event_id}", {str(place): code for place, code in enumerate(true, 1)}
        told = {"positions": positions, "source": "протокол тура", **correction}
        entered = self._done(self.office.organizer.post(path + "/results", told))["id"]
        protocol = {"result_id": entered, "signatories": ["Первый член", "Второй член"]}
        pool.protocol = self._done(self.office.second_organizer.post(path + "/protocols", protocol))["number"]

    def _settle(self, pool: RoundBook, true: tuple[str | None, ...]) -> None:
        self._done(self.office.organizer.post(f"/pools/{pool.code}/settlement"))
        self.books.settle(pool, pool.in_force(true), self.now)
        self.books.credit(pool)
        for bet in pool.bets:
            if not bet.cancelled:
                self._expect_visit(pool, bet)

    def _expect_visit(self, pool: RoundBook, ticket: Any) -> None:
        """Somebody who is owed cash comes some day, or does not."""
        if ticket.player is None and ticket.left:
            after = next(self.habits)
            self.visits += [] if after is None else [(self.now + after, pool, ticket)]

    def _done(self, answer: Any) -> dict[str, Any]:
        assert answer.status_code == 201, (answer.status_code, answer.json)
        return dict(answer.json)
